"""What Tetka keeps beside what every game does."""

from typing import Literal, TypeAlias

from domain.cards import Card
from domain.game import State
from domain.games.tetka.options import Options
from domain.ids import Seat

Mark: TypeAlias = Literal[
    "queen",
    "suit_queen",
    "photograph",
    "counting_trick",
    "last_trick",
    "most_tricks",
]
"""What a mark is for."""


class TetkaState(State, frozen=True, kw_only=True):
    """A match of Tetka; `scores` are the records of the present rubber.

    `marks` are those of the deal, by seat. `totals` are the marks of the whole match.
    `rubber` is the number of the rubber that is on, or is over and not followed yet,
    and `opener` dealt its first deal.
    """

    options: Options
    totals: tuple[int, ...]
    photograph: Card | None = None
    marks: tuple[tuple[Mark, ...], ...] = ()
    rubber: int = 1
    rubber_over: bool = False
    opener: Seat = Seat(0)

    def photographed(self) -> Card:
        """The photograph of the deal that is on."""
        if self.photograph is None:
            raise LookupError("no card has been photographed")
        return self.photograph
