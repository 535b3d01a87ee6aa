"""Readers of streams, who come back whenever they are cut off."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from random import Random
from typing import Final

import httpx

from tests.e2e.client import Client, Json
from tests.e2e.running import Server

NO_EVENT: Final = {"snapshot", "decision", "caught_up", "end"}
BOTS: Final = [{"bot": "random"}] * 4
TLS: Final = ssl.create_default_context()
"""To make one for each connection would take longer than all that is read on it."""

Frames = AsyncIterator[Json]

Blow = Callable[[Server], None]
"""Something that is done to a server, from a thread."""


async def until(frames: Frames, kind: str) -> list[Json]:
    """The frames up to the first of that kind."""
    read = []
    async for frame in frames:
        read.append(frame)
        if frame["frame"] == kind:
            return read
    raise AssertionError(f"the stream ended before {kind}: {read}")


def events(frames: list[Json]) -> list[Json]:
    """The events among frames."""
    return [frame["data"] for frame in frames if frame["frame"] not in NO_EVENT]


class Reader:
    """Follows a table to its end, on as many connections as that takes."""

    def __init__(self, address: str, table: str, chance: Random) -> None:
        self.told: list[int] = []
        self.cuts = 0
        self._address = address
        self._path = f"/tables/{table}/stream"
        self._chance = chance

    async def read(self) -> None:
        """Read on until the table has ended; at times leave, and come back."""
        while True:
            with suppress(httpx.HTTPError, AssertionError):
                async with httpx.AsyncClient(
                    base_url=self._address, verify=TLS
                ) as http:
                    if await self._read(Client(http)):
                        return
            self.cuts += 1
            await asyncio.sleep(self._chance.random() * 0.2)

    async def _read(self, client: Client) -> bool:
        left = self._chance.randrange(1, 60)
        after = self.told[-1] if self.told else 0
        async with client.frames(self._path, after=after) as frames:
            async for frame in frames:
                if frame["frame"] == "end":
                    return bool(frame["data"]["reason"] == "finished")
                if frame["frame"] not in NO_EVENT:
                    self.told.append(frame["id"])
                left -= 1
                if not left:
                    return False
        return False


async def followed_to_the_end(
    server: Server, blow: Blow | None = None, *, readers: int
) -> list[Reader]:
    """Readers of a match of bots, through which `blow` goes."""
    async with httpx.AsyncClient(base_url=server.address, timeout=30) as http:
        host = await Client.register(http)
        table = await host.open_table(seats=BOTS, options={"target": 40})
        reading = [Reader(server.address, table, Random(n)) for n in range(readers)]
        async with asyncio.timeout(90), asyncio.TaskGroup() as group:
            for reader in reading:
                group.create_task(reader.read())
            if blow is not None:
                group.create_task(asyncio.to_thread(blow, server))
        listed = await host.events(table)
    assert listed[-1]["type"] == "match_ended"
    for reader in reading:
        assert reader.told == [event["version"] for event in listed]
    return reading
