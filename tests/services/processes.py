"""Processes that work at the same log: each with its tables, committer and loops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from random import Random
from uuid import UUID

from domain.commands import Act, Command, OpenTable, Pass, TakeSeat
from domain.decisions import PassChoices
from domain.ids import PlayerId, Seat, TableId
from domain.people import By, Occupant
from domain.table import Table
from infra.ratings import OpenSkillRatings
from services.committer import Committer
from services.identity import Request, request_of
from services.ports import EventLog
from services.projections import Projector
from services.rating import Rater
from services.tables import Outside, Plan, Tables
from tests.fakes.memory import MemoryEventLog
from tests.fakes.read_models import MemoryReadModels
from tests.fakes.standings import MemoryStandings

HOST = PlayerId(UUID(int=1))


def outside(seed: int = 1) -> Outside:
    """A clock that stands still and chance that repeats itself."""
    return Outside(
        now=lambda: datetime(2026, 11, 30, 12, tzinfo=UTC),
        random_bytes=Random(seed).randbytes,
    )


@asynccontextmanager
async def process(log: EventLog, *, seed: int = 1) -> AsyncIterator[Tables]:
    """The tables of one process, its committer flying until the block is left."""
    committer = Committer(log)
    flying = asyncio.create_task(committer.run())
    try:
        yield Tables(log, committer, outside(seed))
    finally:
        flying.cancel()
        await asyncio.gather(flying, return_exceptions=True)


def follower(
    log: MemoryEventLog, models: MemoryReadModels, tables: Tables
) -> Projector:
    """A process's projector."""
    rater = Rater(MemoryStandings(models), OpenSkillRatings())
    return Projector(log, models, tables, rater)


def person(number: int) -> PlayerId:
    """A player by number."""
    return PlayerId(UUID(int=number + 100))


async def open_table(tables: Tables, table: TableId, *seats: Occupant) -> None:
    """Open a table of Hearts for four, or with these seats."""
    command = OpenTable(
        game="hearts", options={}, seats=seats or (Occupant(),) * 4, host=HOST
    )
    await tables.open(table, By(player=HOST), command, request(b"open"))


async def fill(tables: Tables, table: TableId) -> None:
    """Seat four players, so that the match begins."""
    for seat in range(4):
        player = person(seat)
        command = TakeSeat(Seat(seat), Occupant(player=player))
        await tables.execute(
            table, always(By(player=player), command), request(b"sit%d" % seat)
        )


def always(by: By, command: Command) -> Plan:
    """The same command, whatever the table has come to."""
    return lambda _: (by, command)


def pass_first_three(seat: int) -> Plan:
    """Pass the first three cards of the seat's hand."""

    def plan(table: Table) -> tuple[By, Command]:
        at = Seat(seat)
        choices = table.game.choices(table.play, at)
        cards = choices.from_[:3] if isinstance(choices, PassChoices) else ()
        return By(seat=at), Act(at, Pass(cards=cards))

    return plan


def request(name: bytes, contents: bytes = b"") -> Request:
    """A request that can be sent again."""
    return request_of(name, contents=contents)
