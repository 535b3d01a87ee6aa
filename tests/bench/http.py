"""Plays over HTTP: how many, how long each takes, what each costs."""

import tempfile
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path
from statistics import median
from typing import Final

import uvloop
from rich.console import Console
from rich.table import Table as Grid

from tests.bench.games import script
from tests.bench.load import post
from tests.bench.running import durable, running
from tests.bench.sides import Side, measured, plays

ROUNDS: Final = 5
SECONDS: Final = 4.0
CONNECTIONS: Final = 64
SCRIPTS: Final = 16


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
            await measured(nothing, real, idle)
            await measured(grouped, real, await plays(real, scripts, CONNECTIONS))
            await measured(alone, single, await plays(single, scripts, CONNECTIONS))
        _print_rates(console, [nothing, grouped, alone])
        waits = []
        for connections in (1, 16, 64):
            side = Side(str(connections), [], [], [])
            for _ in range(3):
                await measured(side, real, await plays(real, scripts, connections))
            waits.append(side)
        _print_waits(console, waits)


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
