"""A table that this program cannot follow keeps nobody else waiting."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from uuid import uuid4

import asyncpg
from structlog.testing import capture_logs

from api.house import House, opened
from domain.chain import shard_of
from domain.commands import LeaveSeat, OpenTable, TakeSeat
from domain.ids import Seat, TableId
from domain.people import By, Occupant
from infra.event_log import PostgresEventLog
from infra.settings import Settings
from services.committer import Committer
from services.read_models import LobbyFilter
from services.tables import Tables
from tests.newer import newer
from tests.playing import OUTSIDE, person

ME = person(0)
SIT = TakeSeat(Seat(0), Occupant(player=ME))
LEAVE = LeaveSeat(Seat(0))


@asynccontextmanager
async def playing(pool: asyncpg.Pool) -> AsyncIterator[Tables]:
    """The tables of a process that nothing follows."""
    log = PostgresEventLog(pool)
    committer = Committer(log)
    flying = asyncio.create_task(committer.run())
    yield Tables(log, committer, OUTSIDE)
    flying.cancel()
    await asyncio.gather(flying, return_exceptions=True)


async def sit_down(tables: Tables, table: TableId) -> None:
    """Open a table and sit down there."""
    by = By(player=ME)
    opening = OpenTable("hearts", {}, (Occupant(),) * 4, ME)
    await tables.open(table, by, opening, OUTSIDE.request())
    await tables.execute(table, lambda _: (by, SIT), OUTSIDE.request())


async def free_seats(house: House) -> dict[TableId, int]:
    """How many seats the lobby says are free at each table."""
    await house.projector.catch_up()
    page = await house.models.lobby(LobbyFilter(), 100)
    return {row.table: row.free_seats for row in page.items}


def of_one_shard() -> Sequence[TableId]:
    """Two tables that lie in the same shard."""
    ids = (TableId(uuid4()) for _ in count())
    return [next(it for it in ids if shard_of(it) == 5) for _ in range(2)]


async def test_what_cannot_be_followed_is_passed_over(
    pool: asyncpg.Pool, database: str
) -> None:
    """Its row stays, others move on; a version that can follow it rebuilds.

    The log has a line of it, by id, kind and place, once.
    """
    strange, other = of_one_shard()
    by, settings = By(player=ME), Settings()
    async with playing(pool) as tables:
        await sit_down(tables, strange)
        async with opened(settings, database) as house:
            assert await free_seats(house) == {strange: 3}
        with newer():
            leaving = OUTSIDE.request()
            await tables.execute(strange, lambda _: (by, LEAVE), leaving)
        with capture_logs() as logged:
            async with opened(settings, database) as house:
                assert await free_seats(house) == {strange: 3}
                await sit_down(tables, other)
                assert await free_seats(house) == {strange: 3, other: 3}
        [told] = [it for it in logged if it["log_level"] == "error"]
        assert (told["table"], told["error"]) == (strange, "KeyError")
        assert "domain/log.py:" in told["at"][-1]
        with newer():
            async with opened(settings, database) as house:
                assert await house.projector.rebuild()
                assert await free_seats(house) == {strange: 4, other: 3}
