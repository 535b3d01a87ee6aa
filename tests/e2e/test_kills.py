"""The server is killed again and again while people play: nothing is lost or doubled.

Promises 1 and 6: what was acknowledged stays, and any process may die at any time.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil
import pytest

from tests.children import eventually
from tests.e2e.lasting import Place, place_at
from tests.e2e.surviving import Blow, survive


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """A folder for servers that come and go."""
    async with place_at(tmp_path / "data") as place:
        yield place


async def test_nothing_is_lost_or_doubled_by_a_few_kills(place: Place) -> None:
    """Two kills of the server, one of its database, in the middle of commands."""
    chance = Random(1)
    await survive(place, chance, kills(chance, of_servers=2, of_databases=1))
    assert any(sent.in_doubt for sent in place.sent)


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_nothing_is_lost_or_doubled_by_many_kills(place: Place) -> None:
    """The same with fifty kills of the server and ten of its database."""
    chance = Random(2)
    await survive(place, chance, kills(chance, of_servers=50, of_databases=10))
    assert sum(sent.in_doubt > 0 for sent in place.sent) >= 20


def kills(chance: Random, *, of_servers: int, of_databases: int) -> list[Blow]:
    """So many kills of each kind, in any order."""
    order: list[Blow] = [kill_server] * of_servers + [kill_database] * of_databases
    chance.shuffle(order)
    return order


async def kill_server(place: Place, chance: Random) -> None:
    """Kill the server under a command and start another.

    That may be killed while it starts.
    """
    await place.asked()
    await place.kill()
    while chance.random() < 0.2:
        await place.stillborn(chance.uniform(0.0, 1.5))
    await place.start()


async def kill_database(place: Place, _: Random) -> None:
    """Kill the postmaster alone, and wait until the server has launched another."""
    assert place.server is not None
    server, old = place.server, place.server.postmaster()
    old.kill()

    def replaced() -> bool:
        with suppress(ValueError, psutil.Error):  # there is none at this moment
            return server.postmaster().pid != old.pid
        return False

    assert await asyncio.to_thread(eventually, replaced)
