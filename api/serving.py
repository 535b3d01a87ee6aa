"""Serving: the process around the HTTP face, with the database of its own beside it."""

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final

import click
import structlog
import uvicorn

from api.app import application
from api.connections import Connection
from api.house import House, opened
from infra.embedded import EmbeddedPostgres, ServerDidNotStart
from infra.settings import Settings
from services.ports import StoreUnavailable

GRACE: Final = 10
"""Seconds that requests under way have to finish once the server is told to stop."""

WATCH: Final = 0.2
"""Seconds between looks at whether our own database still runs."""

_log = structlog.get_logger()


def serve(settings: Settings, url: str, postgres: EmbeddedPostgres | None) -> None:
    """Serve until told to stop by SIGTERM or SIGINT. Call it from the main thread."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    app = application(partial(_house, settings, url, postgres), settings.origins())
    _Announced(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            access_log=False,
            log_config=None,
            proxy_headers=False,
            http=Connection,
            timeout_graceful_shutdown=GRACE,
        )
    ).run()


class _Announced(uvicorn.Server):
    """A server that says where it listens, once it does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            host, port = server.sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            click.echo(f"Misère listens on http://{shown}:{port}")


@asynccontextmanager
async def _house(
    settings: Settings, url: str, postgres: EmbeddedPostgres | None
) -> AsyncIterator[House]:
    """The house of a server: bots resumed, the database watched, memory settled."""
    async with opened(settings, url) as house:
        asyncio.get_running_loop().set_exception_handler(_unheard)
        watch = asyncio.create_task(_keep_running(postgres)) if postgres else None
        resume = asyncio.create_task(_resume(house))
        # What is there now stays: the collector need not look at it again, and games
        # make few cycles.
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        try:
            yield house
        finally:
            for task in (watch, resume):
                if task:
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task


def _unheard(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Note a fault that nobody waited for, without its words."""
    fault = context.get("exception")
    _log.error("a task failed", error=type(fault).__name__ if fault else None)


async def _keep_running(postgres: EmbeddedPostgres) -> None:
    """Start our own database again when it has gone.

    It must be the child of this very thread, to end with it; so the server stands still
    meanwhile, which it would have to do for want of a database anyway.
    """
    while True:
        if (status := postgres.poll()) is not None:
            _log.error("the database has gone", status=status)
            try:
                postgres.restart()
            except ServerDidNotStart as error:
                _log.error("the database does not start", error=str(error))
            else:
                _log.info("the database runs again")
        await asyncio.sleep(WATCH)


async def _resume(house: House) -> None:
    """See to it that no bot waits for a process that died."""
    while True:
        try:
            await house.projector.catch_up()
            await house.bots.resume(house.models)
        except StoreUnavailable:
            await asyncio.sleep(1)
        else:
            return
