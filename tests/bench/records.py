"""Records: how quickly they are checked, in how much memory, and a log read again."""

import asyncio
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from rich.console import Console
from rich.table import Table as Grid

from api.databases import database
from domain.chain import origin
from domain.ids import TableId, Version
from domain.log import public_event
from domain.records import verify
from domain.terms import Options
from infra.database import connect
from infra.event_log import PostgresEventLog
from infra.settings import Settings
from services.committer import Committer
from services.ports import NewAppend
from services.snapshots import PAGE
from services.tables import Tables
from tests.driver import Driver, hearts_of_people, of_bots
from tests.games import TRIALS
from tests.playing import OUTSIDE, follower

ROUNDS: Final = 7
AIM_MS: Final = 30
AIM_REBUILT: Final = 0.3

ENDLESS: Final[Options] = {"target": 1000, "jack_of_diamonds": -100}
"""A match that nobody loses: it is given up when it is long enough."""

EVENTS: Final = (1_000, 10_000, 100_000)

CHILD: Final = """
import sys
from domain.records import verify
from services.auditing import lines_in
with open(sys.argv[1], "rb") as file:
    assert verify(lambda: lines_in(file)).ok
print(next(it.split()[1] for it in open("/proc/self/status") if "VmHWM" in it))
"""
"""Checks a record from a file, and prints the most memory that it took, in KiB.

What the kernel keeps as a process's `maxrss` is that of its parent as well.
"""

TABLES: Final = 100


def measure(console: Console) -> None:
    """Measure and print."""
    grid = Grid("records", "median")
    for game, trial in TRIALS.items():
        driver = trial.recorded()
        each = _seconds(driver)
        grid.add_row(
            f"{game}: a match of {driver.table.version} events",
            f"{1000 * each:.1f} ms, {1 / each:.0f} a second",
        )
    for events in EVENTS:
        driver = long_match(events)
        each = 1000 * _seconds(driver) / driver.table.version
        grid.add_row(
            f"a match of {driver.table.version:,} events",
            f"{1000 * each:.1f} ms for 1,000 (aim {AIM_MS}), {_memory(driver):.0f} MiB",
        )
    with tempfile.TemporaryDirectory(prefix="misere-") as parent:
        settings = Settings(data=Path(parent) / "data")
        with database(settings, None) as url:
            asyncio.run(_measure_rebuild(grid, url))
    console.print(grid)


def long_match(events: int) -> Driver:
    """A match of about so many events."""
    driver = of_bots("hearts", ENDLESS, seed=1)
    while driver.table.version < events:
        driver.step()
    return driver.abandon()


def _memory(driver: Driver) -> float:
    """The most memory that a process takes that checks the record, in MiB."""
    with tempfile.NamedTemporaryFile() as file:
        file.writelines(line + b"\n" for line in driver.record_lines())
        file.flush()
        ran = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", CHILD, file.name],
            check=True,
            capture_output=True,
            text=True,
        )
    return int(ran.stdout) / 1024


def _seconds(driver: Driver) -> float:
    """The median of processor seconds that its record takes to be checked."""
    lines = driver.record_lines()
    found = []
    for _ in range(ROUNDS):
        began = time.process_time()
        assert verify(partial(iter, lines)).ok
        found.append(time.process_time() - began)
    return median(found)


async def _measure_rebuild(grid: Grid, url: str) -> None:
    """Hold a rebuild of the read models against a raw reading of the same rows."""
    async with await connect(url) as pool:
        log = PostgresEventLog(pool)
        tables = await _stored(log)
        raw, rebuilt = [], []
        events = 0
        for _ in range(ROUNDS):
            began = time.perf_counter()
            events = sum([await _read(log, table) for table in tables])
            raw.append(events / (time.perf_counter() - began))
            began = time.perf_counter()
            projector = follower(pool, Tables(log, Committer(log), OUTSIDE))
            assert await projector.rebuild()
            rebuilt.append(events / (time.perf_counter() - began))
    ratio = median(one / other for one, other in zip(rebuilt, raw, strict=True))
    grid.add_row(f"{events:,} events read", f"{median(raw):,.0f} a second")
    grid.add_row("the same in a rebuild", f"{median(rebuilt):,.0f} a second")
    grid.add_row("a rebuild against reading", f"{ratio:.2f} (aim {AIM_REBUILT})")


async def _stored(log: PostgresEventLog) -> list[TableId]:
    """Store whole matches of people, append by append; their tables."""
    drivers = [hearts_of_people(seed=seed).finish() for seed in range(TABLES)]
    for number in range(max(len(driver.appends) for driver in drivers)):
        on = [driver for driver in drivers if number < len(driver.appends)]
        await log.append([_append(driver, number) for driver in on])
    return [driver.id for driver in drivers]


def _append(driver: Driver, number: int) -> NewAppend:
    before = driver.tables[number - 1].version if number else Version(0)
    after = driver.tables[number].version
    lines = driver.lines[before:after]
    return NewAppend(
        table=driver.id,
        expected=before,
        prev=driver.lines[before - 1].hash if before else origin(driver.id),
        head=lines[-1].hash,
        command=public_event(lines[0].body).command,
        request=lines[-1].hash,
        events=tuple(lines),
    )


async def _read(log: PostgresEventLog, table: TableId) -> int:
    """Read a table's rows as a rebuild does, and do nothing with them."""
    after = Version(0)
    while stored := await log.read(table, after, PAGE):
        await log.secrets(table, stored[0].version, stored[-1].version)
        after = stored[-1].version
        if len(stored) < PAGE:
            break
    return after
