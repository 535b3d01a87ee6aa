"""Several processes that serve one address, over one database and one Redis.

The process that was started keeps them, and takes no requests itself: it holds the
address and the servers of our own, starts a worker again that has gone, and on SIGHUP
replaces all of them, one after another.
"""

import os
import signal
from functools import partial
from socket import socket

import uvicorn
from litestar import Litestar
from uvicorn.supervisors import Multiprocess

from api.app import application
from api.databases import Backing
from api.serving import HANGING, announce, house_of, mend, uvicorn_config
from infra import logs
from infra.embedded import EmbeddedServer, ServerDidNotStart
from infra.embedded.daemon import dying_with_parent
from infra.settings import PREFIX, Settings, from_environment


def serve_with_workers(settings: Settings, backing: Backing) -> None:
    """Serve until told to stop by SIGTERM or SIGINT. Call it from the main thread."""
    os.environ[f"{PREFIX}DATABASE_URL"] = backing.database_url
    os.environ[f"{PREFIX}REDIS_URL"] = backing.redis_url
    config = uvicorn_config(
        "api.workers:worker", settings, factory=True, workers=settings.workers
    )
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


class _Keeper(Multiprocess):
    """Keeps the workers, and the servers that they stand on."""

    def __init__(
        self, config: uvicorn.Config, listening: socket, own: tuple[EmbeddedServer, ...]
    ) -> None:
        super().__init__(config, [listening])
        self._own = own
        self.has_failed = False

    def init_processes(self) -> None:
        super().init_processes()
        for process in self.processes:
            if not process.wait_until_ready(HANGING, self.should_exit):
                self.has_failed = not self.should_exit.is_set()
                self.should_exit.set()
                return
        announce(self.sockets[0])

    def keep_subprocess_alive(self) -> None:
        for server in self._own:
            mend(server)
        super().keep_subprocess_alive()
