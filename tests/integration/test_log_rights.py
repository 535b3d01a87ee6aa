"""Nobody rewrites the log, and each role can do what it is for and no more."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from infra.event_log import PostgresEventLog
from tests.fakes import Chain

LOG = ("shard", "stream", "append", "event", "sealed")


@pytest.fixture
async def table(pool: asyncpg.Pool) -> Chain:
    """A table with two events, one of them sealed."""
    chain = Chain()
    append = chain.propose(b'{"a":1}', b'{"a":2}', secrets={1: b"QS"})
    await PostgresEventLog(pool).append([append])
    chain.follow(append)
    return chain


@pytest.fixture
async def auditor(owner: asyncpg.Connection) -> AsyncIterator[asyncpg.Connection]:
    """A connection with an auditor's rights."""
    await owner.execute("SET ROLE misere_auditor")
    yield owner
    await owner.execute("RESET ROLE")


REWRITES = [
    f"{begin} misere.{name} {rest}"
    for begin, rest, names in (
        ("UPDATE", "SET shard = shard", ("append", "event", "sealed")),
        ("DELETE FROM", "WHERE shard < 16", LOG),
        ("TRUNCATE", "", LOG),
    )
    for name in names
]


@pytest.mark.parametrize("rewrite", REWRITES)
@pytest.mark.parametrize("mode", ["origin", "replica"])
@pytest.mark.usefixtures("table")
async def test_even_a_superuser_cannot_rewrite_the_log(
    owner: asyncpg.Connection, rewrite: str, mode: str
) -> None:
    """Not in a session that switches ordinary triggers off either."""
    await owner.execute(f"SET session_replication_role = {mode}")
    with pytest.raises(asyncpg.PostgresError) as refused:
        await owner.execute(rewrite)
    assert refused.value.sqlstate == "MS001"
    assert await owner.fetchval("SELECT count(*) FROM misere.event") == 2


@pytest.mark.parametrize("rewrite", REWRITES)
@pytest.mark.usefixtures("table")
async def test_the_app_has_no_right_to_rewrite_the_log(
    pool: asyncpg.Pool, rewrite: str
) -> None:
    """It is refused before any trigger is asked."""
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await pool.execute(rewrite)


@pytest.mark.parametrize("name", LOG)
async def test_the_app_writes_the_log_through_its_function_alone(
    pool: asyncpg.Pool, name: str
) -> None:
    """On each table of the log it has the right to read, and no other."""
    rights = ["INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]
    query = "SELECT has_table_privilege($1, $2)"
    assert await pool.fetchval(query, f"misere.{name}", "SELECT")
    for right in rights:
        assert not await pool.fetchval(query, f"misere.{name}", right)
        if right in {"INSERT", "UPDATE", "REFERENCES"}:
            columns = "SELECT has_any_column_privilege($1, $2)"
            assert not await pool.fetchval(columns, f"misere.{name}", right)


async def test_the_app_cannot_insert_an_event_itself(pool: asyncpg.Pool) -> None:
    """Whatever its hash, an event comes in through the function."""
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await pool.execute(
            "INSERT INTO misere.event VALUES (0, gen_random_uuid(), 1, 'x', '', $1)",
            bytes(32),
        )


async def test_pooled_connections_act_as_the_app_and_stay_so(
    pool: asyncpg.Pool,
) -> None:
    """The first borrower and the next."""
    for _ in range(2):
        assert await pool.fetchval("SELECT current_user") == "misere_app"


async def test_an_auditor_reads_every_table_but_the_sealed(
    auditor: asyncpg.Connection,
) -> None:
    """A table that a migration adds must be opened to him, or this fails."""
    names = await auditor.fetch(
        "SELECT relname FROM pg_class"
        " WHERE relnamespace = 'misere'::regnamespace AND relkind IN ('r', 'v')"
    )
    closed = [
        name
        for (name,) in names
        if not await auditor.fetchval(
            "SELECT has_any_column_privilege($1, 'SELECT')", f"misere.{name}"
        )
    ]
    assert closed == ["sealed"]


@pytest.mark.usefixtures("table")
async def test_an_auditor_cannot_read_what_is_sealed(
    auditor: asyncpg.Connection,
) -> None:
    """He reads the events that commit to it."""
    assert await auditor.fetchval("SELECT count(*) FROM misere.event") == 2
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await auditor.fetch("SELECT count(*) FROM misere.sealed")


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("append", "request_hash"),
        ("player", "token_hash"),
        ("table_note", "invite"),
        ("signing_key", "private_key"),
    ],
)
async def test_an_auditor_cannot_read_what_would_open_something(
    auditor: asyncpg.Connection, name: str, column: str
) -> None:
    """A request's hash is as good as the pass in it; the others open doors."""
    assert not await auditor.fetchval(
        "SELECT has_column_privilege($1, $2, 'SELECT')", f"misere.{name}", column
    )


async def test_an_auditor_changes_nothing(auditor: asyncpg.Connection) -> None:
    """Neither a table nor, by the function, the log."""
    writable = await auditor.fetch(
        "SELECT relname FROM pg_class"
        " WHERE relnamespace = 'misere'::regnamespace AND relkind IN ('r', 'v')"
        " AND has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE')"
    )
    assert writable == []
    assert not await auditor.fetchval(
        "SELECT bool_or(has_function_privilege(oid, 'EXECUTE')) FROM pg_proc"
        " WHERE proname = 'append_batch'"
    )


async def test_events_can_be_read_as_json(
    auditor: asyncpg.Connection, table: Chain
) -> None:
    """For people; what is hashed stays the bytes."""
    rows = await auditor.fetch(
        "SELECT version, body ->> 'a' AS a, hash FROM misere.readable_event"
        " WHERE table_id = $1 ORDER BY version",
        table.table,
    )
    assert [(row["version"], row["a"]) for row in rows] == [(1, "1"), (2, "2")]
    assert rows[-1]["hash"] == table.head.hex()
