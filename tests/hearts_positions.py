"""Positions of Hearts, built without playing up to them, and what they allow."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from domain import course
from domain.cards import ONE_PACK, STANDARD_PACK, Card, cards_of, holding
from domain.commands import Move, Pass, Play
from domain.decisions import Phase
from domain.errors import RuleViolation
from domain.events import DealScored, Event
from domain.games.hearts import GAME
from domain.games.hearts.options import Options
from domain.games.hearts.state import HeartsState
from domain.ids import Seat, Version
from domain.packs import PACK
from domain.tricks import Trick
from tests.driver import cards

STANDARD: Final = Options()
ME: Final = Seat(0)
VERSION: Final = Version(20)
ALL_HEARTS: Final = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
MIXED: Final = (
    "2C 6C TC AC 5D 9D KD 4H 8H QH 3S 7S JS",
    "3C 7C JC 2D 6D TD AD 5H 9H KH 4S 8S QS",
    "4C 8C QC 3D 7D JD 2H 6H TH AH 5S 9S KS",
    "5C 9C KC 4D 8D QD 3H 7H JH 2S 6S TS AS",
)
"""Every seat holds all suits."""
EARLIER: Final = Trick(1, Seat(0), cards("2C 3C 4C 5C"), Seat(3))
"""A first trick without consequences, for positions later in a deal."""


def strong_hands(seats: int) -> list[str]:
    """A deal in which seat 0, leading its highest cards, takes every trick."""
    pack = sorted(cards_of(PACK[seats]), key=lambda card: -card.rank)
    size = len(pack) // seats
    strong, weak = pack[:size], pack[size:]
    hands = [strong, *(weak[seat :: seats - 1] for seat in range(seats - 1))]
    return [" ".join(map(str, hand)) for hand in hands]


def text(held: int) -> str:
    """The cards of a holding as a text, in pack order."""
    return " ".join(map(str, cards_of(held)))


def position(
    hand: str,
    *,
    table: str = "",
    first_trick: bool = False,
    broken: bool = False,
    options: Options = STANDARD,
) -> HeartsState:
    """Seat 0 is to play from `hand` to the cards on the table, or to lead to none.

    The other seats hold the rest of the pack, as far as that matters to nobody.
    """
    played = cards(table)
    rest = ONE_PACK & ~holding(cards(hand)) & ~holding(played)
    return HeartsState(
        options=options,
        seats=4,
        scores=(0, 0, 0, 0),
        deal=1,
        dealer=Seat(3),
        phase=Phase.PLAYING,
        hands=(holding(cards(hand)), rest, 0, 0),
        leader=Seat(-len(played) % 4),
        turn=ME,
        trick=played,
        tricks=() if first_trick else (EARLIER,),
        taken=(0, 0, 0, 0),
        passed=(0, 0, 0, 0),
        pass_versions=(Version(0),) * 4,
        broken=broken,
    )


def passing(hand: str, *, options: Options = STANDARD) -> HeartsState:
    """Seat 0 is to pass from `hand`, as are the others from nothing."""
    return replace(
        position(hand, first_trick=True, options=options), phase=Phase.PASSING
    )


def accepted(state: HeartsState) -> str:
    """The cards that seat 0 may play, found by trying every card of the pack."""
    return " ".join(str(card) for card in STANDARD_PACK if not _rule(state, card))


def refused(state: HeartsState, card: str) -> str | None:
    """The rule by which seat 0 may not play the card; None where it may."""
    return _rule(state, Card(card))


def _rule(state: HeartsState, card: Card) -> str | None:
    try:
        GAME.decide(state, ME, Play(card=card), VERSION)
    except RuleViolation as violation:
        return violation.rule
    return None


def pass_refused(state: HeartsState, *chosen: str) -> str | None:
    """The rule by which seat 0 may not pass the cards; None where it may."""
    try:
        GAME.decide(state, ME, Pass(cards=tuple(map(Card, chosen))), VERSION)
    except RuleViolation as violation:
        return violation.rule
    return None


def ending(
    *piles: str,
    scores: Sequence[int] | None = None,
    won: Sequence[int] | None = None,
    left: str = "",
    options: Options = STANDARD,
) -> HeartsState:
    """Four seats with these captured cards, before the last card of a deal.

    Seat 0 has yet to play the last card, the five of clubs, with which it wins a trick
    without a penalty card. `won` is how many of the twelve earlier tricks each seat
    took: where it is left out, one for captured cards, and the rest for seat 0. With
    cards `left`, it is not the last one.
    """
    if won is None:
        others = [int(bool(pile)) for pile in piles[1:]]
        won = [12 - sum(others), *others]
    winners = [Seat(seat) for seat, count in enumerate(won) for _ in range(count)]
    return HeartsState(
        options=options,
        seats=4,
        scores=tuple(scores or (0, 0, 0, 0)),
        deal=1,
        phase=Phase.PLAYING,
        hands=(holding(cards(f"5C {left}")), 0, 0, 0),
        leader=Seat(1),
        turn=ME,
        trick=cards("2C 3C 4C"),
        tricks=tuple(
            Trick(number, Seat(0), (), winner)
            for number, winner in enumerate(winners, 1)
        ),
        taken=tuple(holding(cards(pile)) for pile in piles),
        passed=(0, 0, 0, 0),
        pass_versions=(Version(0),) * 4,
        broken=True,
    )


def after(
    state: HeartsState, move: Move, seat: Seat = ME
) -> tuple[list[Event], HeartsState]:
    """What a move brings, and the state after it."""
    events = GAME.decide(state, seat, move, VERSION)
    return events, course.after(state, GAME.steps, events, VERSION)


def ended(state: HeartsState) -> tuple[list[Event], HeartsState]:
    """What the last card of an `ending` brings, and the state after it."""
    return after(state, Play(card=Card("5C")))


def points(state: HeartsState) -> tuple[int, ...] | None:
    """What the deal of an `ending` counts; None while a choice is open."""
    return next((it.points for it in _scored(state)), None)


def scores(state: HeartsState) -> tuple[int, ...] | None:
    """The scores after the deal of an `ending`; None while a choice is open."""
    return next((it.scores for it in _scored(state)), None)


def winners(state: HeartsState) -> tuple[Seat, ...]:
    """Who has won the match with the deal of an `ending`; nobody while it goes on."""
    result = GAME.result(ended(state)[1])
    return result.winners if result else ()


def _scored(state: HeartsState) -> list[DealScored]:
    events, _ = ended(state)
    return [event for event in events if isinstance(event, DealScored)]
