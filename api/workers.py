"""Several processes that serve one address, over one database and one Redis.

The process that was started keeps them, and takes no requests itself: it holds the
address and the servers of our own, starts a worker again that has gone, and on SIGHUP
replaces all of them, one after another.
"""

import os
import signal
import threading
from collections.abc import Callable, Collection
from functools import partial
from socket import socket
from time import monotonic
from typing import Final

import structlog
import uvicorn
from litestar import Litestar
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from api.app import application
from api.databases import Backing
from api.serving import HANGING, STOPS, announce, house_of, mend, uvicorn_config
from infra import logs, metrics
from infra.embedded import EmbeddedServer, ServerDidNotStart
from infra.embedded.daemon import dying_with_parent
from infra.settings import PREFIX, Settings, from_environment

SOON: Final = 0.5
"""Seconds between looks at what a keeper waits for."""

AGAIN: Final = 1.0
"""Seconds before a worker that could not start is started again."""

_log = structlog.get_logger()


def serve_with_workers(settings: Settings, backing: Backing) -> None:
    """Serve until told to stop by SIGTERM or SIGINT. Call it from the main thread."""
    os.environ[f"{PREFIX}DATABASE_URL"] = backing.database_url
    os.environ[f"{PREFIX}REDIS_URL"] = backing.redis_url
    os.environ[f"{PREFIX}HOST"] = settings.host  # which an option may have named
    config = uvicorn_config(
        "api.workers:worker", settings, factory=True, workers=settings.workers
    )
    with metrics.shared_by_workers():
        keeper = _Keeper(config, config.bind_socket(), backing.own)
        keeper.run()
    if keeper.has_failed:
        raise ServerDidNotStart("a worker", None, "see the log above")


def worker() -> Litestar:
    """The application of a worker, which ends when its keeper has gone."""
    if bound := dying_with_parent(signal.SIGTERM, os.getppid()):
        bound()
    settings = from_environment(os.environ)
    logs.configure(settings.log)
    return application(partial(house_of, settings), settings.origins())


class _Stop(threading.Event):
    """Set where it was set, or a signal to stop has come and was not handled yet.

    A signal's handler may not set an event itself: it could have come while the event's
    lock is held.
    """

    def __init__(self, signals: Collection[int]) -> None:
        super().__init__()
        self._signals = signals

    def is_set(self) -> bool:
        return super().is_set() or any(number in STOPS for number in self._signals)


class _Worker(Process):
    """A worker that is asked how it is, by one who does not wait for the answer."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket]) -> None:
        super().__init__(config, sockets)
        self._asked_at: float | None = None
        """When it was asked what it has not answered yet."""

    def ping(self, timeout: float = HANGING) -> bool:
        """Whether it answers, or has so much time left for that."""
        try:
            if self._asked_at is None:
                self.parent_conn.send(b"ping")
                self._asked_at = monotonic()
            elif self.parent_conn.poll():
                self.parent_conn.recv()
                self._asked_at = None
        except (OSError, EOFError):
            return False
        return self._asked_at is None or monotonic() < self._asked_at + timeout


class _Keeper(Multiprocess):
    """Keeps the workers, and the servers that they stand on."""

    def __init__(
        self, config: uvicorn.Config, listening: socket, own: tuple[EmbeddedServer, ...]
    ) -> None:
        super().__init__(config, [listening])
        self.should_exit = _Stop(self.signal_queue)
        self._own = own
        self._known: set[int] = set()
        self.has_failed = False

    def init_processes(self) -> None:
        self.processes = [self._new() for _ in range(self.processes_num)]
        for process in self.processes:
            if not process.wait_until_ready(HANGING, self.should_exit):
                self.has_failed = not self.should_exit.is_set()
                self.should_exit.set()
                return
        announce(self.sockets[0])

    def keep_subprocess_alive(self) -> None:
        for place, process in enumerate(self.processes):
            if self.should_exit.is_set():
                return
            self._mend()
            if not process.is_alive(HANGING):
                self._start_again(place)
        self._forget_the_gone()

    def _forget_the_gone(self) -> None:
        present = {process.pid for process in self.processes if process.pid}
        for gone in self._known - present:
            metrics.forget_worker(gone)
        self._known = present

    def _start_again(self, place: int) -> None:
        """Start a worker again that has gone or hangs.

        One that could not start, for want of a database as likely as not, is given
        some time: all of them have started before, so this is no reason to end.
        """
        process = self.processes[place]
        process.kill()
        process.join()
        if process.exitcode == STARTUP_FAILURE:
            _log.error("a worker does not start; it is tried again")
            self.should_exit.wait(AGAIN)
        if not self.should_exit.is_set():
            self.processes[place] = self._new()

    def join_all(self) -> None:
        """Wait for the workers, who have been told to end; who hangs is killed."""
        until = monotonic() + HANGING
        for process in self.processes:
            process.process.join(max(0.0, until - monotonic()))
            if process.exitcode is None:
                process.kill()
            process.join()

    def restart_all(self) -> None:
        for place in range(len(self.processes)):
            if not self._replace(place):
                return

    def _replace(self, place: int) -> bool:
        """Replace a worker by one that is up; False where that one does not start."""
        old, new = self.processes[place], self._new()
        if not self._waits(partial(new.wait_until_ready, SOON), new.process.is_alive):
            new.kill()
            new.join()
            if not self.should_exit.is_set():
                _log.error("a new worker does not start; the old ones stay")
            return False
        self.processes[place] = new
        old.terminate()
        if not self._waits(partial(_has_ended, old)):
            if self.should_exit.is_set():
                self.processes.append(old)  # its end is waited for with the others'
                return False
            old.kill()
            old.join()
        return True

    def _waits(
        self, holds: Callable[[], bool], can_hold: Callable[[], bool] = lambda: True
    ) -> bool:
        """Wait for something, mending servers, unless told to stop; whether it came."""
        until = monotonic() + HANGING
        while not holds():
            if self.should_exit.is_set() or monotonic() > until or not can_hold():
                return False
            self._mend()
        return True

    def _new(self) -> Process:
        process = _Worker(self.config, self.sockets)
        process.start()
        return process

    def _mend(self) -> None:
        for server in self._own:
            mend(server)


def _has_ended(process: Process) -> bool:
    """Whether a worker ends soon."""
    process.process.join(SOON)
    return process.exitcode is not None
