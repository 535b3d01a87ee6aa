"""What is known of a table whoever asks, without names: those stand beside the log."""

from typing import Literal

from msgspec import Struct

from domain.ids import PlayerId, Seat, TableId
from domain.people import NOBODY, Occupant
from domain.table import Status, Table
from domain.terms import Absence, Clock, Options


class SeatFacts(Struct, frozen=True):
    """A seat: who has it, for whom it is kept until the match starts.

    Its player may have left the match, and a bot may play it for them.
    """

    seat: Seat
    occupant: Occupant | None
    reserved: PlayerId | None
    away: bool
    proxied: bool


class TableFacts(Struct, frozen=True):
    """A table as its log tells; `created_at` is its first event's time."""

    id: TableId
    game: str
    rules_version: int
    options: Options
    status: Status
    seats: tuple[SeatFacts, ...]
    host: PlayerId
    clock: Clock | None
    absence: Absence
    spectators: Literal["public", "none"]
    visibility: Literal["public", "private"]
    rated: bool
    autostart: bool
    arranged: bool
    created_at: str
    rematch_of: TableId | None


def facts_of(table: Table, created_at: str) -> TableFacts:
    """What the table's log tells of it."""
    opened = table.opened
    return TableFacts(
        id=table.id,
        game=opened.game,
        rules_version=opened.rules_version,
        options=opened.options,
        status=table.status,
        seats=tuple(
            SeatFacts(
                seat=Seat(seat),
                occupant=None if occupant == NOBODY else occupant,
                reserved=table.kept_for(Seat(seat)),
                away=seat in table.away,
                proxied=seat in table.proxied,
            )
            for seat, occupant in enumerate(table.seats)
        ),
        host=opened.host,
        clock=opened.clock,
        absence=opened.absence,
        spectators=opened.spectators,
        visibility=opened.visibility,
        rated=opened.rated,
        autostart=opened.autostart,
        arranged=opened.arrangement is not None,
        created_at=created_at,
        rematch_of=opened.rematch_of,
    )
