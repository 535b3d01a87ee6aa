"""What a seat can work out of a deal of Tetka beside which cards are where."""

from typing import TYPE_CHECKING

from msgspec import convert
from msgspec.structs import asdict

from domain import counting
from domain.cards import ONE_PACK, Card, Holding, cards_of, holding
from domain.games.tetka.marks import QUEENS, marks_on_card, marks_on_number
from domain.games.tetka.options import Options
from domain.games.tetka.view import TetkaView

if TYPE_CHECKING:
    from domain.sight import Sight


class Count(counting.Count, frozen=True, kw_only=True):
    """A deal of Tetka as a seat that counts cards knows it.

    `number` is that of the trick that is on. `standing` is, by seat, what each has in
    all that counts, the marks of this deal among it.
    """

    options: Options
    photograph: Card
    number: int
    standing: tuple[int, ...]

    def marks_on(self, card: Card) -> int:
        """How many marks come with a card."""
        return sum(1 for _ in marks_on_card(self.options, self.photograph, card))

    def marks_of_number(self) -> int:
        """How many marks come with the trick that is on, whatever is in it."""
        marks = marks_on_number(self.options, self.photograph, self.number)
        return sum(1 for _ in marks)

    def marked(self, held: Holding) -> tuple[Card, ...]:
        """The cards of a holding that cost marks."""
        return cards_of(held & holding({*QUEENS.values(), self.photograph}))


def count(sight: "Sight") -> Count:
    """What the seat that has this sight knows of the deal that is on."""
    deal = sight.view.deal
    if deal is None or not isinstance(deal.game, TetkaView):
        raise TypeError("no deal of Tetka is in sight")
    known = counting.count(sight, ONE_PACK)
    return Count(
        **asdict(known),
        options=convert(sight.options, Options),
        photograph=deal.game.photograph,
        number=deal.trick.number,
        standing=tuple(map(int.__add__, deal.game.totals, deal.game.marks)),
    )
