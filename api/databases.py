"""Where a command finds its database, and how that is brought up to date."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import asyncpg
from msgspec import Struct
from msgspec.structs import replace

from infra.database import LARGEST_POOL
from infra.embedded import (
    DataFolder,
    DataFolderInUse,
    EmbeddedPostgres,
    EmbeddedServer,
    EmbeddedValkey,
    address_of_running,
)
from infra.faults import FAULTS
from infra.migrate import SchemaFault, check, migrate
from infra.roles import arrange
from infra.settings import PREFIX, UNREADABLE, Settings, SettingsError
from services.ports import StoreUnavailable

NAMES: Final = f"{PREFIX}DATABASE_URL or {PREFIX}MIGRATE_URL"
"""The settings that can name a database."""


@contextmanager
def database(
    settings: Settings,
    data: Path | None,
    *,
    checked: bool = True,
    shared: bool = True,
) -> Iterator[str]:
    """The URL of the database to work with.

    It is the one that is named, or our own: that of a running server where there is
    one and it may be `shared`. One that is named is `checked` for its shape.
    """
    if data is not None:
        settings = replace(settings, data=data)
    if settings.database_url is not None:
        if checked:
            asyncio.run(check_shape(settings.database_url))
        yield settings.database_url
        return
    try:
        with (
            DataFolder.claim(settings.data) as folder,
            _postgres(settings, folder) as postgres,
        ):
            yield postgres.dsn()
    except DataFolderInUse:
        url = address_of_running(settings.data)
        if url is None or not shared:
            raise
        yield url


class Backing(Struct, frozen=True):
    """What a server stands on. `own` are those of its servers that it keeps running."""

    database_url: str
    redis_url: str
    own: tuple[EmbeddedServer, ...]


@contextmanager
def backing(settings: Settings) -> Iterator[Backing]:
    """The database and the Redis that are named, or our own in their place."""
    database_url, redis_url = settings.database_url, settings.redis_url
    own: list[EmbeddedServer] = []
    with ExitStack() as stack:
        if database_url is None or redis_url is None:
            folder = stack.enter_context(DataFolder.claim(settings.data))
            if database_url is None:
                postgres = stack.enter_context(_postgres(settings, folder))
                own.append(postgres)
                database_url = postgres.dsn()
            if redis_url is None:
                valkey = stack.enter_context(EmbeddedValkey.start(folder))
                own.append(valkey)
                redis_url = valkey.url()
        if settings.database_url is not None:
            asyncio.run(check_shape(database_url))
        yield Backing(database_url, redis_url, tuple(own))


@contextmanager
def _postgres(settings: Settings, folder: DataFolder) -> Iterator[EmbeddedPostgres]:
    """A database of our own, running and up to date."""
    # A pool for each worker and one that takes a place, and some for the command line.
    connections = LARGEST_POOL * (settings.workers + 1) + 20
    with EmbeddedPostgres.start(
        folder, bin_folder=settings.postgres_bin, connections=connections
    ) as postgres:
        asyncio.run(bring_up_to_date(postgres.dsn()))
        yield postgres


async def bring_up_to_date(url: str, say: Callable[[str], None] | None = None) -> None:
    """Apply what the database lacks, and `say` what was done.

    Raises:
        SchemaFault: it is of another version, or this login may not change it.
    """
    connection = await _connection(url)
    try:
        applied = await migrate(connection)
        by_hand = await arrange(connection)
    except asyncpg.InsufficientPrivilegeError:
        raise SchemaFault(
            "This login may not change the database: MISERE_MIGRATE_URL names one that"
            " may."
        ) from None
    finally:
        await connection.close()
    if say is not None:
        for migration in applied:
            say(f"applied {migration.name}")
        say("The database is up to date.")
        if by_hand:
            say("This login may make no roles. Have somebody who may run:")
            say(by_hand)


async def check_shape(url: str) -> None:
    """Make sure that the database has the shape this version works with.

    Raises:
        SchemaFault: it has not.
    """
    connection = await _connection(url)
    try:
        await check(connection)
    finally:
        await connection.close()


async def _connection(url: str) -> asyncpg.Connection:
    try:
        return await asyncpg.connect(url)
    except ValueError:  # its words could be parts of a password
        raise SettingsError(f"{NAMES}: {UNREADABLE}") from None
    except FAULTS as error:
        raise StoreUnavailable(f"cannot connect to the database: {error}") from None
