"""PostgreSQL as a child of the server: made, started, watched and stopped by it."""

import os
import signal
import time
from functools import partial
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote, urlencode

from infra.embedded import binaries, cluster, postmaster, privileges
from infra.embedded.daemon import Daemon, Program
from infra.embedded.errors import ServerDidNotStart
from infra.embedded.folder import DataFolder
from infra.embedded.server import EmbeddedServer

PORT: Final = 5432

# Old backends leave 1.5 to 2.5 seconds after their postmaster was killed.
_PATIENCE_SECONDS: Final = 20.0

# First ask for a fast shutdown (it ends sessions and writes a checkpoint), then for an
# immediate one (the next start recovers from the log); a kill is the last resort.
_STOP_STEPS: Final = (
    (signal.SIGINT, 20.0),
    (signal.SIGQUIT, 5.0),
    (signal.SIGKILL, 5.0),
)

# On the command line they win over any file in the data folder.
_SETTINGS: Final = {
    "cluster_name": "misere",
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    # A move that was acknowledged is on disk: not negotiable.
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    # Modest: the database shares the machine with us.
    "shared_buffers": "64MB",
    "max_logical_replication_workers": "0",
    "jit": "off",
    "timezone": "UTC",
    # Rows and statements hold hidden cards: neither goes into the log.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
    "log_timezone": "UTC",
    "logging_collector": "off",
}


class EmbeddedPostgres(EmbeddedServer):
    """A PostgreSQL of our own. Its log is `postgres.log` in the data folder."""

    name = "postgres"

    def __init__(
        self,
        folder: DataFolder,
        guise: privileges.Guise,
        found: binaries.Binaries,
        connections: int,
    ) -> None:
        """Prepare one whose cluster exists; use `start` to get it running."""
        self._cluster = cluster.path_in(folder.path)
        # A comma or a quote ends a folder's name in Postgres's list of them.
        super().__init__(self._cluster.parent, f".s.PGSQL.{PORT}.lock", forbidden=',"')
        if self._sockets_are_temporary and guise.changes_user:
            os.chown(self._sockets, guise.uid, guise.gid)
        self._log = folder.path / "postgres.log"
        self._guise = guise
        self._binaries = found
        self._connections = connections

    @classmethod
    def start(
        cls,
        folder: DataFolder,
        *,
        bin_folder: Path | None = None,
        connections: int = 50,
    ) -> Self:
        """Make the cluster if there is none, start it, return once it can be used.

        `bin_folder` names the folder that holds `postgres` and `initdb`; it takes so
        many `connections` at once. Call it from the main thread. Raises an
        `EmbeddedServerError`.
        """
        found = binaries.find(bin_folder)
        part = folder.part(cluster.PART)
        guise, found = privileges.settle(folder, part, found)
        cluster.ensure(folder, guise, found)
        return cls(folder, guise, found, connections).begin()

    def dsn(self, user: str = cluster.SUPERUSER, database: str = "misere") -> str:
        """Return the URL that asyncpg and libpq take."""
        return _address(self._sockets, user, database)

    def launch(self) -> Daemon:
        """Start it; after a crash, once old backends have left (1.5 to 2.5 s)."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            # It is left behind by a postmaster that was killed, and while a backend
            # of that one lives, a new postmaster sees it and declines: try again.
            unclean = postmaster.lock_file(self._cluster).exists()
            postmaster.dismiss(self._cluster)
            try:
                return Daemon.start(self._program())
            except ServerDidNotStart as error:
                if error.status is None or not unclean or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def _program(self) -> Program:
        settings = {
            **_SETTINGS,
            "max_connections": str(self._connections),
            "unix_socket_directories": str(self._sockets),
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        server = (self._binaries.postgres, "-D", str(self._cluster), *options)
        socket = self._sockets / f".s.PGSQL.{PORT}"
        return Program(
            name=self.name,
            argv=(*self._guise.wrapper, *server),
            log=self._log,
            is_ready=partial(
                postmaster.is_ready, self._cluster, socket, cluster.SUPERUSER
            ),
            death_signal=signal.SIGINT,
            stop_steps=_STOP_STEPS,
            environment=cluster.ENVIRONMENT,
            user=self._guise.user,
            group=self._guise.group,
        )


def address_of_running(folder: Path) -> str | None:
    """The URL of the server that another process runs in a data folder, if any does."""
    sockets = postmaster.socket_folder(cluster.path_in(folder.resolve()))
    if sockets is None:
        return None
    return _address(sockets, cluster.SUPERUSER, cluster.DATABASE)


def _address(sockets: Path, user: str, database: str) -> str:
    where = urlencode({"host": str(sockets), "port": PORT}, quote_via=quote)
    return f"postgresql://{quote(user, '')}@/{quote(database, '')}?{where}"
