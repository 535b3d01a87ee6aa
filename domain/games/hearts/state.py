"""What Hearts keeps beside what every game does."""

from typing import Final

from domain.black_lady import PENALTIES
from domain.cards import ONE_PACK, Card, Holding
from domain.games.hearts.options import Options
from domain.ids import Seat
from domain.passing import PassingState

QUEEN: Final[Holding] = Card.QUEEN_OF_SPADES.bit
JACK: Final[Holding] = Card.JACK_OF_DIAMONDS.bit
MOON_CARDS: Final[Holding] = PENALTIES & ONE_PACK
"""All hearts and the queen of spades."""


class HeartsState(PassingState, frozen=True, kw_only=True):
    """A match of Hearts. `shooter` must still say how a moon counts."""

    options: Options
    broken: bool = False
    shooter: Seat | None = None
