"""How a match that has ended came off for its players."""

from datetime import datetime

from msgspec import UNSET

from domain.ids import Seat
from domain.placing import finishes
from domain.table import Table
from services.read_models import Finisher, Match


def match_of(table: Table, ended_at: datetime) -> Match:
    """The match of a table that is finished, as its players sat in the end.

    Bots take part in the places and have no result. Ratings need two players.
    """
    ended = finishes(table)
    shared = [finish.place for finish in ended].count(1) > 1
    found = [
        Finisher(
            player=occupant.player,
            seat=Seat(seat),
            score=finish.score,
            place=finish.place,
            won=finish.place == 1,
            shared=shared and finish.place == 1,
        )
        for seat, (occupant, finish) in enumerate(zip(table.seats, ended, strict=True))
        if occupant.player is not UNSET
    ]
    return Match(
        ended_at=ended_at,
        rated=table.opened.rated and len(found) > 1,
        finishers=tuple(sorted(found, key=lambda it: (it.place, it.seat))),
    )
