"""A real Postgres for the tests that ask for one, and a clean database for each.

`MISERE_TEST_DATABASE_URL` names a server (as a superuser) to use in place of an
embedded one; databases are made and dropped in it.
"""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest

from infra.database import connect
from infra.embedded import DataFolder, EmbeddedValkey
from infra.migrate import migrate
from infra.roles import arrange
from tests.databases import Address, Databases
from tests.embedded import namespaces, running
from tests.valkey_cluster import Cluster, valkey_cluster


@pytest.fixture(scope="session")
def tmp_path_factory(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[pytest.TempPathFactory]:
    """Where tests put things: what pytest has.

    Where root can run Postgres only as `nobody`, as in many containers, that may enter.
    """
    if os.geteuid() != 0 or namespaces():
        yield tmp_path_factory
        return
    base, make = tmp_path_factory.getbasetemp(), tmp_path_factory.mktemp

    def mktemp(basename: str, numbered: bool = True) -> Path:  # noqa: FBT001, FBT002
        path = make(basename, numbered)
        # Another pytest that begins meanwhile shuts the topmost again.
        for folder in (path, base, base.parent):
            folder.chmod(0o711)
        return path

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tmp_path_factory, "mktemp", mktemp)
        yield tmp_path_factory


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A running server, by the addresses of its databases."""
    if given := os.environ.get("MISERE_TEST_DATABASE_URL"):
        yield lambda database: urlunsplit(urlsplit(given)._replace(path=database))
        return
    path = tmp_path_factory.mktemp("misere") / "data"
    with running(path) as postgres:
        yield lambda database: postgres.dsn(database=database)


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    """A running Valkey."""
    path = tmp_path_factory.mktemp("valkey") / "data"
    with DataFolder.claim(path) as folder, EmbeddedValkey.start(folder) as valkey:
        yield valkey


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A running cluster of three nodes of Valkey."""
    with valkey_cluster(tmp_path_factory.mktemp("cluster") / "nodes") as cluster:
        yield cluster


@pytest.fixture(scope="session")
async def administrator(postgres_server: Address) -> AsyncIterator[asyncpg.Connection]:
    """A superuser's connection, to make and drop databases with."""
    connection = await asyncpg.connect(postgres_server("postgres"))
    yield connection
    await connection.close()


@pytest.fixture(scope="session")
async def template(
    postgres_server: Address, administrator: asyncpg.Connection
) -> AsyncIterator[str]:
    """A migrated database with no connections, to copy."""
    name = f"misere_template_{os.getpid()}"
    await administrator.execute(f"CREATE DATABASE {name}")
    connection = await asyncpg.connect(postgres_server(name))
    await migrate(connection)
    await arrange(connection)
    await connection.close()
    yield name
    await administrator.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def empty_database(
    postgres_server: Address, administrator: asyncpg.Connection
) -> AsyncIterator[str]:
    """The URL of a database that nobody has migrated."""
    name = f"misere_test_{uuid4().hex}"
    await administrator.execute(f"CREATE DATABASE {name}")
    yield postgres_server(name)
    await administrator.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
async def databases(
    postgres_server: Address, administrator: asyncpg.Connection, template: str
) -> AsyncIterator[Databases]:
    """Migrated databases to lend to tests."""
    databases = Databases(postgres_server, administrator, template)
    yield databases
    await databases.drop()


@pytest.fixture
async def database(
    postgres_server: Address, databases: Databases
) -> AsyncIterator[str]:
    """The URL of a clean, migrated database of the test's own."""
    name = await databases.lend()
    yield postgres_server(name)
    await databases.take_back(name)


@pytest.fixture
async def owner(database: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection of the schema's owner, who is a superuser too."""
    connection = await asyncpg.connect(database)
    yield connection
    await connection.close()


@pytest.fixture
async def pool(database: str) -> AsyncIterator[asyncpg.Pool]:
    """Connections of the running app to the test's own database."""
    async with await connect(database) as pool:
        yield pool
