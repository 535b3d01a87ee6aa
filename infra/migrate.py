"""Bringing a database to the shape this program knows, and checking that it has it.

Migrations are the numbered files beside this module. Each is applied once, in a
transaction of its own, and recorded with a hash of its text.

    SchemaFault
    ├── DatabaseTooNew      a newer program has migrated it
    ├── DatabaseTooOld      it lacks migrations
    └── MigrationChanged    an applied migration is not the one this program knows
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import asyncpg
from msgspec import Struct

LOCK: Final = 0x6D697365_7265
"""The advisory lock that migrators queue for, in any database."""


class Migration(Struct, frozen=True):
    """A numbered file of SQL."""

    number: int
    name: str
    text: str

    @property
    def sha256(self) -> bytes:
        """The hash that tells whether an applied migration was changed since."""
        return sha256(self.text.encode()).digest()


class Recorded(Struct, frozen=True):
    """A migration as the database remembers it."""

    number: int
    name: str
    sha256: bytes
    applied_at: datetime


class SchemaFault(Exception):
    """The database's schema is not the one this program works with."""


class DatabaseTooNew(SchemaFault):
    """The database holds migrations that this program does not know."""


class DatabaseTooOld(SchemaFault):
    """The database lacks migrations that this program needs."""


class MigrationChanged(SchemaFault):
    """The text of a migration is not the text that was applied."""


def known() -> Sequence[Migration]:
    """The migrations of this program, in order, numbered from 1 without a gap."""
    folder = files("infra") / "migrations"
    found = [_migration(file) for file in folder.iterdir() if file.name[0].isdigit()]
    return sorted(found, key=lambda migration: migration.number)


async def migrate(
    connection: asyncpg.Connection, migrations: Sequence[Migration] | None = None
) -> list[Migration]:
    """Apply what the database lacks, and answer what was applied.

    Several may do so at once: each migration is applied by one of them.

    Raises:
        DatabaseTooNew: a newer program has migrated the database.
        MigrationChanged: an applied migration was changed since.
    """
    migrations = known() if migrations is None else migrations
    applied: list[Migration] = []
    while True:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            lacking = _lacking(migrations, await _recorded(connection))
            if not lacking:
                return applied
            await _apply(connection, lacking[0])
            applied.append(lacking[0])


async def check(
    connection: asyncpg.Connection, migrations: Sequence[Migration] | None = None
) -> None:
    """Make sure that the database has the shape this program knows.

    Raises:
        DatabaseTooNew: a newer program has migrated the database.
        DatabaseTooOld: it lacks migrations, or this login may not read them.
        MigrationChanged: an applied migration was changed since.
    """
    migrations = known() if migrations is None else migrations
    try:
        recorded = await _recorded(connection)
    except asyncpg.InsufficientPrivilegeError:
        message = "This login may not read the schema misere: run `misere migrate`."
        raise DatabaseTooOld(message) from None
    if lacking := _lacking(migrations, recorded):
        message = (
            f"The database lacks {len(lacking)} of {len(migrations)} migrations, "
            f"first {lacking[0].name}: run `misere migrate`."
        )
        raise DatabaseTooOld(message)


def _migration(file: Traversable) -> Migration:
    name = file.name.removesuffix(".sql")
    return Migration(
        number=int(name.partition("_")[0]),
        name=name,
        text=file.read_text(encoding="utf-8"),
    )


async def _recorded(connection: asyncpg.Connection) -> Mapping[int, Recorded]:
    if not await connection.fetchval(
        "SELECT count(*) FROM pg_tables"
        " WHERE schemaname = 'misere' AND tablename = 'migration'"
    ):
        return {}
    rows = await connection.fetch(
        "SELECT number, name, sha256, applied_at FROM misere.migration"
    )
    return {row["number"]: Recorded(*row) for row in rows}


def _lacking(
    migrations: Sequence[Migration], recorded: Mapping[int, Recorded]
) -> Sequence[Migration]:
    known_numbers = {migration.number for migration in migrations}
    if unknown := [recorded[n] for n in sorted(recorded) if n not in known_numbers]:
        message = (
            f"The database has migration {unknown[-1].name}, which this version of "
            "misere does not know: run the newer version that applied it."
        )
        raise DatabaseTooNew(message)
    for migration in migrations:
        stored = recorded.get(migration.number)
        if stored and stored.sha256 != migration.sha256:
            message = (
                f"Migration {migration.name} was changed after it was applied as "
                f"{stored.name}: restore its text and add a new migration instead."
            )
            raise MigrationChanged(message)
    return [migration for migration in migrations if migration.number not in recorded]


async def _apply(connection: asyncpg.Connection, migration: Migration) -> None:
    if migration.number == 1:
        # An administrator may have made the schema for a login that may not.
        if not await connection.fetchval(
            "SELECT count(*) FROM pg_namespace WHERE nspname = 'misere'"
        ):
            await connection.execute("CREATE SCHEMA misere")
        await connection.execute(
            "CREATE TABLE misere.migration ("
            " number int PRIMARY KEY, name text NOT NULL, sha256 bytea NOT NULL,"
            " applied_at timestamptz NOT NULL DEFAULT clock_timestamp())"
        )
    await connection.execute(migration.text)
    await connection.execute(
        "INSERT INTO misere.migration (number, name, sha256) VALUES ($1, $2, $3)",
        migration.number,
        migration.name,
        migration.sha256,
    )
