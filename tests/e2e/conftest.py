"""A server for all tests of this folder, and people who call it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.e2e.client import Client
from tests.e2e.four import Four, four_of
from tests.e2e.running import Server, misere, serving

ORIGIN = "https://cards.example"

Guests = Callable[[int], Awaitable[list[Client]]]
"""Makes so many new players."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server with a data folder of its own."""
    folder = tmp_path_factory.mktemp("e2e") / "data"
    with serving(folder, MISERE_ALLOWED_ORIGINS=ORIGIN) as server:
        yield server
        assert "request failed" not in server.output


@pytest.fixture(scope="session")
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """Connections to that server."""
    async with httpx.AsyncClient(base_url=server.address, timeout=30) as http:
        yield http


@pytest.fixture(scope="session")
def stranger(http: httpx.AsyncClient) -> Client:
    """Somebody without a token."""
    return Client(http)


@pytest.fixture
def guests(http: httpx.AsyncClient) -> Guests:
    """What makes new players."""

    async def make(count: int) -> list[Client]:
        return [await Client.register(http, f"Guest {n}") for n in range(count)]

    return make


@pytest.fixture
async def four(guests: Guests) -> Four:
    """Four people who are about to pass."""
    return await four_of(await guests(4))


@pytest.fixture(scope="session")
async def admin(server: Server, http: httpx.AsyncClient) -> Client:
    """An administrator, made by the command line while the server runs."""
    made = misere("token", "--admin", "--data", server.folder)
    assert made.returncode == 0, made.stderr
    token = made.stdout.strip()
    client = Client(http, token)
    client.id = (await client.get("/me"))["player"]["id"]
    return client


@pytest.fixture(scope="session")
async def referee(server: Server, http: httpx.AsyncClient) -> Client:
    """An administrator who may look at hidden cards, where the log says so."""
    made = misere("token", "--admin", "--referee", "--data", server.folder)
    assert made.returncode == 0, made.stderr
    client = Client(http, made.stdout.strip())
    client.id = (await client.get("/me"))["player"]["id"]
    return client


@pytest.fixture(scope="session")
def golden() -> Path:
    """The folder of worked examples."""
    return Path(__file__).parents[1] / "golden"
