"""What the server counts of itself, as Prometheus reads it.

Each worker counts for itself. Where there are several their counts lie in files of a
folder that they share, and whichever is asked sums them up; counts of a worker that
has gone stay in the sum.
"""

import asyncio
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from services.feeds import Way
from services.ports import Slice

MEDIA: Final = CONTENT_TYPE_PLAIN_0_0_4

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder which workers share."""

NAMED: Final = "misere-metrics-"
"""How the names of such folders begin."""

SECONDS: Final = (
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1,
    2.5,
    5,
    10,
)
SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)

LOOK: Final = 1.0
"""Seconds between looks at what is watched."""

disable_created_metrics()  # type: ignore[no-untyped-call]


class _Stored(Struct):
    at: Annotated[datetime, Meta(tz=True)]


_stored: Final = msgspec.json.Decoder(_Stored)


class Metrics:
    """The counts of this process. No label names a table, a player or a card."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Histogram(
            "misere_request_seconds",
            "Time from a request to its answer, or the first part of it.",
            ("operation", "method", "status"),
            registry=registry,
            buckets=SECONDS,
        )
        self.unmatched = Counter(
            "misere_unmatched_requests",
            "Requests that met no operation.",
            registry=registry,
        )
        self._commands = Counter(
            "misere_commands",
            "Commands of clients: accepted, or the code of the problem.",
            ("outcome",),
            registry=registry,
        )
        self.repeated = Counter(
            "misere_commands_repeated",
            "Those of the accepted that had been carried out before.",
            registry=registry,
        )
        self.flight_seconds = Histogram(
            "misere_flight_seconds",
            "Time that the store took for a flight of appends.",
            registry=registry,
            buckets=SECONDS,
        )
        self.flight_appends = Histogram(
            "misere_flight_appends",
            "How many appends a flight had.",
            registry=registry,
            buckets=SIZES,
        )
        self._appends = Counter(
            "misere_appends",
            "What became of appends; a conflict is decided anew.",
            ("outcome",),
            registry=registry,
        )
        self._delivery = Histogram(
            "misere_delivery_seconds",
            "From an append's own time until followers of this process are handed it.",
            ("way",),
            registry=registry,
            buckets=SECONDS,
        )
        self._behind = Gauge(
            "misere_projection_lag_appends",
            "How many appends the read models are behind.",
            registry=registry,
            multiprocess_mode="livemostrecent",
        )
        self._watched: list[tuple[Gauge, Callable[[], float]]] = []
        self._children: dict[tuple[str, str, int], Histogram] = {}
        self._of_commands: dict[str, Counter] = {}
        self._of_appends: dict[str, Counter] = {}
        self._of_ways: dict[Way, Histogram] = {}

    def answered(
        self, operation: str, method: str, status: int, seconds: float
    ) -> None:
        """Count a request."""
        key = operation, method, status // 100
        child = self._children.get(key)
        if child is None:
            child = self._requests.labels(operation, method, f"{status // 100}xx")
            self._children[key] = child
        child.observe(seconds)

    def commanded(self, outcome: str) -> None:
        """Count a command of a client."""
        child = self._of_commands.get(outcome)
        if child is None:
            child = self._of_commands[outcome] = self._commands.labels(outcome)
        child.inc()

    def stored(self, outcome: str) -> None:
        """Count an append that the store has answered."""
        child = self._of_appends.get(outcome)
        if child is None:
            child = self._of_appends[outcome] = self._appends.labels(outcome)
        child.inc()

    def delivered(self, news: Slice, way: Way) -> None:
        """Count an append that followers were handed."""
        child = self._of_ways.get(way)
        if child is None:
            child = self._of_ways[way] = self._delivery.labels(way)
        at = _stored.decode(news.events[-1].body).at
        child.observe(max(0.0, (datetime.now(UTC) - at).total_seconds()))

    def watch(self, name: str, about: str, value: Callable[[], float]) -> None:
        """From now on look at a value of this process, which adds to the others'."""
        gauge = Gauge(name, about, registry=self._registry, multiprocess_mode="livesum")
        self._watched.append((gauge, value))

    def behind(self, appends: float) -> None:
        """Note how far the read models are behind; not a number where it is unknown."""
        self._behind.set(appends)

    async def run(self) -> None:
        """Look at what is watched, until cancelled: another worker may be asked."""
        while True:
            self._look()
            await asyncio.sleep(LOOK)

    def text(self) -> bytes:
        """The counts of all workers, in the form that Prometheus reads."""
        self._look()
        registry = self._registry
        if FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)

    def _look(self) -> None:
        for gauge, value in self._watched:
            gauge.set(value())


@contextmanager
def shared_by_workers() -> Iterator[None]:
    """A folder for the counts of the workers that are started meanwhile.

    What a keeper that was killed has left of its own goes.
    """
    _tidy_up()
    with TemporaryDirectory(prefix=NAMED) as folder, _locked(Path(folder)):
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


def _tidy_up() -> None:
    """Remove the folders that nobody holds; one that is empty is just being made."""
    for folder in Path(gettempdir()).glob(f"{NAMED}*"):
        with suppress(OSError), _locked(folder):
            if any(folder.iterdir()):
                shutil.rmtree(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a folder, until the block is left or this process ends, however it does.

    Raises:
        OSError: another process holds it, or it is none of ours.
    """
    lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(lock)


def forget_worker(pid: int) -> None:
    """Drop what was watched in a worker that has gone."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call]
