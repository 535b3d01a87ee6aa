"""What Agony Aunt keeps beside what every game does."""

from msgspec import field

from domain.cards import Card
from domain.game import State
from domain.games.agony_aunt.board import Owners
from domain.games.agony_aunt.options import Options


class AgonyAuntState(State, frozen=True, kw_only=True):
    """A match of Agony Aunt; `scores` are the counters left.

    `turned` is the card that names the dump suit and number, the Joker itself before
    one is turned. `owners` are those of the squares of the board.
    """

    options: Options
    turned: Card = Card.JOKER
    owners: Owners = field(default_factory=dict)
