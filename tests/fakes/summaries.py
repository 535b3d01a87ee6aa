"""Tables as a projector sums them up, for tests that do not play them."""

from datetime import UTC, datetime
from uuid import uuid4

from msgspec.structs import replace

from domain.ids import PlayerId, Seat, TableId, Version
from services.read_models import Finisher, Match, TableSummary

NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)


def ended_match(
    *players: PlayerId, ended_at: datetime = NOON, rated: bool = True
) -> Match:
    """A match of these players, who came in as they stand; the first won it alone."""
    finishers = (
        Finisher(player, Seat(place - 1), 10 * place, place, place == 1, shared=False)
        for place, player in enumerate(players, start=1)
    )
    return Match(ended_at, rated, tuple(finishers))


def table_summary(**changes: object) -> TableSummary:
    """A public table that plays, begun at noon, changed as asked."""
    table = TableSummary(
        table=TableId(uuid4()),
        version=Version(1),
        game="hearts",
        status="playing",
        visibility="public",
        host=PlayerId(uuid4()),
        created_at=NOON,
        seats=4,
        free_seats=0,
        rated=False,
        rematch_of=None,
        facts=b"{}",
        players=(),
        last_at=NOON,
        due_at=None,
        clocked=False,
        decisions=(),
        match=None,
    )
    return replace(table, **changes)
