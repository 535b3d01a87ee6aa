"""What a server costs at rest: memory a table, the start, a long table from cold."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Final

import httpx
from rich.console import Console
from rich.table import Table as Grid

from tests.bench.running import Running, running

TABLES: Final = 2000
LONG: Final = 2000
STARTS: Final = 3


def measure(console: Console) -> None:
    """Measure and print."""
    asyncio.run(_measure(console))


async def _measure(console: Console) -> None:
    with tempfile.TemporaryDirectory(prefix="misere-") as parent:
        folder = Path(parent) / "data"
        with running(folder) as server:
            first = server.ready
            await _idle(server, 200)
            before = server.memory()
            await _idle(server, TABLES)
            each = (server.memory() - before) / TABLES
            long = await _long(server)
        starts, cold, warm = [], [], []
        for _ in range(STARTS):
            with running(folder) as server:
                starts.append(server.ready)
                cold.append(await _view(server, long))
                warm.append(await _view(server, long))
    grid = Grid("at rest", "median")
    grid.add_row("memory of an idle table", f"{each / 1024:.1f} KiB")
    grid.add_row("first start, to ready", f"{first:.2f} s")
    grid.add_row("a later start, to ready", f"{median(starts):.2f} s")
    grid.add_row(f"a table of {LONG} events, from cold", f"{median(cold):.0f} ms")
    grid.add_row("the same table again", f"{median(warm):.1f} ms")
    console.print(grid)


@asynccontextmanager
async def _client(server: Running) -> AsyncIterator[httpx.AsyncClient]:
    """A player with a token."""
    url = f"http://{server.host}:{server.port}/v1"
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        token = (await http.post("/players", json={"name": "Ada"})).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        yield http


async def _idle(server: Running, tables: int) -> None:
    """Tables in play that wait for the one person at them."""
    async with _client(server) as http:
        room = asyncio.Semaphore(16)

        async def one() -> None:
            async with room:
                seats = [{}, *[{"bot": "steady"}] * 3]
                made = await http.post(
                    "/tables", json={"game": "hearts", "seats": seats}
                )
                table = made.json()["table"]["id"]
                (await http.put(f"/tables/{table}/seats/0", json={})).raise_for_status()

        await asyncio.gather(*(one() for _ in range(tables)))


async def _long(server: Running) -> str:
    """A table of bots with many events, abandoned once it has them."""
    async with _client(server) as http:
        wanted = {
            "game": "hearts",
            "options": {"target": 1000},
            "seats": [{"bot": "steady"}] * 4,
        }
        table = (await http.post("/tables", json=wanted)).json()["table"]["id"]
        while (await http.get(f"/tables/{table}")).json()["version"] < LONG:  # noqa: ASYNC110 - another process plays
            await asyncio.sleep(0.05)
        await http.post(f"/tables/{table}/abandon")
        return str(table)


async def _view(server: Running, table: str) -> float:
    async with _client(server) as http:
        began = time.perf_counter()
        (await http.get(f"/tables/{table}/view")).raise_for_status()
        return 1000 * (time.perf_counter() - began)
