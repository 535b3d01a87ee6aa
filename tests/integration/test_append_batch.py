"""The append function keeps the log's promises against any caller, however wrong."""

from collections.abc import Callable
from typing import Any

import asyncpg
import pytest

from domain.ids import Position, Shard
from infra.database import connect
from infra.event_log import APPEND, PostgresEventLog, _columns
from services.ports import BrokenBatch, StoreUnavailable
from tests.fakes import Chain

COLUMNS = [
    *("shard", "table", "expected", "count", "prev", "head", "command", "request"),
    *("e_table", "e_version", "e_type", "e_body", "e_hash", "e_secret"),
]

Spoil = Callable[[list[Any]], list[Any]]


def nulls(column: list[Any]) -> list[Any]:
    """Every value missing."""
    return [None for _ in column]


def shorter(column: list[Any]) -> list[Any]:
    """A value fewer than the other columns have."""
    return column[:-1]


@pytest.mark.parametrize("spoil", [nulls, shorter])
@pytest.mark.parametrize("name", COLUMNS[:-1])
async def test_a_column_that_is_wrong_is_refused_whole(
    pool: asyncpg.Pool, name: str, spoil: Spoil
) -> None:
    """Nulls and missing values are no way around a check."""
    columns = _columns([Chain().propose(b"1", b"2"), Chain().propose(b"3")])
    place = COLUMNS.index(name)
    columns[place] = spoil(columns[place])
    with pytest.raises(asyncpg.PostgresError) as refused:
        await pool.fetch(APPEND, *columns)
    assert str(refused.value.sqlstate)[:2] in {"MS", "23"}
    assert await pool.fetchval("SELECT count(*) FROM misere.event") == 0
    assert await pool.fetchval("SELECT count(*) FROM misere.stream") == 0
    assert await pool.fetchval("SELECT sum(position) FROM misere.shard") == 0


async def test_a_table_in_a_wrong_shard_is_refused(pool: asyncpg.Pool) -> None:
    """Else it could be begun twice, once in each."""
    columns = _columns([Chain().propose()])
    columns[0] = [(columns[0][0] + 1) % 16]
    with pytest.raises(asyncpg.PostgresError) as refused:
        await pool.fetch(APPEND, *columns)
    assert refused.value.sqlstate == "MS003"


async def test_an_event_of_a_table_without_an_append_is_refused(
    pool: asyncpg.Pool,
) -> None:
    """Nothing comes in beside its idempotency record."""
    columns = _columns([Chain().propose(b"1")])
    stray = _columns([Chain().propose(b"2")])
    columns[8:] = [
        mine + other for mine, other in zip(columns[8:], stray[8:], strict=True)
    ]
    with pytest.raises(asyncpg.PostgresError) as refused:
        await pool.fetch(APPEND, *columns)
    assert refused.value.sqlstate == "MS003"


async def test_a_flight_of_256_is_one_statement(pool: asyncpg.Pool) -> None:
    """And each of its tables is there afterwards."""
    log = PostgresEventLog(pool)
    batch = [Chain().propose(b"1", b"2", secrets={0: b"S"}) for _ in range(256)]
    assert {outcome.kind for outcome in await log.append(batch)} == {"appended"}
    assert sum(await log.positions()) == 256


async def test_no_append_scans_the_log(
    database: str, owner: asyncpg.Connection
) -> None:
    """Not even by plans made while it was empty: a batch costs what it adds."""
    scans = (
        "SELECT sum(seq_scan) FROM pg_stat_user_tables"
        " WHERE relname IN ('append', 'event', 'sealed', 'stream')"
    )
    before = await owner.fetchval(scans)
    async with await connect(database, largest=1) as pool:
        log = PostgresEventLog(pool)
        chain = Chain()
        for _ in range(20):
            append = chain.propose(secrets={0: b"S"})
            await log.append([append, Chain().propose()])
            chain.follow(append)
            await log.find(chain.table, append.command)
            await log.read(chain.table, chain.version, 10)
            await log.placed(Shard(0), Position(0), 10)
    await owner.execute("SELECT pg_stat_clear_snapshot()")
    assert await owner.fetchval(scans) == before


async def test_an_append_reads_the_rows_of_its_own_table(
    database: str, pool: asyncpg.Pool, owner: asyncpg.Connection
) -> None:
    """And no others of its shard, by plans made while there were next to none."""

    async def rows_read() -> int:
        for each in (pool, early):
            await each.execute("SELECT pg_stat_force_next_flush()")
        await owner.execute("SELECT pg_stat_clear_snapshot()")
        return int(
            await owner.fetchval(
                "SELECT idx_tup_read FROM pg_stat_user_indexes"
                " WHERE indexrelname = 'stream_pkey'"
            )
        )

    async with await connect(database, largest=1) as early:
        log = PostgresEventLog(early)
        await log.append([Chain().propose() for _ in range(5)])
        await owner.execute("ANALYZE misere.stream")
        for _ in range(20):
            await log.append([Chain().propose()])
        for _ in range(16):
            await PostgresEventLog(pool).append([Chain().propose() for _ in range(250)])
        before = await rows_read()
        for _ in range(10):
            await log.append([Chain().propose()])
        assert await rows_read() - before < 100


async def test_a_lost_connection_is_an_outage_and_sending_again_is_safe(
    pool: asyncpg.Pool, owner: asyncpg.Connection
) -> None:
    """The answer is lost, the append is not made twice."""
    log = PostgresEventLog(pool)
    append = Chain().propose()
    await log.append([append])
    async with pool.acquire() as connection:
        await owner.execute(
            "SELECT pg_terminate_backend($1)", connection.get_server_pid()
        )
    try:
        [outcome] = await log.append([append])
    except StoreUnavailable:
        [outcome] = await log.append([append])
    assert outcome.kind == "duplicate"


async def test_a_closed_pool_is_an_outage(pool: asyncpg.Pool) -> None:
    """Whatever is asked."""
    log = PostgresEventLog(pool)
    await pool.close()
    with pytest.raises(StoreUnavailable):
        await log.append([Chain().propose()])
    with pytest.raises(StoreUnavailable):
        await log.positions()


async def test_a_value_that_does_not_fit_is_a_broken_batch(pool: asyncpg.Pool) -> None:
    """The entry is poison: sending it again would not help."""
    chain = Chain()
    chain.version = 2**70  # type: ignore[assignment]
    with pytest.raises(BrokenBatch) as refused:
        await PostgresEventLog(pool).append([chain.propose(b"1", secrets={0: b"QS"})])
    assert "QS" not in str(refused.value)
