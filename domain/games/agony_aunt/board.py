"""The board of Agony Aunt: nine squares, and the eight lines across them."""

from collections.abc import Mapping
from itertools import chain
from typing import Final, TypeAlias

from domain.events import Square
from domain.games.agony_aunt.options import Options
from domain.ids import Seat

Owners: TypeAlias = Mapping[Square, Seat]
"""Whose counter lies on a square, of those that have one."""

Line: TypeAlias = tuple[Square, Square, Square]

ROWS: Final[Mapping[str, tuple[Line, Line, Line]]] = {
    "parlett": (
        ("joker", "spades", "omega"),
        ("hearts", "aunt", "diamonds"),
        ("plus", "clubs", "hash"),
    ),
    "alphabetical": (
        ("joker", "clubs", "omega"),
        ("diamonds", "aunt", "hearts"),
        ("plus", "spades", "hash"),
    ),
}
"""The squares row by row, as the option `board` has them."""


def squares(options: Options) -> tuple[Square, ...]:
    """All squares, row by row."""
    return tuple(chain(*ROWS[options.board]))


def _across(rows: tuple[Line, Line, Line]) -> tuple[Line, ...]:
    """The rows, the columns and the two diagonals."""
    left, middle, right = columns = tuple(zip(*rows, strict=True))
    falling = (left[0], middle[1], right[2])
    rising = (right[0], middle[1], left[2])
    return (*rows, *columns, falling, rising)


LINES: Final = {layout: _across(rows) for layout, rows in ROWS.items()}
"""The lines of three: rows, columns, diagonals."""


def lines_of(owners: Owners, options: Options) -> tuple[tuple[Seat, Line], ...]:
    """Each line whose three squares are one seat's, and that seat (AA-R19)."""
    return tuple(
        (owners[line[0]], line)
        for line in LINES[options.board]
        if line[0] in owners and len({owners.get(square) for square in line}) == 1
    )


def placed(owners: Owners, seat: Seat) -> int:
    """How many counters of a seat lie on the board, those it still owes among them."""
    return sum(owner == seat for owner in owners.values())
