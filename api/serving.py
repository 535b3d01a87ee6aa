"""Serving: the process around the HTTP face, with the servers of its own beside it."""

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from types import FrameType
from typing import Any, Final

import click
import structlog
import uvicorn
from litestar import Litestar
from msgspec.structs import replace

from api.app import application
from api.connections import Connection
from api.databases import Backing
from api.house import House, opened
from infra.embedded import EmbeddedServer, ServerDidNotStart
from infra.logs import traced
from infra.settings import Settings
from services.errors import Busy
from services.ports import StoreUnavailable

GRACE: Final = 10
"""Seconds that requests under way have to finish once the server is told to stop."""

HANGING: Final = 30
"""Seconds after which a worker that does not start, or answer its keeper, is killed."""

STOPS: Final = (signal.SIGTERM, signal.SIGINT)
"""The signals that tell a server to stop."""

IDLE: Final = 150
"""Seconds that a connection may be silent between requests: longer than proxies keep
one (nginx 60, Caddy 120), so that none is closed under a request that a proxy has just
sent."""

WATCH: Final = 0.2
"""Seconds between looks at whether our own database still runs."""

_log = structlog.get_logger()


def serve(settings: Settings, backing: Backing) -> None:
    """Serve until told to stop by SIGTERM or SIGINT. Call it from the main thread."""
    settings = replace(
        settings, database_url=backing.database_url, redis_url=backing.redis_url
    )
    app = application(partial(house_of, settings, backing.own), settings.origins())
    server = _Server(uvicorn_config(app, settings))
    for number in STOPS:
        signal.signal(number, lambda *_: sys.exit(0))
    server.run()


def die_when_told() -> None:
    """End at once when told to stop, as long as nothing is served.

    The kernel ends what was started. CPython throws away an exception that a handler
    raises inside the hooks of a fork, and a start forks; this is lost nowhere.
    """
    for number in STOPS:
        signal.signal(number, signal.SIG_DFL)


def uvicorn_config(
    app: Litestar | str, settings: Settings, *, factory: bool = False, workers: int = 1
) -> uvicorn.Config:
    """How an application is served: what it says itself is neither logged nor added."""
    return uvicorn.Config(
        app,
        factory=factory,
        host=settings.host,
        port=settings.port,
        workers=workers,
        access_log=False,
        log_config=None,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.proxies(),
        http=Connection,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=HANGING,
    )


class _Server(uvicorn.Server):
    """A server that says where it listens, once it does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                announce(listening)


def announce(listening: socket.socket) -> None:
    """Say where the server listens."""
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Misère listens on http://{shown}:{port}")


@asynccontextmanager
async def house_of(
    settings: Settings, own: tuple[EmbeddedServer, ...] = ()
) -> AsyncIterator[House]:
    """The house of a process that serves, and of `own` servers beside it.

    Bots are resumed, servers mended, streams ended before the process is; what is in
    memory by then stays there.
    """
    if settings.database_url is None:
        raise LookupError("a process that serves needs a database")
    async with opened(settings, settings.database_url, settings.redis_url) as house:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_unheard)
        _drain_on_signal(house)
        tasks = [asyncio.create_task(_keep_running(server)) for server in own]
        tasks.append(asyncio.create_task(_resume(house)))
        # What is there now stays: the collector need not look at it again, and games
        # make few cycles.
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        try:
            yield house
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


def _unheard(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Note a fault that nobody waited for, without its words."""
    _log.error("a task failed", **traced(context.get("exception")))


def _drain_on_signal(house: House) -> None:
    """End the streams as soon as the process is told to stop: they would outlast it."""
    loop = asyncio.get_running_loop()
    stops = {number: signal.getsignal(number) for number in STOPS}

    def drain(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(house.following.drain)
        stop = stops[signal.Signals(number)]
        if callable(stop):
            stop(number, frame)

    for number in STOPS:
        signal.signal(number, drain)


async def _keep_running(own: EmbeddedServer) -> None:
    """Start a server of our own again when it has gone.

    It must be the child of this very thread, to end with it; so we stand still
    meanwhile, which for want of a database we would have to do anyway.
    """
    while True:
        mend(own)
        await asyncio.sleep(WATCH)


def mend(own: EmbeddedServer) -> None:
    """Start a server of our own again if it has gone. Call it from the main thread."""
    status = own.poll()
    if status is None:
        return
    _log.error("a server of our own has gone", server=own.name, status=status)
    try:
        own.restart()
    except ServerDidNotStart as error:
        _log.error("it does not start again", server=own.name, error=str(error))
    else:
        _log.info("it runs again", server=own.name)


async def _resume(house: House) -> None:
    """See to it that no bot waits for a process that died."""
    while True:
        try:
            await house.projector.catch_up()
            await house.bots.resume(house.models)
        except (StoreUnavailable, Busy):
            await asyncio.sleep(1)
        else:
            return
