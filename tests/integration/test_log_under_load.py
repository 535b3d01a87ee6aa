"""The log and what follows it, under as much load as the machine bears."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import asyncpg
import pytest

from domain.chain import SHARDS
from domain.ids import TableId
from infra.event_log import PostgresEventLog
from infra.read_models import PostgresReadModels
from services.committer import Committer
from services.ports import Placed
from services.projections import Projector
from services.tables import Tables
from tests.followers import Checkpoint, follow
from tests.hammer import Acknowledged, hammer
from tests.playing import OUTSIDE, follower, play
from tests.whole_log import check_log

pytestmark = pytest.mark.slow

PROCESSES = 8
SECONDS = 10.0
FOLLOWERS = 4

LOBBY = """
    SELECT to_jsonb(lobby) - 'generation' FROM misere.lobby
    WHERE generation = (SELECT generation FROM misere.projection)
    ORDER BY table_id"""
DECISIONS = """
    SELECT to_jsonb(open_decision) - 'generation' FROM misere.open_decision
    WHERE generation = (SELECT generation FROM misere.projection)
    ORDER BY table_id, seat"""
GENERATIONS = """
    SELECT generation FROM misere.lobby UNION SELECT generation FROM misere.checkpoint
    UNION SELECT generation FROM misere.open_decision"""

Run = Callable[..., asyncio.Future[Any]]


@pytest.fixture
def elsewhere() -> Iterator[Run]:
    """Runs functions in processes of their own."""
    spawn = get_context("spawn")
    with ProcessPoolExecutor(PROCESSES + FOLLOWERS, mp_context=spawn) as processes:

        def run(work: Callable[..., Any], *given: object) -> asyncio.Future[Any]:
            loop = asyncio.get_running_loop()
            return loop.run_in_executor(processes, work, *given)

        yield run


async def test_eight_processes_append_and_none_that_follows_misses_anything(
    database: str, pool: asyncpg.Pool, elsewhere: Run
) -> None:
    """No deadlock, gap or fork; what was acknowledged is there; followers meet it once.

    A follower has some of the shards. It ends now and then, and another goes on from
    its checkpoint.
    """
    log, enough = PostgresEventLog(pool), asyncio.Event()

    async def followed(first: int) -> list[Placed]:
        checkpoint: Checkpoint = dict.fromkeys(range(first, SHARDS, FOLLOWERS), 0)
        met: list[Placed] = []
        while True:
            ends = await log.positions() if enough.is_set() else None
            new, checkpoint = await elsewhere(follow, database, checkpoint, ends)
            met += new
            if ends is not None:
                return met

    following = [asyncio.create_task(followed(n)) for n in range(FOLLOWERS)]
    hammering = [
        elsewhere(hammer, database, 100 * n, SECONDS) for n in range(PROCESSES)
    ]
    acknowledged: Acknowledged = [
        each for done in await asyncio.gather(*hammering) for each in done
    ]
    enough.set()
    met = [each for follower in await asyncio.gather(*following) for each in follower]

    assert len(acknowledged) > 1000
    placed, heads = await check_log(log)
    assert sorted(met, key=place) == sorted(placed, key=place)
    assert len(placed) == len(acknowledged)
    stored = {(each.table, each.last) for each in placed}
    for table, last, head in acknowledged:
        assert (table, last) in stored
        assert heads[TableId(table)][last] == head
    sealed = await pool.fetchval("SELECT count(*) FROM misere.sealed")
    assert sealed == len(acknowledged)


async def test_projectors_of_eight_processes_make_what_a_rebuild_makes(
    database: str, pool: asyncpg.Pool, elsewhere: Run
) -> None:
    """All play at the same tables, each process projects, and somebody rebuilds.

    In the end the lobby and the open decisions are those of a rebuild in peace, and
    nothing of an older generation is left.
    """
    log, models = PostgresEventLog(pool), PostgresReadModels(pool)
    playing = asyncio.gather(
        *(elsewhere(play, database, 100 * n, SECONDS) for n in range(PROCESSES))
    )
    rebuilds = 0
    while not playing.done():
        await rebuild(pool)
        rebuilds += 1
        await asyncio.wait([playing], timeout=1)
    assert sum(await playing) > 500
    assert rebuilds > 3

    placed, _ = await check_log(log)
    assert len({each.table for each in placed}) > 10
    # As who reads does: the rebuild that was served last may have begun long before.
    await newcomer(pool).catch_up()
    generation = await models.serving()
    assert await models.checkpoints(generation) == await log.positions()
    before = await listed(pool)
    await rebuild(pool)
    assert await listed(pool) == before
    assert len(before[0]) == len({each.table for each in placed})
    assert before[1]
    generations = [row["generation"] for row in await pool.fetch(GENERATIONS)]
    assert generations == [await models.serving()]


async def rebuild(pool: asyncpg.Pool) -> None:
    """Rebuild the read models as they are for a process that comes anew."""
    await newcomer(pool).rebuild()


def newcomer(pool: asyncpg.Pool) -> Projector:
    """The projector of a process that has seen no table yet."""
    log = PostgresEventLog(pool)
    return follower(pool, Tables(log, Committer(log), OUTSIDE))


async def listed(pool: asyncpg.Pool) -> tuple[list[str], list[str]]:
    """The lobby and the open decisions as they are served."""
    return [row[0] for row in await pool.fetch(LOBBY)], [
        row[0] for row in await pool.fetch(DECISIONS)
    ]


def place(append: Placed) -> tuple[TableId, int]:
    """Where an append stands."""
    return append.table, append.first
