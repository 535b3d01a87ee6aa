"""Several projectors and a rebuild at once leave read models whole."""

import asyncio
from datetime import timedelta
from itertools import count
from random import random
from uuid import uuid4

import asyncpg

from domain.chain import SHARDS, shard_of
from domain.ids import PlayerId, Position, Shard, TableId
from infra.ratings import OpenSkillRatings
from infra.read_models import PostgresReadModels
from infra.standings import PostgresStandings
from services.rating import Rater
from services.read_models import LobbyFilter, TableSummary
from tests.fakes import NOON, ended_match, table_summary

PEOPLE = [PlayerId(uuid4()) for _ in range(4)]


def ended_in(shard: int) -> TableSummary:
    """A table of that shard, whose rated match ended at some moment."""
    ids = (TableId(uuid4()) for _ in count())
    match = ended_match(*PEOPLE, ended_at=NOON + timedelta(seconds=random()))
    table = next(table for table in ids if shard_of(table) == shard)
    return table_summary(table=table, status="finished", match=match)


async def test_of_many_projectors_one_stores_each_step(pool: asyncpg.Pool) -> None:
    """They race through the same steps; every step is taken once."""
    models = PostgresReadModels(pool)
    generation = await models.serving()

    async def project() -> int:
        taken = 0
        for step in range(20):
            rows = [table_summary()]
            taken += await models.store(
                generation, Shard(3), Position(step), Position(step + 1), rows
            )
        return taken

    assert sum(await asyncio.gather(*(project() for _ in range(6)))) == 20
    assert (await models.checkpoints(generation))[3] == 20
    assert len((await models.lobby(LobbyFilter(), 100)).items) == 20


async def test_a_switch_under_projectors_leaves_no_row_of_an_old_generation(
    pool: asyncpg.Pool,
) -> None:
    """Who stores too late is refused, and what he stored in time is dropped."""
    models = PostgresReadModels(pool)
    old = await models.serving()
    new = await models.begin_rebuild()

    async def project(shard: int) -> None:
        step = 0
        while await models.store(
            old, Shard(shard), Position(step), Position(step + 1), [ended_in(shard)]
        ):
            step += 1

    async def rate() -> None:
        rater = Rater(PostgresStandings(pool), OpenSkillRatings())
        while await models.checkpoints(old):
            await rater.catch_up(old)

    projectors = asyncio.gather(*map(project, range(SHARDS)), rate(), rate())
    await asyncio.sleep(0.1)
    assert await models.switch(new)
    await projectors
    generations = await pool.fetch(
        "SELECT generation FROM misere.lobby"
        " UNION SELECT generation FROM misere.checkpoint"
        " UNION SELECT generation FROM misere.result"
        " UNION SELECT generation FROM misere.standing"
        " UNION SELECT generation FROM misere.ladder"
    )
    assert [generation for (generation,) in generations] == [new]


async def test_a_switch_is_done_before_old_rows_are_cleared_away(
    pool: asyncpg.Pool, owner: asyncpg.Connection
) -> None:
    """Which takes long where there were many tables: nobody waits for that."""
    models = PostgresReadModels(pool)
    old = await models.serving()
    at, after = Position(0), Position(1)
    row = table_summary()
    await models.store(old, Shard(3), at, after, [row])
    new = await models.begin_rebuild()
    async with owner.transaction():
        await owner.execute("SELECT FROM misere.lobby FOR UPDATE")
        switching = asyncio.create_task(models.switch(new))
        async with asyncio.timeout(4):
            while await models.serving() != new:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert not await models.store(old, Shard(3), after, Position(2), [row])
        assert await models.store(new, Shard(3), at, after, [row])
        assert not switching.done()
    assert await switching
    assert await pool.fetchval("SELECT array_agg(generation) FROM misere.lobby") == [
        new
    ]
