"""Read models come of the log alone: whoever follows it, and however often it is read.

What is compared are the rows that are served, byte for byte, without their generation.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import asyncpg
import pytest

from domain.ids import PlayerId
from infra.event_log import PostgresEventLog
from infra.ratings import OpenSkillRatings
from services.committer import Committer
from services.ports import Rating
from services.projections import Projector
from services.tables import Tables
from tests.playing import OUTSIDE, follower
from tests.quick_matches import play_matches

SERVED = """
    SELECT (to_jsonb(it) - 'generation')::text FROM misere.{} AS it
    WHERE generation = (SELECT generation FROM misere.projection) ORDER BY 1"""

ROWS = ("lobby", "open_decision", "result", "standing")

RATED = """
    SELECT DISTINCT ended_at, table_id, game FROM misere.result
    WHERE rated AND generation = (SELECT generation FROM misere.projection)
    ORDER BY ended_at, table_id"""

OF_A_MATCH = """
    SELECT player, place, mean, deviation FROM misere.result
    WHERE table_id = $1 AND generation = (SELECT generation FROM misere.projection)
    ORDER BY place, seat"""

Rows = dict[str, list[str]]

TABLES = 10_000


async def served(pool: asyncpg.Pool) -> Rows:
    """All rows of the read models that are served, as text."""
    return {
        name: [row[0] for row in await pool.fetch(SERVED.format(name))] for name in ROWS
    }


@asynccontextmanager
async def process(pool: asyncpg.Pool) -> AsyncIterator[tuple[Tables, Projector]]:
    """A process that plays, and follows what it and others play."""
    log = PostgresEventLog(pool)
    committer = Committer(log)
    tables = Tables(log, committer, OUTSIDE)
    projector = follower(pool, tables)
    loops = [asyncio.create_task(run()) for run in (committer.run, projector.run)]
    yield tables, projector
    for loop in loops:
        assert not loop.done()
        loop.cancel()
    await asyncio.gather(*loops, return_exceptions=True)


def newcomer(pool: asyncpg.Pool) -> Projector:
    """The projector of a process that has seen no table yet."""
    log = PostgresEventLog(pool)
    return follower(pool, Tables(log, Committer(log), OUTSIDE))


async def check_order(pool: asyncpg.Pool) -> None:
    """Each rating follows from those before it, in the order of the game's matches."""
    ratings = OpenSkillRatings()
    now: dict[tuple[str, PlayerId], Rating] = {}
    for match in await pool.fetch(RATED):
        rows = await pool.fetch(OF_A_MATCH, match["table_id"])
        players = [(match["game"], row["player"]) for row in rows]
        before = [now.get(player, ratings.newcomer()) for player in players]
        after = ratings.after(before, [row["place"] for row in rows])
        assert [(it.mean, it.deviation) for it in after] == [
            (row["mean"], row["deviation"]) for row in rows
        ]
        now |= dict(zip(players, after, strict=True))
    assert now


async def play_and_rebuild(pool: asyncpg.Pool, matches: int) -> None:
    """Two processes play and project while a third rebuilds; then all is quiet."""
    async with process(pool) as (here, projector), process(pool) as (there, other):
        playing = asyncio.gather(
            *(
                play_matches(tables, OUTSIDE, matches // 2, Random(seed))
                for seed, tables in enumerate((here, there))
            )
        )
        rebuilds = 0
        while not playing.done():
            rebuilds += await newcomer(pool).rebuild()
            # As those do who look at the standings.
            await asyncio.gather(projector.catch_up(), other.catch_up())
        await playing
        assert rebuilds
        await asyncio.gather(projector.catch_up(), other.catch_up())
        live = await served(pool)
        assert len(live["lobby"]) == matches
        assert live["result"]
        await check_order(pool)
        assert await newcomer(pool).rebuild()
        assert await served(pool) == live


async def test_matches_under_rebuilds_leave_what_a_rebuild_leaves(
    pool: asyncpg.Pool,
) -> None:
    """Two follow the log at once, a third rebuilds meanwhile: nothing is lost or twice.

    The ratings are those of the matches in their one order.
    """
    await play_and_rebuild(pool, 30)


@pytest.mark.slow
async def test_hundreds_of_matches_under_rebuilds_leave_what_a_rebuild_leaves(
    pool: asyncpg.Pool,
) -> None:
    """The same with 520 tables."""
    await play_and_rebuild(pool, 520)


@pytest.mark.slow
@pytest.mark.timeout(1500)
async def test_ten_thousand_tables_come_of_their_log_alone(pool: asyncpg.Pool) -> None:
    """Each table, and all lists of them: read anew they are what they were live."""
    log = PostgresEventLog(pool)
    fresh = Tables(log, Committer(log), OUTSIDE, keep=1)
    async with process(pool) as (tables, projector):
        ids = await play_matches(tables, OUTSIDE, TABLES, Random(3))
        await projector.catch_up()
        live = await served(pool)
        assert len(live["lobby"]) == TABLES
        assert live["result"]
        assert await newcomer(pool).rebuild()
        assert await served(pool) == live
        for table in ids:
            kept = await tables.known(table)
            assert kept.table.is_over()
            assert await fresh.current(table) == kept
