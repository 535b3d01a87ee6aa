"""Servers that misere brings along, so that it runs with nothing installed beside it.

A `DataFolder` is claimed first and released last; an embedded server lives in it::

    with DataFolder.claim(path) as folder, EmbeddedPostgres.start(folder) as postgres:
        pool = await asyncpg.create_pool(postgres.dsn())
"""

from infra.embedded.errors import (
    BinariesNotFound,
    DataFolderError,
    DataFolderInUse,
    EmbeddedServerError,
    NoSuitableUser,
    ServerDidNotStart,
)
from infra.embedded.folder import DataFolder
from infra.embedded.postgres import EmbeddedPostgres, address_of_running
from infra.embedded.server import EmbeddedServer
from infra.embedded.valkey import EmbeddedValkey

__all__ = [
    "BinariesNotFound",
    "DataFolder",
    "DataFolderError",
    "DataFolderInUse",
    "EmbeddedPostgres",
    "EmbeddedServer",
    "EmbeddedServerError",
    "EmbeddedValkey",
    "NoSuitableUser",
    "ServerDidNotStart",
    "address_of_running",
]
