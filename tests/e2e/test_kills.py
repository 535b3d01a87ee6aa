"""The server is killed again and again while people play: nothing is lost or doubled.

Promises 1 and 6: what was acknowledged stays, and any process may die at any time.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.e2e.lasting import Lasting, Place, match
from tests.e2e.running import lives
from tests.e2e.stored import Log
from tests.independent.record_check import check

LANES: Sequence[tuple[str | None, ...]] = (
    (None, None, None),
    (None, "steady", "random", "steady"),
    (None, None, "steady", None),
    ("random", "steady", "steady", "random", "steady"),
)
"""Who sits at the tables that are played at the same time."""

Kill = Callable[[Place, Random], Awaitable[None]]

SHORT = {"target": 40}
FINISH_SECONDS = 60.0
"""Within this time of the last kill every table is played to its end."""


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """A folder for servers that come and go."""
    place = Place(tmp_path / "data")
    yield place
    await place.close()


async def test_nothing_is_lost_or_doubled_by_a_few_kills(place: Place) -> None:
    """Four kills of the server, one of its database, in the middle of commands."""
    await survive(place, Random(1), kills=4, database_kills=1)


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_nothing_is_lost_or_doubled_by_many_kills(place: Place) -> None:
    """The same with fifty kills of the server and ten of its database."""
    await survive(place, Random(2), kills=50, database_kills=10)
    assert sum(sent.in_doubt > 0 for sent in place.sent) >= 20
    assert any(sent.put_off for sent in place.sent)


async def survive(
    place: Place, chance: Random, *, kills: int, database_kills: int
) -> None:
    """Play while killing; then every match is over and the log is what was answered."""
    await place.start()
    enough = asyncio.Event()
    tables: list[str] = []

    async def lane(seats: Sequence[str | None], chance: Random) -> None:
        while not enough.is_set():
            tables.append(await match(place, chance, seats, SHORT))

    async with asyncio.TaskGroup() as group:
        lanes = [
            group.create_task(lane(seats, Random(chance.random()))) for seats in LANES
        ]
        for kill in deaths(chance, kills, database_kills):
            await asyncio.sleep(chance.uniform(0.05, 0.7))
            await kill(place, chance)
        enough.set()
        async with asyncio.timeout(FINISH_SECONDS):
            await asyncio.wait(lanes)
    await audit(place, tables)
    assert await place.stop() == 0


def deaths(chance: Random, kills: int, database_kills: int) -> list[Kill]:
    """So many kills of each kind, in any order."""
    order = [kill_server] * kills + [kill_database] * database_kills
    chance.shuffle(order)
    return order


async def kill_server(place: Place, chance: Random) -> None:
    """Kill the server and start another; that may be killed while it starts."""
    await place.kill()
    while chance.random() < 0.2:
        await place.stillborn(chance.uniform(0.0, 1.5))
    await place.start()


async def kill_database(place: Place, _: Random) -> None:
    """Kill the postmaster alone, and wait until the server has it running again."""
    assert place.server is not None
    old = place.server.postmaster()
    old.kill()
    http = await place.http()
    until = asyncio.get_running_loop().time() + FINISH_SECONDS
    while lives(old) or not (await http.get("/health/ready")).is_success:
        assert asyncio.get_running_loop().time() < until
        await asyncio.sleep(0.02)


async def audit(place: Place, tables: list[str]) -> None:
    """See that every match was played to its end, and that the log is as answered."""
    auditor = await Lasting.join(place, "Auditor")
    for table in tables:
        record = await auditor.record(table)
        assert record["table"]["status"] == "finished"
        assert check(record) == []
    page = await auditor.get("/tables", limit=200)
    listed = page["items"]
    while page["next"] is not None:
        page = await auditor.get("/tables", limit=200, cursor=page["next"])
        listed += page["items"]
    assert {table["id"]: table["status"] for table in listed} == dict.fromkeys(
        tables, "finished"
    )
    log = await Log.of(place.folder)
    assert {str(table) for table in log.streams} == set(tables)
    log.check()
    log.check_answers(place.sent)
    assert place.server is not None
    assert "request failed" not in place.server.output
    assert "never retrieved" not in place.server.output
