"""PostgreSQL as a child of the server: made, started, watched and stopped by it."""

import os
import shutil
import signal
import tempfile
import time
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote, urlencode

from infra.embedded import binaries, cluster, postmaster, privileges
from infra.embedded.daemon import Daemon, Program
from infra.embedded.errors import ServerDidNotStart
from infra.embedded.folder import DataFolder

PORT: Final = 5432

# The kernel's limit is 107 bytes on Linux, 103 elsewhere.
_LONGEST_SOCKET_PATH: Final = 100

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
    "max_connections": "50",
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


class EmbeddedPostgres:
    """A PostgreSQL of our own in a claimed data folder, reached by a Unix socket.

    Anybody who can enter the socket's folder (mode 0700) is let in without password.
    Its log is `postgres.log` in the data folder.
    """

    def __init__(
        self, folder: DataFolder, guise: privileges.Guise, found: binaries.Binaries
    ) -> None:
        """Prepare one whose cluster exists; use `start` to get it running."""
        self._cluster = cluster.path_in(folder.path)
        self._log = folder.path / "postgres.log"
        self._guise = guise
        self._binaries = found
        self._sockets, self._sockets_are_temporary = _socket_folder(folder, guise)
        self._daemon: Daemon | None = None

    @classmethod
    def start(cls, folder: DataFolder, *, bin_folder: Path | None = None) -> Self:
        """Make the cluster if there is none, start it, return once it can be used.

        `bin_folder` names the folder that holds `postgres` and `initdb`. Call it from
        the main thread. Raises an `EmbeddedServerError`.
        """
        found = binaries.find(bin_folder)
        part = folder.part(cluster.PART)
        guise, found = privileges.settle(folder, part, found)
        cluster.ensure(folder, guise, found)
        postgres = cls(folder, guise, found)
        try:
            postgres._launch()
        except BaseException:
            postgres.stop()
            raise
        return postgres

    def dsn(self, user: str = cluster.SUPERUSER, database: str = "misere") -> str:
        """Return the URL that asyncpg and libpq take."""
        return _address(self._sockets, user, database)

    @property
    def socket_folder(self) -> Path:
        """The private folder that holds the server's Unix socket."""
        return self._sockets

    @property
    def pid(self) -> int | None:
        """The process id of the postmaster, `None` once it is stopped."""
        return self._daemon.pid if self._daemon else None

    def poll(self) -> int | None:
        """Return the postmaster's exit status (negative: a signal) if it has gone."""
        return self._daemon.poll() if self._daemon else 0

    def restart(self) -> None:
        """Start again, as after a crash of the postmaster, on the same address.

        Waits while old backends leave (1.5 to 2.5 s) and while the log is replayed.
        Call it from the main thread. Raises `ServerDidNotStart`.
        """
        if self._daemon is not None:
            self._daemon.stop()
        self._launch()

    def stop(self) -> None:
        """Shut the server down and wait until it has gone; harmless when repeated."""
        if self._daemon is not None:
            self._daemon.stop()
            self._daemon = None
        if self._sockets_are_temporary:
            shutil.rmtree(self._sockets, ignore_errors=True)

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Shut the server down."""
        self.stop()

    def _launch(self) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            # It is left behind by a postmaster that was killed, and while a backend
            # of that one lives, a new postmaster sees it and declines: try again.
            unclean = postmaster.lock_file(self._cluster).exists()
            postmaster.dismiss(self._cluster)
            try:
                self._daemon = Daemon.start(self._program())
            except ServerDidNotStart as error:
                if error.status is None or not unclean or time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return

    def _program(self) -> Program:
        settings = {**_SETTINGS, "unix_socket_directories": str(self._sockets)}
        options = [f"--{name}={value}" for name, value in settings.items()]
        server = (self._binaries.postgres, "-D", str(self._cluster), *options)
        socket = self._sockets / f".s.PGSQL.{PORT}"
        return Program(
            name="postgres",
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


def _socket_folder(folder: DataFolder, guise: privileges.Guise) -> tuple[Path, bool]:
    """Return a private folder for the socket, and whether it must be removed.

    It is the cluster's parent unless that makes an address too long for the kernel,
    or one with a character that ends a folder's name in Postgres's list of them.
    """
    place = cluster.path_in(folder.path).parent
    length = len(os.fsencode(place / f".s.PGSQL.{PORT}.lock"))
    if length <= _LONGEST_SOCKET_PATH and not set(str(place)) & set(',"'):
        return place, False
    short = Path(tempfile.mkdtemp(prefix="misere-"))
    if guise.changes_user:
        os.chown(short, guise.uid, guise.gid)
    return short, True
