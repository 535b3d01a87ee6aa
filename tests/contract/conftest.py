"""Each implementation of each port, one after the other."""

from collections.abc import AsyncIterator

import pytest

from infra import hints
from infra.cluster_hints import ClusterHints
from infra.event_log import PostgresEventLog
from infra.hints import RedisHints, connect
from infra.key_ring import PostgresKeyRing
from infra.notes import PostgresNotes
from infra.players import PostgresPlayers
from infra.read_models import PostgresReadModels
from infra.settings import CLUSTER
from infra.standings import PostgresStandings
from services.ports import EventLog, Hints, Players, TableNotes
from services.read_models import ReadModels
from services.receipts import KeyRing
from services.standings import Standings
from tests.fakes import (
    MemoryEventLog,
    MemoryHints,
    MemoryKeyRing,
    MemoryLine,
    MemoryNotes,
    MemoryPlayers,
    MemoryReadModels,
    MemoryStandings,
)


@pytest.fixture(params=["memory", "postgres"])
def stored_in(request: pytest.FixtureRequest) -> str:
    """Where the implementation under test keeps what it is given."""
    return str(request.param)


@pytest.fixture
def log(stored_in: str, request: pytest.FixtureRequest) -> EventLog:
    """An empty event log."""
    if stored_in == "memory":
        return MemoryEventLog()
    return PostgresEventLog(request.getfixturevalue("pool"))


@pytest.fixture
def players(stored_in: str, request: pytest.FixtureRequest) -> Players:
    """Nobody yet."""
    if stored_in == "memory":
        return MemoryPlayers()
    return PostgresPlayers(request.getfixturevalue("pool"))


@pytest.fixture
def notes(stored_in: str, request: pytest.FixtureRequest) -> TableNotes:
    """No note yet."""
    if stored_in == "memory":
        return MemoryNotes()
    return PostgresNotes(request.getfixturevalue("pool"))


@pytest.fixture
def ring(stored_in: str, request: pytest.FixtureRequest) -> KeyRing:
    """No key yet."""
    if stored_in == "memory":
        return MemoryKeyRing()
    return PostgresKeyRing(request.getfixturevalue("pool"))


@pytest.fixture
def models(stored_in: str, request: pytest.FixtureRequest) -> ReadModels:
    """Read models that have seen nothing."""
    if stored_in == "memory":
        return MemoryReadModels()
    return PostgresReadModels(request.getfixturevalue("pool"))


@pytest.fixture
def standings(
    models: ReadModels, stored_in: str, request: pytest.FixtureRequest
) -> Standings:
    """The results and standings of these read models."""
    if stored_in == "memory":
        assert isinstance(models, MemoryReadModels)
        return MemoryStandings(models)
    return PostgresStandings(request.getfixturevalue("pool"))


@pytest.fixture(params=["memory", "valkey", "cluster"])
async def ends(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Hints, Hints]]:
    """Two ends of one line of hints, which see at once that the other listens."""
    monkeypatch.setattr(hints, "ALONE_FOR", 0.0)
    if request.param == "memory":
        line = MemoryLine()
        yield MemoryHints(line), MemoryHints(line)
        return
    url = request.getfixturevalue(request.param).url()
    one, other = (
        ClusterHints(url) if url.startswith(CLUSTER) else RedisHints(connect(url))
        for _ in range(2)
    )
    yield one, other
    await one.close()
    await other.close()
