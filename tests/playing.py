"""A process that plays real matches at tables that it shares with others like it."""

import asyncio
import os
import time
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from uuid import UUID, uuid5

import asyncpg

from domain.bots import BOTS
from domain.commands import AbandonTable, Act, Command, LeaveSeat, OpenTable, TakeSeat
from domain.errors import Refusal
from domain.ids import PlayerId, Seat, TableId
from domain.people import NOBODY, By, Occupant
from domain.table import Table
from domain.views import sight, to_act
from infra.database import connect
from infra.event_log import PostgresEventLog
from infra.ratings import OpenSkillRatings
from infra.read_models import PostgresReadModels
from infra.standings import PostgresStandings
from services.committer import Committer
from services.errors import Denied, NotFound
from services.identity import Request, request_of
from services.projections import Projector
from services.rating import Rater
from services.read_models import ReadModels
from services.tables import Outside, Tables

SPACE = UUID("6d697365-7265-4000-8000-000000000001")
LANES = 6
"""How many tables are played at the same time, each by all processes."""

OUTSIDE = Outside(now=lambda: datetime.now(UTC), random_bytes=os.urandom)


def play(url: str, seed: int, seconds: float) -> int:
    """Play for some seconds, projecting all the while; how much was carried out.

    What the rules refuse is nothing here, for others move at the same tables; any other
    fault is raised.
    """
    return asyncio.run(_play(url, seed, seconds))


async def _play(url: str, seed: int, seconds: float) -> int:
    until = time.monotonic() + seconds
    async with await connect(url, smallest=3, largest=3) as pool:
        log = PostgresEventLog(pool)
        committer = Committer(log)
        # It keeps few, and so reads tables anew that it has forgotten.
        tables = Tables(log, committer, OUTSIDE, keep=LANES - 2)
        projector = follower(pool, tables)
        loops = [
            asyncio.create_task(loop) for loop in (committer.run(), projector.run())
        ]
        players = [_Player(tables, Random(seed + n)) for n in range(3)]
        done = sum(await asyncio.gather(*(each.work(until) for each in players)))
        await projector.catch_up()
        for loop in loops:
            assert not loop.done()
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
    return done


def follower(
    pool: asyncpg.Pool, tables: Tables, models: ReadModels | None = None
) -> Projector:
    """A projector of these tables, into read models like any or into these."""
    rater = Rater(PostgresStandings(pool), OpenSkillRatings())
    models = models or PostgresReadModels(pool)
    return Projector(PostgresEventLog(pool), models, tables, rater)


class _Player:
    """Does whatever somebody may do at a table, for anybody."""

    def __init__(self, tables: Tables, chance: Random) -> None:
        self._tables = tables
        self._chance = chance
        self._rounds = [0] * LANES

    async def work(self, until: float) -> int:
        done = 0
        while time.monotonic() < until:
            with suppress(Refusal, Denied):
                done += await self._step(self._chance.randrange(LANES))
        return done

    async def _step(self, lane: int) -> bool:
        table_id = TableId(uuid5(SPACE, f"{lane} {self._rounds[lane]}"))
        try:
            table = (await self._tables.known(table_id)).table
        except NotFound:
            opening = OpenTable(
                "hearts", {"target": 1}, (Occupant(),) * 4, person(0), rated=True
            )
            request = request_of(b"open", table_id.bytes)
            await self._tables.open(table_id, By(player=person(0)), opening, request)
            return True
        if table.is_over():
            self._rounds[lane] += 1
            return False
        plan = self._seating(table) if table.status == "open" else self._move(table)
        by, command, request = plan
        await self._tables.execute(table_id, lambda _: (by, command), request)
        return True

    def _seating(self, table: Table) -> tuple[By, Command, Request]:
        """Sit down, or at times stand up again."""
        seat = Seat(self._chance.randrange(4))
        by = By(player=person(seat))
        if table.seats[seat] != NOBODY and self._chance.random() < 0.3:
            return by, LeaveSeat(seat), OUTSIDE.request()
        return by, TakeSeat(seat, Occupant(player=person(seat))), OUTSIDE.request()

    def _move(self, table: Table) -> tuple[By, Command, Request]:
        """Answer a decision, at times as one command with others who answer it."""
        if self._chance.random() < 0.002:
            return By(player=person(0)), AbandonTable(), OUTSIDE.request()
        seat = self._chance.choice(to_act(table))
        command = Act(seat, BOTS["random"](sight(table, seat), self._chance))
        decision = f"{table.decisions[seat]}.{seat}"
        shared = request_of(b"move", table.id.bytes, decision)
        request = self._chance.choice([shared, OUTSIDE.request()])
        return By(seat=seat), command, request


def person(number: int) -> PlayerId:
    """A player by number."""
    return PlayerId(UUID(int=number + 1))
