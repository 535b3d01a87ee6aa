"""Plays over HTTP: how many, how long each takes, what each costs."""

import asyncio
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path
from statistics import median
from typing import Final

import httpx
import uvloop
from msgspec import Struct
from rich.console import Console
from rich.table import Table as Grid

from tests.bench.games import OPTIONS, Script, script
from tests.bench.load import Tally, post, run
from tests.bench.running import Running, durable, running

ROUNDS: Final = 5
SECONDS: Final = 4.0
CONNECTIONS: Final = 64
SCRIPTS: Final = 16


class Side(Struct):
    """One side of the comparison, over its rounds."""

    name: str
    tallies: list[Tally]
    python: list[float]
    postgres: list[float]

    @property
    def rate(self) -> float:
        """The median of its rounds: answers of 201 a second."""
        return median(tally.rate for tally in self.tallies)


def measure(console: Console) -> None:
    """Measure all sides in turns and print medians and ratios."""
    uvloop.run(_measure(console))


async def _measure(console: Console) -> None:
    scripts = [script(seed, deals=24) for seed in range(SCRIPTS)]
    with ExitStack() as stack:
        folders = [
            Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="misere-")))
            for _ in range(2)
        ]
        real = stack.enter_context(running(folders[0] / "data"))
        single = stack.enter_context(running(folders[1] / "data", "single"))
        for server in (real, single):
            await durable(server.folder)
        nothing = Side("a POST that does nothing", [], [], [])
        grouped = Side("plays, group commit", [], [], [])
        alone = Side("plays, a transaction each", [], [], [])
        for _ in range(ROUNDS):
            idle = [repeat(post("/nothing", b"{}"))] * CONNECTIONS
            await _round(nothing, real, idle)
            await _round(grouped, real, await _plays(real, scripts, CONNECTIONS))
            await _round(alone, single, await _plays(single, scripts, CONNECTIONS))
        _print_rates(console, [nothing, grouped, alone])
        waits = []
        for connections in (1, 16, 64):
            side = Side(str(connections), [], [], [])
            for _ in range(3):
                await _round(side, real, await _plays(real, scripts, connections))
            waits.append(side)
        _print_waits(console, waits)


async def _round(
    side: Side, server: Running, sources: Sequence[Iterator[bytes]]
) -> None:
    before = server.cost()
    tally = await run(server.host, server.port, sources, SECONDS)
    after = server.cost()
    done = tally.statuses.get(201, 0)
    assert set(tally.statuses) == {201}, tally.statuses
    side.tallies.append(tally)
    side.python.append((after.python - before.python) / done)
    side.postgres.append((after.postgres - before.postgres) / done)


async def _plays(
    server: Running, scripts: list[Script], tables: int
) -> list[Iterator[bytes]]:
    """New tables, and for each the requests that play at it in order."""
    url = f"http://{server.host}:{server.port}/v1"
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        tokens = [
            (await http.post("/players", json={"name": "Ada"})).json()["token"]
            for _ in range(4)
        ]
        room = asyncio.Semaphore(16)

        async def made(number: int) -> Iterator[bytes]:
            async with room:
                return await _table(http, tokens, scripts[number % len(scripts)])

        return await asyncio.gather(*map(made, range(tables)))


async def _table(
    http: httpx.AsyncClient, tokens: list[str], played: Script
) -> Iterator[bytes]:
    headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
    table = {
        "game": "hearts",
        "options": OPTIONS,
        "arrangement": {**played.arrangement, "first_dealer": 0},
    }
    made = await http.post("/tables", json=table, headers=headers[0])
    id_ = made.json()["table"]["id"]
    for seat in range(4):
        await http.put(f"/tables/{id_}/seats/{seat}", json={}, headers=headers[seat])
    path = f"/v1/tables/{id_}/commands"
    return (
        post(path, json.dumps({"type": "play", "card": card}).encode(), tokens[seat])
        for seat, card in played.plays
    )


def _print_rates(console: Console, sides: list[Side]) -> None:
    nothing, grouped, alone = sides
    grid = Grid("64 connections", "a second", "Python", "Postgres", "in")
    for side in sides:
        grid.add_row(
            side.name,
            f"{side.rate:.0f}",
            f"{1e6 * median(side.python):.0f}",
            f"{1e6 * median(side.postgres):.0f}",
            "µs each",
        )
    console.print(grid)
    ratios = [
        (g.rate / n.rate, g.rate / a.rate)
        for n, g, a in zip(nothing.tallies, grouped.tallies, alone.tallies, strict=True)
    ]
    console.print(
        f"plays against nothing: {median(r for r, _ in ratios):.2f} (aim 0.5); "
        f"group commit against a transaction each: {median(r for _, r in ratios):.2f}"
        " (aim 2)"
    )


def _print_waits(console: Console, sides: list[Side]) -> None:
    grid = Grid("connections", "plays a second", "p50 ms", "p99 ms")
    for side in sides:
        grid.add_row(
            side.name,
            f"{side.rate:.0f}",
            f"{median(tally.percentile(0.5) for tally in side.tallies):.1f}",
            f"{median(tally.percentile(0.99) for tally in side.tallies):.1f}",
        )
    console.print(grid)
