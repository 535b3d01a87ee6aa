"""What Hearts keeps beside what every game does."""

from typing import Final

from domain.cards import ONE_PACK, Card, Holding, Suit
from domain.game import State
from domain.games.hearts.options import Options
from domain.ids import Seat, Version

HEARTS: Final[Holding] = Suit.HEARTS.all & ONE_PACK
QUEEN: Final[Holding] = Card.QUEEN_OF_SPADES.bit
JACK: Final[Holding] = Card.JACK_OF_DIAMONDS.bit
PENALTIES: Final[Holding] = HEARTS | QUEEN


class HeartsState(State, frozen=True, kw_only=True):
    """A match of Hearts. `passed` is what each seat chose to pass, 0 before it has.

    `pass_versions` says which events those choices are in; `shooter` who must still say
    how a moon counts.
    """

    options: Options
    passed: tuple[Holding, ...] = ()
    pass_versions: tuple[Version, ...] = ()
    broken: bool = False
    shooter: Seat | None = None
