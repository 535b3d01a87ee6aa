"""A server in the process of the tests, so that they can see and set what is in it."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import httpx
import uvicorn

from api.app import application
from api.house import House, opened
from api.serving import uvicorn_config
from infra.settings import Settings


class Inside:
    """A server, by its house and its address."""

    def __init__(self, house: House, address: str) -> None:
        """Know both."""
        self.house = house
        self.address = address

    async def is_left(self) -> None:
        """Return once nobody follows anything here any more."""
        following = self.house.following
        while (following.followers, following.feeds) != (0, 0):  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    @asynccontextmanager
    async def http(self) -> AsyncIterator[httpx.AsyncClient]:
        """Connections to it."""
        # None is kept: the server may close one that waits while the tests are busy.
        limits = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(
            base_url=self.address, timeout=30, limits=limits
        ) as http:
            yield http


ON_LOOPBACK: Final = Settings(port=0)


@asynccontextmanager
async def served(
    database: str, redis_url: str | None = None, settings: Settings = ON_LOOPBACK
) -> AsyncIterator[Inside]:
    """A server over a database for the length of a block."""
    async with opened(settings, database, redis_url) as house:

        @asynccontextmanager
        async def the_house() -> AsyncIterator[House]:
            yield house

        server = uvicorn.Server(uvicorn_config(application(the_house, []), settings))
        with socket.create_server(("127.0.0.1", 0)) as listening:
            # Little, so that a client who reads no more is felt soon.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            running = asyncio.create_task(server.serve([listening]))
            try:
                yield Inside(house, f"http://127.0.0.1:{listening.getsockname()[1]}")
            finally:
                house.following.drain()
                server.should_exit = True
                await running
