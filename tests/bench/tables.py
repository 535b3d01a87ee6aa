"""Many tables at once: what they cost, and how long their followers wait.

Bots play, as fast as they can or at a pace that two cores carry with room to spare.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import repeat
from pathlib import Path
from statistics import median
from typing import Final

import httpx
import uvloop
from msgspec import Struct
from rich.console import Console

from tests.bench.followers import Stream, followed
from tests.bench.games import script
from tests.bench.load import percentile, post, run
from tests.bench.pacing import STILL
from tests.bench.running import Running, durable, running
from tests.bench.sides import Side, measured, plays

TABLES: Final = 2000
FOLLOWERS: Final = 500
RATE: Final = 500
"""Plays a second."""

LIVE: Final = (10, 1000, 10_000)
LIVE_RATE: Final = 200
LIVE_ROUNDS: Final = 5

WORKERS_ROUNDS: Final = 5
CONNECTIONS: Final = 64

SECONDS: Final = 8.0
WARM: Final = 3.0
PAGE: Final = 200

Row = tuple[str, str]
"""What was measured, and the figure."""


class Crowd(Struct, frozen=True):
    """Tables of bots at a server whose pace can be set."""

    server: Running
    http: httpx.AsyncClient
    tables: list[str]

    async def pace(self, rate: float) -> None:
        """Have all of them together play so often a second; 0: as fast as they can."""
        seconds = len(self.tables) / rate if rate else 0.0
        await self.http.post(f"/pace/{seconds}")

    async def hold(self) -> None:
        """Have them stand still."""
        await self.http.post(f"/pace/{STILL}")
        await asyncio.sleep(1)

    async def appends(self) -> list[float]:
        """How long each append took since this was asked last, in seconds."""
        waits: list[float] = (await self.http.get("/appends")).json()["waits"]
        return waits


def measure(console: Console) -> None:
    """Measure all, and print lines for a table."""
    for part in (crowd, live_tables, two_workers):
        for what, figure in uvloop.run(part()):
            console.print(f"| {what} | {figure} |", soft_wrap=True, highlight=False)


async def crowd() -> list[Row]:
    """A crowd and its followers: standing still, at a pace, cut off, at full speed."""
    async with of_bots(TABLES) as crowd:
        await durable(crowd.server.folder)
        streams, memory = await watched(crowd)
        return [
            memory,
            *await at_rate(crowd, streams, RATE, f"at {RATE} plays a second"),
            await reconnected(crowd, streams),
            *await at_rate(crowd, streams, 0, "as fast as it goes"),
        ]


async def watched(crowd: Crowd) -> tuple[list[Stream], Row]:
    """Followers of some of the tables, and the memory that each takes."""
    await crowd.hold()
    before = crowd.server.memory()
    places = [(table, None) for table in crowd.tables[:FOLLOWERS]]
    streams = await followed(crowd.server.host, crowd.server.port, places)
    each = (crowd.server.memory() - before) / FOLLOWERS
    return streams, ("memory of a follower", f"{each / 1024:.1f} KiB")


async def at_rate(
    crowd: Crowd, streams: list[Stream], rate: float, how: str
) -> list[Row]:
    """How much is played at a rate, and what appends and followers wait."""
    await crowd.pace(rate)
    await asyncio.sleep(WARM)
    await crowd.appends()
    for stream in streams:
        stream.delays.clear()
    began = time.perf_counter()
    await asyncio.sleep(SECONDS)
    delays = [delay for stream in streams for delay in stream.delays]
    appends = await crowd.appends()
    seconds = time.perf_counter() - began
    await crowd.hold()
    who = f"{TABLES:,} tables of bots, {FOLLOWERS} followers, {how}"
    return [
        (f"{who}: plays a second", f"{len(appends) / seconds:,.0f}"),
        (f"{who}: append, p50, p99", _waits(appends)),
        (f"{who}: decision to follower, p50, p99", _waits(delays)),
    ]


async def reconnected(crowd: Crowd, streams: list[Stream]) -> Row:
    """How long it takes until all followers that were cut off are caught up."""
    await crowd.pace(RATE)
    await asyncio.sleep(WARM)
    for stream in streams:
        stream.cut()
    await asyncio.sleep(WARM)
    places = [(stream.table, stream.version) for stream in streams]
    began = time.perf_counter()
    streams[:] = await followed(crowd.server.host, crowd.server.port, places)
    seconds = time.perf_counter() - began
    await crowd.hold()
    what = (
        f"{FOLLOWERS} followers cut off at {RATE} plays a second, all caught up after"
    )
    return what, f"{seconds:.2f} s"


async def live_tables() -> list[Row]:
    """What a play costs among few live tables and many, in turns."""
    async with AsyncExitStack() as stack:
        crowds = [await stack.enter_async_context(of_bots(live)) for live in LIVE]
        costs: list[list[float]] = [[] for _ in LIVE]
        for _ in range(LIVE_ROUNDS):
            for crowd, found in zip(crowds, costs, strict=True):
                found.append(await cost_of_a_play(crowd))
    rows = []
    for live, found in zip(LIVE, costs, strict=True):
        ratio = median(many / few for many, few in zip(found, costs[0], strict=True))
        figure = f"{1e6 * median(found):.0f} µs, {ratio:.2f} of that with {LIVE[0]}"
        rows.append((f"processor time of a play, {live:,} live tables", figure))
    return rows


async def cost_of_a_play(crowd: Crowd) -> float:
    """Seconds of processor that a play takes, of Python and Postgres together."""
    await crowd.pace(LIVE_RATE)
    await asyncio.sleep(WARM)
    await crowd.appends()
    before = crowd.server.cost()
    await asyncio.sleep(SECONDS)
    after = crowd.server.cost()
    made = len(await crowd.appends())
    await crowd.hold()
    return (after.python + after.postgres - before.python - before.postgres) / made


async def two_workers() -> list[Row]:
    """Plays over HTTP at one worker and at two, in turns."""
    scripts = [script(seed, deals=24) for seed in range(16)]
    one, two = Side("one worker", [], [], []), Side("two workers", [], [], [])
    with tempfile.TemporaryDirectory(prefix="misere-") as parent:
        folder = Path(parent)
        with running(folder / "1") as single, running(folder / "2", "workers") as both:
            for _ in range(WORKERS_ROUNDS):
                for side, server in ((one, single), (two, both)):
                    sources = await plays(server, scripts, CONNECTIONS)
                    await measured(side, server, sources)
    rows = []
    for side in (one, two):
        p99 = median(tally.percentile(0.99) for tally in side.tallies)
        figure = f"{side.rate:,.0f} a second, p99 {p99:.0f} ms"
        rows.append((f"plays at {CONNECTIONS} connections, {side.name}", figure))
    pairs = zip(one.tallies, two.tallies, strict=True)
    ratio = median(second.rate / first.rate for first, second in pairs)
    return [*rows, ("two workers against one", f"{ratio:.2f}")]


@asynccontextmanager
async def of_bots(number: int) -> AsyncIterator[Crowd]:
    """So many tables of bots that stand still, at a server of their own."""
    with (
        tempfile.TemporaryDirectory(prefix="misere-") as parent,
        running(Path(parent) / "data", "paced") as server,
    ):
        url = f"http://{server.host}:{server.port}"
        async with httpx.AsyncClient(base_url=url, timeout=60) as http:
            made = await http.post("/v1/players", json={"name": "Ada"})
            await _make(server, made.json()["token"], number)
            yield Crowd(server, http, await _listed(http))


async def _make(server: Running, token: str, number: int) -> None:
    body = (
        b'{"game":"hearts","options":{"target":1000},"seats":[{"bot":"steady"},'
        b'{"bot":"steady"},{"bot":"steady"},{"bot":"random"}]}'
    )
    request = post("/v1/tables", body, token)
    shared: list[Iterator[bytes]] = [repeat(request, number)] * CONNECTIONS
    tally = await run(server.host, server.port, shared, seconds=600)
    assert tally.statuses == {201: number}


async def _listed(http: httpx.AsyncClient) -> list[str]:
    found: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        answer = await http.get("/v1/tables", params={"limit": PAGE, **cursor})
        page = answer.json()
        found += [table["id"] for table in page["items"]]
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}


def _waits(seconds: list[float]) -> str:
    return f"{percentile(seconds, 0.5):.1f}, {percentile(seconds, 0.99):.1f} ms"
