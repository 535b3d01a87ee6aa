"""A run of a table's events as the log holds them, with the hash that it follows on."""

from domain.chain import origin
from domain.ids import TableId, Version
from services.ports import EventLog, Slice


async def read_slice(
    log: EventLog, table: TableId, after: Version, limit: int
) -> Slice:
    """The events above version `after`, at most `limit`, with what they follow on."""
    if after == 0:
        return Slice(table, origin(table), tuple(await log.read(table, after, limit)))
    stored = await log.read(table, Version(after - 1), limit + 1)
    before = stored[0].hash if stored else origin(table)
    return Slice(table, before, tuple(stored[1:]))
