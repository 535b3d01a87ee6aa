"""Deals and positions of Agony Aunt, built without playing up to them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from domain import course
from domain.cards import STANDARD_PACK, Card, holding
from domain.commands import Play
from domain.decisions import Phase
from domain.errors import RuleViolation
from domain.events import CounterPlaced, DealScored, Event, Square
from domain.games.agony_aunt import GAME
from domain.games.agony_aunt.options import Options
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat, Version
from domain.terms import ArrangedDeal, Arrangement
from domain.terms import Options as TableOptions
from domain.tricks import Trick
from tests.driver import Driver, cards, of_bots

PACK: Final = (*STANDARD_PACK, Card.JOKER)
STANDARD: Final = Options()
ME: Final = Seat(0)
VERSION: Final = Version(20)
SQUARES: Final[tuple[Square, ...]] = get_args(Square)
"""The squares of the standard board, row by row."""

STRONG: Final = (
    "TC JC QC KC AC QD KD AD QH KH AH KS AS",
    "2C 3C 4C 5C 6C 7C 8C 9C 2D 3D 4D 5D JK",
    "6D 7D 8D 9D TD JD 2H 3H 4H 5H 6H 7H QS",
    "8H 9H TH JH 3S 4S 5S 6S 7S 8S 9S TS JS",
)
"""With the two of spades turned, seat 0 takes every trick by its highest cards."""


def agony_aunt(
    options: TableOptions | None = None,
    *,
    seed: int = 0,
    arrangement: Arrangement | None = None,
) -> Driver:
    """A table of Agony Aunt with a bot in every seat, so that the match is on."""
    return of_bots("agony-aunt", options, seed=seed, arrangement=arrangement)


def arranged(
    turned: str,
    hands: Sequence[str],
    *,
    first_dealer: int = 0,
    scores: Sequence[int] | None = None,
) -> Arrangement:
    """One chosen deal, its hands given as texts."""
    deal = ArrangedDeal(hands=tuple(map(cards, hands)), turned=Card(turned))
    return Arrangement(
        first_dealer=Seat(first_dealer),
        scores=None if scores is None else tuple(scores),
        deals=(deal,),
    )


def from_example(
    deal: Mapping[str, Any], scores: Sequence[int] | None = None
) -> Arrangement:
    """A worked example as an arranged deal, with its own scores or others."""
    return arranged(
        deal["turn"],
        [" ".join(hand) for hand in deal["hands"]],
        first_dealer=deal["dealer"],
        scores=scores or deal["stocks"],
    )


def state_of(driver: Driver) -> AgonyAuntState:
    """The match as it stands."""
    state = driver.play_state()
    assert isinstance(state, AgonyAuntState)
    return state


def board(*rows: str) -> dict[Square, Seat]:
    """Whose counter lies where, given as three rows like `0 3 -`, a dash for nobody."""
    seats = " ".join(rows).split()
    return {
        square: Seat(int(seat))
        for square, seat in zip(SQUARES, seats, strict=True)
        if seat != "-"
    }


def earlier(won: Sequence[int]) -> tuple[Trick, ...]:
    """So many tricks, of cards that do not matter, that each seat has won in turn."""
    winners = [Seat(seat) for seat, count in enumerate(won) for _ in range(count)]
    return tuple(
        Trick(number, Seat(0), (), winner) for number, winner in enumerate(winners, 1)
    )


def position(  # noqa: PLR0913 - all that makes a position
    hand: str,
    *,
    table: str = "",
    turned: str = "7D",
    number: int = 2,
    owners: Mapping[Square, Seat] | None = None,
    scores: Sequence[int] = (17, 17, 17, 17),
    options: Options = STANDARD,
) -> AgonyAuntState:
    """Seat 0 is to play from `hand` to the cards on the table, or to lead to none.

    It is the trick of that number; seat 1 has won all before it.
    """
    played = cards(table)
    return AgonyAuntState(
        options=options,
        seats=4,
        scores=tuple(scores),
        deal=1,
        dealer=Seat(3),
        phase=Phase.PLAYING,
        hands=(holding(cards(hand)), 0, 0, 0),
        leader=Seat(-len(played) % 4),
        turn=ME,
        trick=played,
        tricks=earlier([0, number - 1]),
        taken=(0, 0, 0, 0),
        turned=Card(turned),
        owners=owners or {},
    )


def ending(  # noqa: PLR0913 - all that a deal is scored by
    owners: Mapping[Square, Seat],
    won: Sequence[int],
    *,
    last: int = 0,
    scores: Sequence[int] = (17, 17, 17, 17),
    piles: Sequence[str] = ("", "", "", ""),
    turned: str = "7D",
    options: Options = STANDARD,
) -> AgonyAuntState:
    """A deal before its last card, with the board and the twelve tricks so far.

    Seat 0 plays that card to a trick of clubs that costs nothing but the last trick,
    and that seat `last` wins. `piles` are cards that the seats have taken.
    """
    high = ["2C", "3C", "4C", "5C"]  # of seats 0 to 3
    high[last] = "AC"
    return AgonyAuntState(
        options=options,
        seats=4,
        scores=tuple(scores),
        deal=1,
        dealer=Seat(3),
        phase=Phase.PLAYING,
        hands=(Card(high[0]).bit, 0, 0, 0),
        leader=Seat(1),
        turn=ME,
        trick=cards(" ".join(high[1:])),
        tricks=earlier(won),
        taken=tuple(holding(cards(pile)) for pile in piles),
        turned=Card(turned),
        owners=owners,
    )


def after(state: AgonyAuntState, card: str) -> tuple[list[Event], AgonyAuntState]:
    """What a card of seat 0 brings, and the state after it."""
    events = GAME.decide(state, ME, Play(card=Card(card)), VERSION)
    return events, course.after(state, GAME.steps, events, VERSION)


def ended(state: AgonyAuntState) -> list[Event]:
    """What the last card of an `ending` brings."""
    [move] = GAME.legal(state, ME)
    return GAME.decide(state, ME, move, VERSION)


def scored(state: AgonyAuntState) -> DealScored:
    """How the deal of an `ending` is scored."""
    [scored] = [it for it in ended(state) if isinstance(it, DealScored)]
    return scored


def winners(state: AgonyAuntState) -> tuple[Seat, ...]:
    """Who has won the match with the deal of an `ending`; nobody while it goes on."""
    result = GAME.result(course.after(state, GAME.steps, ended(state), VERSION))
    return result.winners if result else ()


def placed(events: Sequence[Event]) -> dict[Square | None, Seat]:
    """The squares on which counters were put down, and whose."""
    return {it.square: it.seat for it in events if isinstance(it, CounterPlaced)}


def accepted(state: AgonyAuntState) -> str:
    """The cards that seat 0 may play, found by trying every card of the pack."""
    return " ".join(str(card) for card in PACK if refused(state, str(card)) is None)


def refused(state: AgonyAuntState, card: str) -> RuleViolation | None:
    """The refusal when seat 0 plays the card; None where it may."""
    try:
        GAME.decide(state, ME, Play(card=Card(card)), VERSION)
    except RuleViolation as violation:
        return violation
    return None
