"""Deals and positions of Tetka for tests, and what they lead to."""

from collections.abc import Sequence
from typing import Final

from domain import course
from domain.cards import STANDARD_PACK, Card, holding
from domain.commands import Play
from domain.decisions import Phase
from domain.errors import RuleViolation
from domain.events import Event
from domain.games.tetka import GAME
from domain.games.tetka.options import Options
from domain.games.tetka.state import Mark, TetkaState
from domain.ids import Seat, Version
from domain.terms import ArrangedDeal, Arrangement
from domain.terms import Options as TableOptions
from domain.tricks import Trick
from tests.driver import Driver, cards, of_bots

STANDARD: Final = Options()
PENALISED: Final = Options(revokes="penalised")
ME: Final = Seat(0)
VERSION: Final = Version(20)

FOUR_SUITS: Final = (
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
)
"""Each seat holds a suit of its own, so that who leads first takes every trick."""

TWO_SUITS = (
    "2C 3C 4C 5C 6C 7C 8C 9D TD JD QD KD AD",
    "9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D",
    "2H 3H 4H 5H 6H 7H 8H 9S TS JS QS KS AS",
    "9H TH JH QH KH AH 2S 3S 4S 5S 6S 7S 8S",
)
"""Each seat holds two suits."""


def tetka(
    options: TableOptions | None = None,
    *,
    seed: int = 0,
    arrangement: Arrangement | None = None,
) -> Driver:
    """A table of Tetka with a bot in every seat, so that the match is on."""
    return of_bots("tetka", options, seed=seed, arrangement=arrangement)


def photographed(
    *deals: tuple[str, Sequence[str]],
    first_dealer: int = 3,
    scores: Sequence[int] | None = None,
) -> Arrangement:
    """Chosen deals, each given as its photograph and the texts of its hands.

    Unless told otherwise seat 0 leads first.
    """
    return Arrangement(
        first_dealer=Seat(first_dealer),
        scores=None if scores is None else tuple(scores),
        deals=tuple(
            ArrangedDeal(hands=tuple(map(cards, hands)), photograph=Card(photograph))
            for photograph, hands in deals
        ),
    )


def state_of(driver: Driver) -> TetkaState:
    """The match as it stands."""
    state = driver.play_state()
    assert isinstance(state, TetkaState)
    return state


def position(
    hand: str, *, table: str = "", options: Options = STANDARD, tricks: int = 0
) -> TetkaState:
    """Seat 0 is to play from `hand` to the cards on the table, or to lead to none.

    So many tricks have been played, and the other seats hold what matters to nobody.
    """
    played = cards(table)
    return TetkaState(
        options=options,
        seats=4,
        scores=(0,) * 4,
        totals=(0,) * 4,
        deal=1,
        dealer=Seat(3),
        phase=Phase.PLAYING,
        hands=(holding(cards(hand)), 0, 0, 0),
        leader=Seat(-len(played) % 4),
        turn=ME,
        trick=played,
        tricks=tuple(
            Trick(number, Seat(1), cards("2C 3C 4C 5C"), Seat(0))
            for number in range(1, tricks + 1)
        ),
        taken=(0,) * 4,
        photograph=Card("5S"),
        marks=((),) * 4,
    )


def accepted(state: TetkaState) -> str:
    """The cards that seat 0 may play, found by trying every card of the pack."""
    return " ".join(str(card) for card in STANDARD_PACK if not refused(state, card))


def refused(state: TetkaState, card: Card) -> str | None:
    """The rule by which seat 0 may not play the card; None where it may."""
    try:
        GAME.decide(state, ME, Play(card=card), VERSION)
    except RuleViolation as violation:
        return violation.rule
    return None


def listed(state: TetkaState) -> str:
    """The cards that seat 0 is told it may play."""
    plays = [move.card for move in GAME.legal(state, ME) if isinstance(move, Play)]
    return " ".join(map(str, plays))


def won_by(
    winners: str,
    *,
    taken: Sequence[str] = ("",) * 4,
    marks: tuple[tuple[Mark, ...], ...] = ((),) * 4,
    options: Options = STANDARD,
) -> TetkaState:
    """A deal whose thirteen tricks these seats won, before most tricks are counted.

    The tricks themselves hold nothing of interest; `taken` are the captured cards. The
    photograph is the two of diamonds.
    """
    return TetkaState(
        options=options,
        seats=4,
        scores=(0,) * 4,
        totals=(0,) * 4,
        deal=1,
        phase=Phase.PLAYING,
        tricks=tuple(
            Trick(number, Seat(0), cards("2C 3C 4C 5C"), Seat(int(winner)))
            for number, winner in enumerate(winners.split(), 1)
        ),
        taken=tuple(holding(cards(pile)) for pile in taken),
        photograph=Card("2D"),
        marks=marks,
    )


def after(state: TetkaState, events: list[Event]) -> TetkaState:
    """The state once these have happened."""
    return course.after(state, GAME.steps, events, VERSION)
