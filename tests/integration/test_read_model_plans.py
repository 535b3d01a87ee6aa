"""What is asked again and again is found by an index, however many tables there are."""

import asyncpg
import pytest

from domain.ids import Position, Shard
from infra.read_models import DECISIONS_OF, IDLE, IN_PLAY, PostgresReadModels
from infra.standings import RESULTS_OF, STANDINGS
from tests.fakes import table_summary

TABLE = PLAYER = "00000000-0000-0000-0000-000000000007"


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
    plan = await kept_plan(
        pool, IDLE.format(status), "timestamptz, bigint", "now(), 10"
    )
    assert "on lobby" in plan
    assert "Rows Removed" not in plan


@pytest.mark.parametrize(
    ("query", "kinds", "values", "index"),
    [
        (IN_PLAY, "uuid, bool", f"'{TABLE}', false", "lobby_in_play"),
        (
            DECISIONS_OF,
            "uuid, uuid, smallint, bigint",
            f"'{PLAYER}', '{TABLE}', 0, 10",
            "open_decision_by_player",
        ),
        (
            STANDINGS,
            "text, int, uuid, bigint",
            f"'g', 0, '{PLAYER}', 9",
            "standing_best",
        ),
        (
            RESULTS_OF,
            "uuid, text, timestamptz, uuid, bigint",
            f"'{PLAYER}', null, now(), '{TABLE}', 9",
            "result_by_player",
        ),
    ],
    ids=["in play", "decisions", "standings", "results"],
)
async def test_a_list_goes_on_without_reading_what_came_before(
    pool: asyncpg.Pool, query: str, kinds: str, values: str, index: str
) -> None:
    """The index is entered where the list goes on, with a plan that is kept, too."""
    plan = await kept_plan(pool, query, kinds, values)
    condition = plan.partition(f"using {index}")[2].partition("Index Cond:")[2]
    place = {"standing_best": "worth <= $2", "result_by_player": "< ROW($3, $4)"}
    assert place.get(index, "> ") in condition.partition("\n")[0]


async def kept_plan(pool: asyncpg.Pool, query: str, kinds: str, values: str) -> str:
    """How the database carries out a query of which it keeps the plan."""
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE kept ({kinds}) AS {query}")
        rows = await connection.fetch(f"EXPLAIN (ANALYZE) EXECUTE kept ({values})")
        await connection.execute("DEALLOCATE kept")
        return "\n".join(row[0] for row in rows)
