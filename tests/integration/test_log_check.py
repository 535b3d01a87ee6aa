"""A log that lies in a database is checked whole."""

import asyncpg
import pytest

from infra.log_check import fault_of_log
from tests.backups import furnished

UNGUARD = """
    ALTER TABLE misere.stream DISABLE TRIGGER USER;
    ALTER TABLE misere.append DISABLE TRIGGER USER;
    ALTER TABLE misere.event DISABLE TRIGGER USER;
    ALTER TABLE misere.sealed DISABLE TRIGGER USER"""

MOVED = """
    WITH moved AS (
      DELETE FROM misere.event WHERE table_id = '{table}' RETURNING *)
    INSERT INTO misere.event
    SELECT (shard + 1) % 16, table_id, version, type, body, hash FROM moved"""

BACK = """
    UPDATE misere.stream s SET version = 3, head = e.hash FROM misere.event e
    WHERE e.table_id = s.table_id AND e.version = 3"""

TAMPERED = [
    (
        "the chain is broken at version 2",
        "UPDATE misere.event SET body = '' WHERE version = 2",
    ),
    (
        "the chain is broken at version 3",
        "UPDATE misere.event SET hash = sha256('') WHERE version = 3",
    ),
    (
        "the chain is broken at version 2",
        "DELETE FROM misere.event WHERE version = 2",
    ),
    ("it is not in its shard", MOVED),
    ("there are events after its last", BACK),
    ("there are events after its last", "DELETE FROM misere.stream"),
    ("its head is not that", "UPDATE misere.stream SET head = sha256('')"),
    ("events that are not there", "DELETE FROM misere.event WHERE version = 4"),
    ("events that are not there", "DELETE FROM misere.event"),
    (
        "its appends do not follow one another",
        "DELETE FROM misere.append WHERE first_version = 1",
    ),
    (
        "its appends do not follow one another",
        "UPDATE misere.append SET first_version = 2 WHERE first_version = 3",
    ),
    (
        "its appends are not all of its events",
        "DELETE FROM misere.append WHERE first_version = 3",
    ),
    (
        "an append does not lead to the head it names",
        "UPDATE misere.append SET head = sha256('') WHERE first_version = 1",
    ),
    (
        "its place in the order of its shard is amiss",
        "UPDATE misere.append SET position = position + 1000",
    ),
    (
        "something is sealed in an event that is not there",
        "UPDATE misere.sealed SET version = 9 WHERE version = 3",
    ),
]


@pytest.fixture
async def table(pool: asyncpg.Pool) -> str:
    """One of the tables that the log has."""
    return str((await furnished(pool))[0].table)


@pytest.mark.usefixtures("table")
async def test_a_log_that_was_appended_to_holds(owner: asyncpg.Connection) -> None:
    """Nothing is found."""
    async with owner.transaction():
        assert await fault_of_log(owner) is None


async def test_a_log_that_is_empty_holds(owner: asyncpg.Connection) -> None:
    """Nothing is found either."""
    async with owner.transaction():
        assert await fault_of_log(owner) is None


@pytest.mark.parametrize(("words", "tampering"), TAMPERED)
async def test_a_log_that_was_tampered_with_does_not_hold(
    owner: asyncpg.Connection, table: str, words: str, tampering: str
) -> None:
    """What is amiss is told, and at which table."""
    transaction = owner.transaction()
    await transaction.start()
    try:
        await owner.execute(UNGUARD)
        await owner.execute(tampering.format(table=table))
        fault = await fault_of_log(owner)
    finally:
        await transaction.rollback()
    assert fault is not None
    assert words in fault
