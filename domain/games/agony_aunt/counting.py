"""What a seat can work out of a deal of Agony Aunt beside which cards are where."""

from functools import partial
from typing import TYPE_CHECKING

from msgspec import convert
from msgspec.structs import asdict

from domain import counting
from domain.cards import ONE_PACK, Card
from domain.games.agony_aunt.board import Owners
from domain.games.agony_aunt.joker import as_played
from domain.games.agony_aunt.options import Options
from domain.games.agony_aunt.view import AgonyAuntView
from domain.ids import Seat

if TYPE_CHECKING:
    from domain.sight import Sight


class Count(counting.Count, frozen=True, kw_only=True):
    """A deal of Agony Aunt as a seat that counts cards knows it.

    All cards are ordinary ones here, the Joker being the `turned` card. `owners` are
    those of the squares so far, `scores` the counters before the deal.
    """

    options: Options
    turned: Card
    owners: Owners
    scores: tuple[int, ...]

    @property
    def number(self) -> int:
        """The number of the trick that is on."""
        return sum(self.won) + 1

    def missing(self, seat: Seat) -> int:
        """How many counters a seat had lost before the deal."""
        return self.options.counters - self.scores[seat]


def count(sight: "Sight") -> Count:
    """What the seat that has this sight knows of the deal that is on."""
    deal = sight.view.deal
    if deal is None or not isinstance(deal.game, AgonyAuntView):
        raise TypeError("no deal of Agony Aunt is in sight")
    turned = deal.game.turned
    known = counting.count(sight, ONE_PACK, partial(as_played, turned=turned))
    return Count(
        **asdict(known),
        options=convert(sight.options, Options),
        turned=turned,
        owners={it.square: it.seat for it in deal.game.board if it.seat is not None},
        scores=sight.view.scores,
    )
