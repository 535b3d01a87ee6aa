"""What is asked again and again is found by an index, however many tables there are."""

import asyncpg
import pytest

from domain.ids import Position, Shard
from infra.read_models import IDLE, PostgresReadModels
from tests.fakes import table_summary


@pytest.mark.parametrize("status", ["open", "playing"])
async def test_tables_left_alone_are_looked_for_among_those_that_are_not_over(
    pool: asyncpg.Pool, owner: asyncpg.Connection, status: str
) -> None:
    """Those that are over are many more; a plan that the database keeps passes them."""
    models = PostgresReadModels(pool)
    over = [table_summary(status="finished") for _ in range(1000)]
    generation = await models.serving()
    await models.store(generation, Shard(0), Position(0), Position(1), over)
    await owner.execute("ANALYZE misere.lobby")
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        await connection.execute(
            f"PREPARE kept (timestamptz, bigint) AS {IDLE.format(status)}"
        )
        rows = await connection.fetch("EXPLAIN (ANALYZE) EXECUTE kept (now(), 10)")
        plan = "\n".join(row[0] for row in rows)
        assert "on lobby" in plan
        assert "Rows Removed" not in plan
