"""Passing cards before play: all choose, then the cards change hands at once."""

from abc import abstractmethod
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from domain import course
from domain.cards import Card, Holding, cards_of, holding, less, merged, without
from domain.decisions import PassChoices, Phase
from domain.errors import InvalidTable, RuleViolation
from domain.events import (
    CardsPassed,
    DealStarted,
    Event,
    Passage,
    PassesExchanged,
)
from domain.game import State, Steps
from domain.ids import Seat, Version
from domain.seating import at_seat, seat_after

PASSED: Final = 3
"""How many cards each seat passes."""

Direction: TypeAlias = Literal["left", "right", "across", "hold"]

Directions: TypeAlias = Annotated[tuple[Direction, ...], Meta(max_length=16)]
"""Where the passes go deal by deal, then again from the first; empty for none."""


class PassingState(State, frozen=True, kw_only=True):
    """A match with passes: what each seat has chosen in this deal, 0 before it has.

    `pass_versions` says which events those choices are in.
    """

    passed: tuple[Holding, ...] = ()
    pass_versions: tuple[Version, ...] = ()

    @property
    @abstractmethod
    def direction(self) -> Direction:
        """Where the pass of this deal goes."""

    @property
    def pass_steps(self) -> int:
        """How many places clockwise the pass goes; 0 where nothing is passed."""
        places = {"left": 1, "right": -1, "across": self.seats // 2, "hold": 0}
        return places[self.direction]


P = TypeVar("P", bound=PassingState)


def check(directions: Directions, seats: int) -> None:
    """Refuse a pass across where nobody sits there."""
    if "across" in directions and seats % 2:
        raise InvalidTable(
            f"With {seats} seats nobody sits across, so no pass can go there.",
            field="options.passing",
        )


def in_turn(directions: Directions, deal: int) -> Direction:
    """The direction of deal number `deal`."""
    return directions[(deal - 1) % len(directions)] if directions else "hold"


def yet_to_pass(state: PassingState) -> tuple[Seat, ...]:
    """The seats that have not chosen."""
    return tuple(Seat(seat) for seat, chosen in enumerate(state.passed) if not chosen)


def choices(state: PassingState, seat: Seat) -> PassChoices:
    """What a seat may choose its pass from."""
    return PassChoices(choose=PASSED, from_=cards_of(state.hands[seat]))


def pass_cards(
    state: PassingState,
    seat: Seat,
    cards: tuple[Card, ...],
    version: Version,
    *,
    rule: str,
) -> list[Event]:
    """What follows when a seat passes cards.

    Raises:
        RuleViolation: they are not three cards of the hand, against that rule.
    """
    _check(state.hands[seat], cards, rule)
    steps = state.pass_steps
    to = seat_after(seat, steps, state.seats)
    passed = CardsPassed(seat, to, PASSED, cards_of(holding(cards)))
    if yet_to_pass(state) != (seat,):
        return [passed]
    last = cards_passed(state, passed, Version(version + 1))
    passes = tuple(
        Passage(Seat(giver), seat_after(Seat(giver), steps, state.seats), at)
        for giver, at in enumerate(last.pass_versions)
    )
    return [passed, PassesExchanged(passes)]


def _check(hand: Holding, cards: tuple[Card, ...], rule: str) -> None:
    if len(cards) != PASSED:
        raise RuleViolation(
            rule, f"A pass is exactly {PASSED} cards, not {len(cards)}.", choose=PASSED
        )
    left = hand
    for card in cards:
        if not left & card.bit:
            often = " that often" if hand & card.bit else ""
            raise RuleViolation(rule, f"You do not hold {card}{often}.", card=str(card))
        left = without(left, card)


def deal_started(state: P, event: DealStarted, version: Version) -> P:
    """A deal in which nobody has chosen yet, where anything is passed in it."""
    begun = course.deal_started(state, event, version)
    nothing = (0,) * state.seats
    phase = Phase.PASSING if begun.pass_steps else Phase.PLAYING
    return replace(begun, phase=phase, passed=nothing, pass_versions=nothing)


def cards_passed(state: P, event: CardsPassed, version: Version) -> P:
    """A seat has chosen; its cards stay in its hand until all have."""
    seat = event.seat
    return replace(
        state,
        passed=at_seat(state.passed, seat, holding(event.cards)),
        pass_versions=at_seat(state.pass_versions, seat, version),
    )


def passes_exchanged(state: P, event: PassesExchanged, _version: Version) -> P:
    """The cards have changed hands, and play begins."""
    hands = list(state.hands)
    for passage in event.passes:
        hands[passage.seat] = less(hands[passage.seat], state.passed[passage.seat])
    for passage in event.passes:
        hands[passage.to] = merged(hands[passage.to], state.passed[passage.seat])
    return replace(state, hands=tuple(hands), phase=Phase.PLAYING)


STEPS: Final[Steps[Any]] = {
    **course.STEPS,
    DealStarted: deal_started,
    CardsPassed: cards_passed,
    PassesExchanged: passes_exchanged,
}
