"""Many processes append at once: no deadlock, no gap, no fork, nothing lost."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import asyncpg

from domain.chain import SHARDS, link, origin
from domain.ids import Hash, Position, Shard, TableId, Version
from infra.event_log import PostgresEventLog
from services.ports import Placed
from tests.hammer import Acknowledged, hammer

PROCESSES = 3
SECONDS = 3.0


async def test_hammered_by_many_the_log_has_no_deadlock_gap_or_fork(
    database: str, pool: asyncpg.Pool
) -> None:
    """What was acknowledged is there, once, in chains and in gap-free positions."""
    log = PostgresEventLog(pool)
    followed: list[list[Placed]] = [[] for _ in range(SHARDS)]
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as processes:
        work = asyncio.gather(
            *(
                loop.run_in_executor(processes, hammer, database, seed, SECONDS)
                for seed in range(0, PROCESSES * 100, 100)
            )
        )
        while not work.done():
            await follow(log, followed)
            await asyncio.sleep(0.01)
    acknowledged: Acknowledged = [each for done in await work for each in done]
    await follow(log, followed)

    assert len(acknowledged) > 100
    placed = [each for shard in followed for each in shard]
    assert len(placed) == len(acknowledged)
    heads = await chains(log, {each.table for each in placed})
    for table, last, head in acknowledged:
        assert heads[TableId(table)][last] == head
    assert sum(len(versions) - 1 for versions in heads.values()) == sum(
        each.last - each.first + 1 for each in placed
    )
    sealed = await pool.fetchval("SELECT count(*) FROM misere.sealed")
    assert sealed == len(acknowledged)


async def follow(log: PostgresEventLog, followed: list[list[Placed]]) -> None:
    """Read on in each shard, as a projection does, and meet every position in turn."""
    for shard, seen in enumerate(followed):
        new = await log.placed(Shard(shard), Position(len(seen)), 1000)
        expected = range(len(seen) + 1, len(seen) + len(new) + 1)
        assert [each.position for each in new] == list(expected)
        seen.extend(new)


async def chains(
    log: PostgresEventLog, tables: set[TableId]
) -> dict[TableId, list[Hash]]:
    """The head of each table at each of its versions, computed anew from the bodies."""
    heads = {}
    for table in tables:
        heads[table] = [origin(table)]
        for event in await log.read(table, Version(0), 1_000_000):
            heads[table].append(link(heads[table][-1], event.body))
            assert event.version == len(heads[table]) - 1
            assert event.hash == heads[table][-1]
        assert await log.heads([table]) == {
            table: (len(heads[table]) - 1, heads[table][-1])
        }
    return heads
