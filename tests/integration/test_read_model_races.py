"""Several projectors and a rebuild at once leave read models whole."""

import asyncio

import asyncpg

from domain.chain import SHARDS
from domain.ids import Position, Shard
from infra.read_models import PostgresReadModels
from services.read_models import LobbyFilter
from tests.fakes import table_summary


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
            old, Shard(shard), Position(step), Position(step + 1), [table_summary()]
        ):
            step += 1

    projectors = asyncio.gather(*map(project, range(SHARDS)))
    await asyncio.sleep(0.1)
    assert await models.switch(new)
    await projectors
    generations = await pool.fetch(
        "SELECT generation FROM misere.lobby"
        " UNION SELECT generation FROM misere.checkpoint"
    )
    assert [generation for (generation,) in generations] == [new]
