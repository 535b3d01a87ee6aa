"""What Hearts keeps beside what every game does."""

from typing import Final

from domain.black_lady import PENALTIES
from domain.black_lady.course import BlackLadyState
from domain.cards import ONE_PACK, Card, Holding
from domain.games.hearts.options import Options, direction
from domain.passing import Direction

QUEEN: Final[Holding] = Card.QUEEN_OF_SPADES.bit
JACK: Final[Holding] = Card.JACK_OF_DIAMONDS.bit
MOON_CARDS: Final[Holding] = PENALTIES & ONE_PACK
"""All hearts and the queen of spades."""


class HeartsState(BlackLadyState, frozen=True, kw_only=True):
    """A match of Hearts."""

    options: Options

    @property
    def direction(self) -> Direction:
        """Where the pass of this deal goes (HE-R6, HE-R7)."""
        return direction(self.options, self.deal, self.seats)
