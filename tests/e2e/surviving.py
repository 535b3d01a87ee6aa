"""Matches that go on while something is done to their server, and what must hold then.

Every match is played to its end, and the log is what people were answered.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Final

from tests.e2e.lasting import Lasting, Place, match
from tests.e2e.stored import Log
from tests.independent.record_check import check

LANES: Final[Sequence[tuple[str | None, ...]]] = (
    (None, None, None),
    (None, "steady", "random", "steady"),
    (None, None, "steady", None),
    ("random", "steady", "steady", "random", "steady"),
)
"""Who sits at the tables that are played at the same time."""

Blow = Callable[[Place, Random], Awaitable[None]]

SHORT: Final = {"target": 10}
FINISH_SECONDS: Final = 60.0
"""Within this time of the last kill every table is played to its end."""


async def survive(place: Place, chance: Random, blows: Sequence[Blow]) -> None:
    """Play under these blows; then see that all is over, and as it was answered."""
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
        for blow in blows:
            await asyncio.sleep(chance.uniform(0.05, 0.7))
            await blow(place, chance)
        enough.set()
        async with asyncio.timeout(FINISH_SECONDS):
            await asyncio.wait(lanes)
    await audit(place, tables)
    assert await place.stop() == 0


async def audit(place: Place, tables: list[str]) -> None:
    """See that every match was played to its end, and that the log is as answered."""
    auditor = await Lasting.join(place, "Auditor")
    for table in tables:
        record = await auditor.record(table)
        assert record["table"]["status"] == "finished"
        assert check(record) == []
        assert (await auditor.get(f"/tables/{table}/verification"))["ok"]
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
