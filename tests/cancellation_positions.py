"""Positions of Cancellation Hearts, built without playing up to them.

Six seats, of which seat 0 is to act.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from domain import course
from domain.cards import STANDARD_PACK, Card, cards_of, holding
from domain.commands import Move, Pass, Play
from domain.decisions import Phase
from domain.errors import RuleViolation
from domain.events import DealScored, Event
from domain.games.cancellation_hearts import GAME, PACK
from domain.games.cancellation_hearts import options as game_options
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat, Version
from domain.terms import ArrangedDeal, Arrangement, Options
from domain.tricks import Trick
from tests.driver import Driver, cards, of_bots

SEATS: Final = 6
STANDARD: Final = game_options.Options()
ME: Final = Seat(0)
VERSION: Final = Version(20)
ALL_HEARTS: Final = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
EVERYTHING: Final = f"{ALL_HEARTS} {ALL_HEARTS} QS QS"
"""All 26 hearts and both queens of spades."""
EARLIER: Final = Trick(1, Seat(0), cards("2C 3C 4C 5C 6C 7C"), Seat(5))
"""A first trick without consequences, for positions later in a deal."""


def cancellation_hearts(
    options: Options | None = None,
    *,
    seats: int = SEATS,
    seed: int = 0,
    arrangement: Arrangement | None = None,
) -> Driver:
    """A table of Cancellation Hearts with a bot in every seat: the match is on."""
    return of_bots(
        "cancellation-hearts",
        options,
        seats=seats,
        seed=seed,
        arrangement=arrangement,
    )


def state_of(driver: Driver) -> CancellationState:
    """The match as it stands."""
    state = driver.play_state()
    assert isinstance(state, CancellationState)
    return state


def divided(order: Sequence[Card], seats: int) -> ArrangedDeal:
    """A deal of the two packs in this order, a hand after another, then the kitty."""
    size = len(PACK) // seats
    hands = tuple(tuple(order[at * size : (at + 1) * size]) for at in range(seats))
    return ArrangedDeal(hands=hands, kitty=tuple(order[seats * size :]))


def strong_deal(seats: int) -> ArrangedDeal:
    """A deal in which seat 0, leading its highest cards, takes every trick.

    It has both copies of what it holds; the other one of an odd card is in the kitty
    where there is a kitty.
    """
    by_rank = sorted(PACK, key=lambda card: (-card.rank, card.index))
    size = len(PACK) // seats
    if size % 2:
        by_rank.append(by_rank.pop(size))
    return divided(by_rank, seats)


def twin_deal(seats: int, chance: Random) -> ArrangedDeal:
    """A deal in which every two seats hold the same cards, so that many cancel.

    An odd seat has two of what is left, as has the kitty.
    """
    order = chance.sample(STANDARD_PACK, len(STANDARD_PACK))
    size = len(PACK) // seats
    twins = [order[size * (seat // 2) :][:size] for seat in range(seats - seats % 2)]
    rest = sorted(order[size * (seats // 2) :] * 2, key=lambda card: card.index)
    return divided([card for hand in twins for card in hand] + rest, seats)


def position(
    hand: str,
    *,
    table: str = "",
    first_trick: bool = False,
    broken: bool = False,
    options: game_options.Options = STANDARD,
) -> CancellationState:
    """Seat 0 is to play from `hand` to the cards on the table, or to lead to none."""
    played = cards(table)
    return CancellationState(
        options=options,
        seats=SEATS,
        scores=(0,) * SEATS,
        deal=1,
        dealer=Seat(5),
        phase=Phase.PLAYING,
        hands=(holding(cards(hand)), *(0,) * (SEATS - 1)),
        leader=Seat(-len(played) % SEATS),
        turn=ME,
        trick=played,
        tricks=() if first_trick else (EARLIER,),
        taken=(0,) * SEATS,
        passed=(0,) * SEATS,
        pass_versions=(Version(0),) * SEATS,
        broken=broken,
    )


def passing(hand: str) -> CancellationState:
    """Seat 0 is to pass from `hand`, as are the others from nothing."""
    return replace(position(hand, first_trick=True), phase=Phase.PASSING)


def accepted(state: CancellationState) -> str:
    """The cards that seat 0 may play, found by trying every card of the pack."""
    return " ".join(
        str(card) for card in STANDARD_PACK if not refused(state, str(card))
    )


def refused(state: CancellationState, card: str) -> str | None:
    """The rule by which seat 0 may not play the card; None where it may."""
    return _rule(state, Play(card=Card(card)))


def pass_refused(state: CancellationState, chosen: str) -> str | None:
    """The rule by which seat 0 may not pass the cards; None where it may."""
    return _rule(state, Pass(cards=cards(chosen)))


def _rule(state: CancellationState, move: Move) -> str | None:
    try:
        GAME.decide(state, ME, move, VERSION)
    except RuleViolation as violation:
        return violation.rule
    return None


def after(
    state: CancellationState, move: Move, seat: Seat = ME
) -> tuple[list[Event], CancellationState]:
    """What a move brings, and the state after it."""
    events = GAME.decide(state, seat, move, VERSION)
    return events, course.after(state, GAME.steps, events, VERSION)


def trick_of(
    text: str,
    *,
    left: str = "",
    options: game_options.Options = STANDARD,
) -> tuple[list[Event], CancellationState]:
    """What the last of these cards brings, which seat 0 led and seat 5 completes.

    With cards `left` in its hand, it is not the last trick.
    """
    *played, last = cards(text)
    state = replace(
        position("", options=options),
        hands=(*(0,) * (SEATS - 1), holding([last, *cards(left)])),
        leader=Seat(0),
        turn=Seat(SEATS - 1),
        trick=tuple(played),
        broken=True,
    )
    return after(state, Play(card=last), Seat(SEATS - 1))


def late(*hands: str) -> CancellationState:
    """Three tricks are over without consequences; seat 0 leads, from these hands."""
    return replace(
        position(""),
        hands=tuple(holding(cards(hand)) for hand in hands),
        tricks=(EARLIER,) * 3,
        broken=True,
    )


def after_cards(
    state: CancellationState, text: str
) -> tuple[list[Event], CancellationState]:
    """What these cards bring, played by one seat after another, and the state then."""
    events: list[Event] = []
    for card in cards(text):
        brought, state = after(state, Play(card=card), state.turn)
        events += brought
    return events, state


def ending(
    *piles: str,
    scores: Sequence[int] = (0,) * SEATS,
    last: str = "2C 3C 4C 5C 6C 7C",
    aside: str = "",
    kitty: str = "",
    options: game_options.Options = STANDARD,
) -> CancellationState:
    """Six seats with these captured cards, before the last card of a deal.

    Seat 0 has yet to play it: the `last` trick was led by seat 1. Cards lie `aside`,
    and a kitty waits.
    """
    *played, mine = cards(last)
    taken = [holding(cards(pile)) for pile in piles]
    return replace(
        position("", options=options),
        scores=tuple(scores),
        hands=(mine.bit, *(0,) * (SEATS - 1)),
        leader=Seat(1),
        trick=tuple(played),
        taken=tuple(taken + [0] * (SEATS - len(taken))),
        broken=True,
        aside=holding(cards(aside)),
        kitty=holding(cards(kitty)),
        kitty_version=Version(9),
    )


def ended(state: CancellationState) -> tuple[list[Event], CancellationState]:
    """What the last card of an `ending` brings, and the state after it."""
    [mine] = cards_of(state.hands[ME])
    return after(state, Play(card=mine))


def scored(state: CancellationState) -> DealScored | None:
    """How the deal of an `ending` is scored; None while a choice is open."""
    events, _ = ended(state)
    return next((event for event in events if isinstance(event, DealScored)), None)


def points(state: CancellationState) -> tuple[int, ...] | None:
    """What the deal of an `ending` counts; None while a choice is open."""
    event = scored(state)
    return event.points if event else None


def winners(state: CancellationState) -> tuple[Seat, ...]:
    """Who has won the match with the deal of an `ending`; nobody while it goes on."""
    result = GAME.result(ended(state)[1])
    return result.winners if result else ()
