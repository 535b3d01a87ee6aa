"""Servers under measurement, and what they cost."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import asyncpg
import psutil
from msgspec import Struct

from infra.embedded import address_of_running

ADDRESS: Final = re.compile(r"Misère listens on (http://\S+)")
MUST_BE_ON: Final = ("fsync", "synchronous_commit", "full_page_writes")


class Cost(Struct, frozen=True):
    """Processor time in seconds: of the server's Python, and of its Postgres."""

    python: float
    postgres: float


class Running(Struct, frozen=True):
    """A server that runs; `ready` is how long it took to say so, in seconds."""

    host: str
    port: int
    process: psutil.Process
    folder: Path
    ready: float

    def cost(self) -> Cost:
        """What it has cost so far."""
        children = self.process.children(recursive=True)
        return Cost(_spent(self.process), sum(map(_spent, children)))

    def memory(self) -> int:
        """Bytes of memory that the server's Python holds."""
        return int(self.process.memory_info().rss)


@contextmanager
def running(folder: Path, *variant: str) -> Iterator[Running]:
    """A server in a process of its own."""
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.bench.server", str(folder), *variant],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path.cwd()), "MISERE_LOG": "warning"},
    ) as process:
        try:
            assert process.stdout is not None
            found = ADDRESS.search(process.stdout.readline())
            assert found, "the server did not start"
            ready = time.perf_counter() - began
            address = urlsplit(found[1])
            yield Running(
                str(address.hostname),
                int(address.port or 0),
                psutil.Process(process.pid),
                folder,
                ready,
            )
        finally:
            process.terminate()


async def durable(folder: Path) -> None:
    """Make sure that the server's Postgres keeps what it acknowledges."""
    connection = await asyncpg.connect(address_of_running(folder))
    try:
        for setting in MUST_BE_ON:
            value = await connection.fetchval(f"SHOW {setting}")
            assert value == "on", f"{setting} is {value}"
    finally:
        await connection.close()


def _spent(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)
