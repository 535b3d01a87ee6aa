"""Random tables of every game, and the laws of each."""

from collections.abc import Callable
from typing import Final, NamedTuple

from hypothesis.strategies import SearchStrategy

from domain.terms import Options
from tests.driver import Driver, Law
from tests.games import agony_aunt, auction_hearts, cancellation_hearts, hearts, tetka


class Trial(NamedTuple):
    """How a game is tried: any options of so many seats, any table, and its laws.

    `recorded` plays the match of its golden record.
    """

    options: Callable[[int], SearchStrategy[Options]]
    tables: SearchStrategy[Driver]
    laws: list[Law]
    recorded: Callable[[], Driver]


TRIALS: Final[dict[str, Trial]] = {
    "hearts": Trial(hearts.options, hearts.tables(), hearts.LAWS, hearts.recorded),
    "cancellation-hearts": Trial(
        cancellation_hearts.options,
        cancellation_hearts.tables(),
        cancellation_hearts.LAWS,
        cancellation_hearts.recorded,
    ),
    "tetka": Trial(tetka.options, tetka.tables(), tetka.LAWS, tetka.recorded),
    "agony-aunt": Trial(
        agony_aunt.options, agony_aunt.tables(), agony_aunt.LAWS, agony_aunt.recorded
    ),
    "auction-hearts": Trial(
        auction_hearts.options,
        auction_hearts.tables(),
        auction_hearts.LAWS,
        auction_hearts.recorded,
    ),
}
