"""A log read through its port and checked whole: no gap, no fork, every chain holds."""

from domain.chain import SHARDS, link, origin, shard_of
from domain.ids import Hash, Position, Shard, TableId, Version
from services.ports import EventLog, Placed

EVERYTHING = 10_000_000

Heads = dict[TableId, list[Hash]]
"""The head of each table at each of its versions, that at 0 included."""


async def check_log(log: EventLog) -> tuple[list[Placed], Heads]:
    """See that a log keeps its promises; what was appended, and where it has led.

    Positions are dense in each shard, appends follow one another at each table and
    together are all its events, and hashes are those worked out from the bodies.
    """
    placed: list[Placed] = []
    versions: dict[TableId, int] = {}
    for shard, last in enumerate(await log.positions()):
        appends = await log.placed(Shard(shard), Position(0), EVERYTHING)
        assert [it.position for it in appends] == list(range(1, last + 1))
        for append in appends:
            assert shard_of(append.table) == shard
            assert append.first == versions.get(append.table, 0) + 1
            assert append.last >= append.first
            versions[append.table] = append.last
        placed += appends
    assert len(await log.positions()) == SHARDS
    heads: Heads = {}
    for table, version in versions.items():
        heads[table] = [origin(table)]
        for event in await log.read(table, Version(0), EVERYTHING):
            heads[table].append(link(heads[table][-1], event.body))
            assert event.version == len(heads[table]) - 1
            assert event.hash == heads[table][-1]
        assert await log.heads([table]) == {table: (version, heads[table][-1])}
    return placed, heads
