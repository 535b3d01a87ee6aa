"""How a match that is over has placed its seats."""

from msgspec import Struct

from domain.table import Table


class Finish(Struct, frozen=True):
    """What a seat has come to at the end of a match.

    `place` is one more than the number of seats that did better: winners have the
    first, and equal scores an equal place.
    """

    score: int
    place: int


def finishes(table: Table) -> tuple[Finish, ...]:
    """How each seat has finished, at a table whose match has ended.

    Raises:
        LookupError: it has not, or the table was abandoned.
    """
    if table.result is None:
        raise LookupError("the match has not ended")
    totals = table.game.totals(table.play)
    worth = totals if table.game.most_wins else [-score for score in totals]
    merits = [(seat in table.result.winners, mine) for seat, mine in enumerate(worth)]
    return tuple(
        Finish(score, 1 + sum(other > mine for other in merits))
        for score, mine in zip(totals, merits, strict=True)
    )
