"""The schema and the statements are fit for Citus, distributed by shard.

None is at hand: what it refuses is known from its manual, and looked for with the
catalogue of a real Postgres and its own parser.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from infra.migrate import migrate
from infra.roles import arrange
from tests.citus.placement import BATCHED, SPANNING
from tests.citus.schema import faults_of_schema
from tests.citus.statements import faults_of_statement, statements
from tests.databases import Address

PRETEND = """
    SET allow_system_table_mods = on;
    INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable,
                              extversion)
    SELECT 1, 'citus', oid, 'pg_catalog'::regnamespace, false, '0' FROM pg_roles
    WHERE rolname = current_user"""
"""Makes a database believe that the extension is there."""


@pytest.fixture(scope="module")
async def believer(
    postgres_server: Address, administrator: asyncpg.Connection
) -> AsyncIterator[asyncpg.Connection]:
    """A migrated database that believes it has Citus."""
    name = f"misere_distributed_{os.getpid()}"
    await administrator.execute(f"CREATE DATABASE {name}")
    connection = await asyncpg.connect(postgres_server(name))
    await connection.execute(PRETEND)
    await migrate(connection)
    await arrange(connection)
    yield connection
    await connection.close()
    await administrator.execute(f"DROP DATABASE {name} WITH (FORCE)")


async def test_the_schema_can_be_distributed(believer: asyncpg.Connection) -> None:
    """Every table has its place, and no key, trigger or function is in its way."""
    assert await faults_of_schema(believer) == []


SEEDED = [
    ("stray has no place", "CREATE TABLE misere.stray (shard smallint PRIMARY KEY)"),
    ("lobby is not there", "DROP TABLE misere.lobby"),
    (
        "event has no primary key",
        "ALTER TABLE misere.event DROP CONSTRAINT event_pkey",
    ),
    (
        "once is unique without the shard",
        "CREATE UNIQUE INDEX once ON misere.event (table_id, version)",
    ),
    (
        "once is unique without the shard",
        "CREATE UNIQUE INDEX once ON misere.event (table_id, version) INCLUDE (shard)",
    ),
    (
        "apart is unique without the shard",
        (
            "ALTER TABLE misere.lobby ADD COLUMN span int4range,"
            " ADD CONSTRAINT apart EXCLUDE USING gist (span WITH &&)"
        ),
    ),
    ("is a sequence", "ALTER TABLE misere.event ADD COLUMN n bigserial"),
    (
        "is a sequence",
        "ALTER TABLE misere.event ADD COLUMN n int GENERATED ALWAYS AS IDENTITY",
    ),
    (
        "away refers to rows of another shard",
        (
            "ALTER TABLE misere.player ADD COLUMN shard smallint,"
            " ADD CONSTRAINT away FOREIGN KEY (shard) REFERENCES misere.shard"
        ),
    ),
    (
        "away refers to rows of another shard",
        (
            "ALTER TABLE misere.lobby ADD COLUMN other smallint,"
            " ADD CONSTRAINT away FOREIGN KEY (other) REFERENCES misere.shard"
        ),
    ),
    (
        "each of event is a trigger",
        (
            "CREATE TRIGGER each AFTER INSERT ON misere.event"
            " FOR EACH STATEMENT EXECUTE FUNCTION misere.forbid()"
        ),
    ),
    (
        "each of player is a trigger",
        (
            "CREATE TRIGGER each BEFORE INSERT ON misere.player"
            " FOR EACH ROW EXECUTE FUNCTION misere.forbid()"
        ),
    ),
    ("quiet is a rule", "CREATE RULE quiet AS ON DELETE TO misere.lobby DO NOTHING"),
    (
        "alone: pg_advisory_xact_lock means one node",
        (
            "CREATE FUNCTION misere.alone() RETURNS void LANGUAGE plpgsql AS"
            " 'BEGIN PERFORM pg_advisory_xact_lock(1); END'"
        ),
    ),
    (
        "alone: rows of several shards are written",
        (
            "CREATE FUNCTION misere.alone(a int[]) RETURNS void LANGUAGE plpgsql AS"
            " 'BEGIN UPDATE misere.shard SET position = 0 WHERE shard = ANY(a); END'"
        ),
    ),
]


@pytest.mark.parametrize(("fault", "ddl"), SEEDED)
async def test_a_fault_of_the_schema_is_found(
    believer: asyncpg.Connection, fault: str, ddl: str
) -> None:
    """Each that is seeded, and it alone."""
    seeding = believer.transaction()
    await seeding.start()
    try:
        await believer.execute(ddl)
        found = await faults_of_schema(believer)
    finally:
        await seeding.rollback()
    assert len(found) == 1
    assert fault in found[0]


SENT = [(name, text) for name, texts in statements().items() for text in texts]


@pytest.mark.parametrize(("name", "text"), SENT, ids=[name for name, _ in SENT])
def test_a_statement_can_be_distributed(name: str, text: str) -> None:
    """It writes and locks at one shard, which it names, or is known to do otherwise."""
    assert faults_of_statement(text, spanning=name in SPANNING) == []


def test_every_statement_is_looked_at() -> None:
    """Those of all stores are found, and what is an exception is there and needs it."""
    found = statements()
    assert {name.partition(".")[0] for name in found} >= {
        *("event_log", "read_models", "standings", "players", "notes", "lease"),
    }
    for name in SPANNING:
        assert any(map(faults_of_statement, found[name]))


async def test_the_append_function_needs_flights_of_one_shard(
    believer: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its statements write at the shards of their batch, which must be one."""
    monkeypatch.delitem(BATCHED, "append_batch")
    assert {
        "append_batch: rows of several shards are inserted",
        "append_batch: rows of several shards are locked",
        "append_batch: rows of several shards are written",
    } == {*await faults_of_schema(believer)}


FAULTY = [
    ("are written", "UPDATE misere.shard SET position = 0"),
    ("are written", "UPDATE misere.shard SET position = 0 WHERE shard = $1 OR $2"),
    ("are written", "UPDATE misere.shard SET position = 0 WHERE shard > $1"),
    ("are written", "DELETE FROM misere.lobby WHERE table_id = $1"),
    (
        "are written",
        "WITH gone AS (DELETE FROM misere.lobby RETURNING 1) SELECT FROM gone",
    ),
    (
        "are written",
        (
            "UPDATE misere.stream s SET version = 1 FROM unnest($1::int[]) f(shard)"
            " WHERE s.shard = f.shard"
        ),
    ),
    ("is moved", "UPDATE misere.lobby SET shard = $2 WHERE shard = $1"),
    (
        "are inserted",
        (
            "INSERT INTO misere.checkpoint (projection, generation, shard, position)"
            " SELECT 'tables', 1, n, 0 FROM generate_series(0, 15) n"
        ),
    ),
    (
        "are inserted",
        "INSERT INTO misere.stream (table_id, shard) VALUES ($1, $2), ($1, length($3))",
    ),
    ("are locked", "SELECT 1 FROM misere.stream WHERE table_id = $1 FOR UPDATE"),
    (
        "are locked",
        (
            "SELECT 1 FROM misere.player p JOIN misere.stream s ON s.table_id = p.id"
            " FOR SHARE OF s"
        ),
    ),
    (
        "subquery are locked",
        "SELECT 1 FROM (SELECT shard FROM misere.stream) s FOR UPDATE",
    ),
    (
        "a copy is locked",
        "WITH a AS (SELECT 1 FROM misere.ladder FOR UPDATE) SELECT * FROM a",
    ),
    ("used with those of others", "SELECT 1 FROM misere.outage, misere.player"),
    (
        "joined across shards",
        "SELECT 1 FROM misere.stream s JOIN misere.event e USING (table_id)",
    ),
    (
        "joined across shards",
        "SELECT 1 FROM misere.stream s, misere.event e WHERE s.table_id = e.table_id",
    ),
    ("means one node", "SELECT pg_try_advisory_lock($1)"),
    ("means one node", "SELECT pg_notify('moved', $1)"),
    ("means one node", "SELECT nextval('misere.n')"),
    ("means one node", "SELECT txid_current()"),
    ("means one node", "SELECT 1 FROM misere.event WHERE xmin > $1"),
    ("ListenStmt", "LISTEN moved"),
    ("NotifyStmt", "NOTIFY moved"),
    ("LockStmt", "LOCK TABLE misere.shard"),
    ("TruncateStmt", "TRUNCATE misere.lobby"),
]


@pytest.mark.parametrize(("fault", "text"), FAULTY)
def test_a_faulty_statement_is_found(fault: str, text: str) -> None:
    """Each that is seeded, and it alone."""
    found = faults_of_statement(text)
    assert len(found) == 1
    assert fault in found[0]


def test_a_new_statement_is_not_overlooked(tmp_path: Path) -> None:
    """Wherever in a module it stands."""
    (tmp_path / "new.py").write_text(
        'A: Final = "LISTEN a"\n'
        'class B:\n    async def c(self):\n        await run("""\n  NOTIFY c""")\n',
        "utf-8",
    )
    found = statements(tmp_path)
    assert {name: len(texts) for name, texts in found.items()} == {
        "new.A": 1,
        "new.B": 1,
    }
