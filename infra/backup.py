"""The database into a file, and back into an empty database.

A backup is the state of one moment, whatever goes on meanwhile: the log with all that
is sealed, the players with the hashes of their tokens, the notes, the keys of receipts,
the time at which a server was there. What is derived from the log is left out, for it
is derived anew.

A restore is one transaction. It gives the database the shape that the one of the backup
had, fills it, checks the log, and applies the migrations that have come since.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Final, Literal

import asyncpg

from domain.chain import timestamp
from infra.archive import (
    Applied,
    ArchiveToRead,
    ArchiveToWrite,
    BackupFault,
    Manifest,
    Member,
    Sum,
)
from infra.faults import FAULTS
from infra.log_check import fault_of_log
from infra.migrate import Migration, known, migrate
from services.ports import StoreUnavailable

USED: Final = ("stream", "append", "event", "sealed", "player", "table_note")
"""The tables in which a database that was used has rows."""

TIME: Final = ("timekeeper", "outage")
"""When servers were there: what runs until a restored one is there is given back."""

KEYS: Final = ("signing_key",)
"""What receipts were signed with, so that they hold with a restored server too."""

KEPT: Final = (*USED, *TIME, *KEYS)
"""The tables of which a backup holds the rows."""

DERIVED: Final = (
    *("shard", "projection", "checkpoint", "lobby", "open_decision"),
    *("result", "standing", "ladder"),
    "migration",  # applied again, by this program
)
"""The tables whose rows a backup does without."""

COLUMNS: Final = """
    SELECT attname FROM pg_attribute
    WHERE attrelid = to_regclass('misere.' || $1) AND attnum > 0 AND NOT attisdropped
      AND attgenerated = ''
    ORDER BY attnum"""

APPLIED: Final = """
    SELECT number, name, encode(sha256, 'hex') AS sha256
    FROM misere.migration ORDER BY number"""

IS_THERE: Final = "SELECT to_regclass('misere.shard') IS NOT NULL"

# Whoever appends meanwhile waits, and goes on after what was restored.
HOLD: Final = "LOCK TABLE misere.shard IN SHARE ROW EXCLUSIVE MODE"

ADVANCE: Final = """
    UPDATE misere.shard s SET position = a.position
    FROM (SELECT shard, max(position) AS position FROM misere.append GROUP BY shard) a
    WHERE s.shard = a.shard"""

UNHURRIED: Final = """
    SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0"""


async def back_up(url: str, archive: ArchiveToWrite) -> Manifest:
    """Write what the database holds at this moment.

    Raises:
        BackupFault: it cannot be read whole, or written.
        StoreUnavailable: the database went away.
    """
    async with _transaction(
        url, isolation="repeatable_read", readonly=True
    ) as connection:
        moment: datetime = await connection.fetchval("SELECT now()")
        applied = await connection.fetch(APPLIED)
        manifest = Manifest(
            format="misere-backup/1",
            made_at=timestamp(moment),
            migrations=tuple(Applied(*row) for row in applied),
            members=tuple(
                [
                    await _save(connection, archive, table, columns)
                    for table, columns in (await _kept(connection)).items()
                ]
            ),
        )
    archive.vouch(manifest)
    return manifest


async def restore(url: str, archive: ArchiveToRead) -> None:
    """Fill an empty database with what a backup holds, all of it or nothing.

    Roles and read models are left to be brought up to date.

    Raises:
        BackupFault: the backup is not whole, not ours or not true, or the database has
            something in it; it is as it was.
        StoreUnavailable: the database went away; it is as it was.
    """
    shape = _shape(archive.manifest.migrations)
    async with _transaction(url) as connection:
        await _make_room(connection, shape)
        await _fill(connection, archive)
        await migrate(connection)


async def _save(
    connection: asyncpg.Connection,
    archive: ArchiveToWrite,
    table: str,
    columns: tuple[str, ...],
) -> Member:
    seen = Sum()
    with archive.member(table) as write, _in_words():

        async def take(data: bytes) -> None:
            seen.add(data)
            write(data)

        done = await connection.copy_from_table(
            table, schema_name="misere", columns=columns, output=take, format="binary"
        )
    rows = int(done.removeprefix("COPY "))
    return Member(table, columns, rows, seen.size, seen.sha256)


async def _fill(connection: asyncpg.Connection, archive: ArchiveToRead) -> None:
    """Store what a backup holds, and see that it is a log."""
    members = archive.manifest.members
    claimed = {member.table: member.columns for member in members}
    if claimed != await _kept(connection):
        raise BackupFault("The backup was changed: it lacks a table or a column.")
    for member in members:
        if member.table not in USED:  # a migration or an idle server wrote there
            await connection.execute(f"DELETE FROM misere.{member.table}")  # noqa: S608 - one of ours
        await _load(connection, archive, member)
    await connection.execute(ADVANCE)
    if fault := await fault_of_log(connection):
        raise BackupFault(f"The log in the backup does not hold: {fault}.")


async def _load(
    connection: asyncpg.Connection, archive: ArchiveToRead, member: Member
) -> None:
    done = await connection.copy_to_table(
        member.table,
        schema_name="misere",
        columns=member.columns,
        source=archive.chunks(member),
        format="binary",
    )
    if done != f"COPY {member.rows}":
        raise BackupFault(f"The backup was changed: {member.table} is not as it was.")


def _shape(applied: Sequence[Applied]) -> Sequence[Migration]:
    """The migrations that the database of a backup had, which must be ours."""
    ours = known()[: len(applied)]
    if len(applied) > len(ours):
        raise BackupFault(
            f"The backup has migration {applied[-1].name}, which this version of misere"
            " does not know: restore it with the newer version."
        )
    for theirs, migration in zip(applied, ours, strict=True):
        if (theirs.number, theirs.sha256) != (migration.number, migration.sha256.hex()):
            raise BackupFault(
                f"The backup was made with another migration {theirs.name} than the one"
                " of this version of misere."
            )
    return ours


async def _make_room(
    connection: asyncpg.Connection, shape: Sequence[Migration]
) -> None:
    """See that the database is empty, and give it a shape."""
    if await connection.fetchval(IS_THERE):
        await connection.execute(HOLD)
    for table in USED:
        if table in await _kept(connection) and await connection.fetchval(
            f"SELECT EXISTS (TABLE misere.{table})"
        ):
            raise BackupFault(
                f"The database is not empty, {table} has rows: a backup is restored"
                " into an empty one."
            )
    await migrate(connection)  # unless a newer version has: that is refused
    if len(shape) < len(known()):
        await connection.execute("DROP SCHEMA misere CASCADE")
        await migrate(connection, shape)


async def _kept(connection: asyncpg.Connection) -> dict[str, tuple[str, ...]]:
    """Those of the tables to keep that are there, with the columns that are stored."""
    found = {table: await connection.fetch(COLUMNS, table) for table in KEPT}
    return {
        table: tuple(row["attname"] for row in rows)
        for table, rows in found.items()
        if rows
    }


@asynccontextmanager
async def _transaction(
    url: str,
    *,
    isolation: Literal["read_committed", "repeatable_read"] = "read_committed",
    readonly: bool = False,
) -> AsyncIterator[asyncpg.Connection]:
    """A transaction on a connection of its own; the database forgets one that fails."""
    try:
        connection = await asyncpg.connect(url)
    except (*FAULTS, ValueError) as error:
        # Nothing was asked yet: these words hold no card, and an operator needs them.
        raise StoreUnavailable(f"cannot connect to the database: {error}") from None
    with _in_words():
        try:
            transaction = connection.transaction(isolation=isolation, readonly=readonly)
            await transaction.start()
            await connection.execute(UNHURRIED)
            yield connection
            await transaction.commit()
        finally:
            connection.terminate()


@contextmanager
def _in_words() -> Iterator[None]:
    """Tell what the database refuses without its own words, which may hold cards."""
    try:
        yield
    except asyncpg.InsufficientPrivilegeError:
        fault: Exception = BackupFault(
            "This login may not do that: MISERE_MIGRATE_URL names one that may."
        )
    except asyncpg.PostgresError as error:
        fault = BackupFault(f"The database refused it (SQLSTATE {error.sqlstate}).")
    except FAULTS:
        fault = StoreUnavailable("the database could not be reached")
    else:
        return
    # Outside the handler, so that the driver's error is not even its context.
    raise fault
