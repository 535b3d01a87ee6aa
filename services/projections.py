"""The read models follow the log: lobby, open decisions, results and standings.

Each shard is followed by position, which has no gaps, and the checkpoint moves in the
same transaction as what it stands for; whichever process gets there first wins. A
rebuild fills a new generation beside the one that is served, and then switches.

A table that this program cannot follow is passed over, and keeps the row that it had
until it is followed again: by its next append, or by a rebuild of a version that can.
"""

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from domain.absence import next_due
from domain.chain import canonical
from domain.facts import TableFacts
from domain.ids import PlayerId, Position, Shard
from domain.table import Table
from domain.views import KINDS, to_act
from services.errors import Busy
from services.facts import facts
from services.importing import is_import
from services.ports import EventLog, Placed, StoreUnavailable
from services.rating import Rater
from services.read_models import (
    Generation,
    Match,
    OpenDecision,
    ReadModels,
    TableSummary,
)
from services.results import match_of
from services.snapshots import Snapshot
from services.tables import Tables
from services.turns import Turn

BATCH: Final = 2000
IDLE: Final = 1.0
"""Seconds between looks at the log when nothing is heard of new appends."""
GATHER: Final = 0.5
"""Seconds that appends gather before they are followed: who reads does not wait."""


class Projector:
    """Keeps the served read models up to date. Run `run` beside the server."""

    def __init__(
        self, log: EventLog, models: ReadModels, tables: Tables, rater: Rater
    ) -> None:
        self.models = models
        self._log = log
        self._tables = tables
        self._rater = rater
        self._hint = asyncio.Event()
        self._turn = Turn()
        self._asked = 0
        self._answered = 0
        """Of those who have asked to catch up, how many need not any more."""
        tables.listen(lambda _: self._hint.set())

    async def run(self) -> None:
        """Follow until cancelled."""
        while True:
            with suppress(TimeoutError):
                # Not wait_for: where the hint comes with it, that loses a cancellation.
                async with asyncio.timeout(IDLE):
                    await self._hint.wait()
            self._hint.clear()
            with suppress(StoreUnavailable, Busy):
                await self.catch_up()
            await asyncio.sleep(GATHER)

    async def catch_up(self) -> None:
        """Bring the served read models to where the log stood at this call.

        Of those who wait for one that is under way, the next one does it for all.

        Raises:
            Busy: it takes long; what the read models serve may be behind.
        """
        self._asked += 1
        mine = self._asked
        with await self._turn.taken():
            if self._answered >= mine:
                return
            asked = self._asked
            while not await self._follow(await self.models.serving()):
                pass  # a rebuild has switched meanwhile
            self._answered = asked

    async def behind(self) -> int:
        """How many appends of the log the served read models do not know of yet."""
        while not (
            reached := await self.models.checkpoints(await self.models.serving())
        ):
            pass  # a rebuild has switched meanwhile
        return sum(await self._log.positions()) - sum(reached)

    async def rebuild(self) -> bool:
        """Make the read models anew from the whole log, and serve them.

        False where a later rebuild was served first.
        """
        generation = await self.models.begin_rebuild()
        return await self._follow(generation) and await self.models.switch(generation)

    async def _follow(self, generation: Generation) -> bool:
        """Bring a generation up to date; False where it is gone."""
        ends = await self._log.positions()
        while reached := await self.models.checkpoints(generation):
            followed = [
                await self._follow_shard(generation, Shard(shard), at, end)
                for shard, (at, end) in enumerate(zip(reached, ends, strict=True))
            ]
            if all(followed):
                await self._rater.catch_up(generation)
                return True
        return False

    async def _follow_shard(
        self, generation: Generation, shard: Shard, at: Position, end: Position
    ) -> bool:
        """Bring a shard to `end`; False where another process has moved it on."""
        while at < end:
            placed = await self._log.placed(shard, at, BATCH)
            newest = {append.table: append for append in placed}
            found = [
                await self._tables.contained(append.table, self._summary(append))
                for append in newest.values()
            ]
            rows = [row for row in found if row is not None]
            last = placed[-1].position
            if not await self.models.store(generation, shard, at, last, rows):
                return False  # maybe less far than `end`
            at = last
        return True

    async def _summary(self, append: Placed) -> TableSummary:
        """The table after an append; one that was played elsewhere leaves no match."""
        found = summary(await self._tables.since(append.table, append.last))
        if is_import(append.table, append.command):
            return replace(found, match=None)
        return found


def summary(snapshot: Snapshot) -> TableSummary:
    """What the read models keep of a table; of a private one no match."""
    table = snapshot.table
    known = facts(snapshot)
    return TableSummary(
        table=table.id,
        version=table.version,
        game=known.game,
        status=known.status,
        visibility=known.visibility,
        host=known.host,
        created_at=datetime.fromisoformat(known.created_at),
        seats=len(known.seats),
        free_seats=_free_seats(table, known),
        rated=known.rated,
        rematch_of=known.rematch_of,
        facts=canonical(known),
        players=_players(table),
        last_at=snapshot.at,
        due_at=_due_at(snapshot),
        clocked=table.opened.clock is not None,
        decisions=_decisions(snapshot),
        match=_match(snapshot),
    )


def _free_seats(table: Table, known: TableFacts) -> int:
    if table.is_over():
        return 0
    return sum(seat.occupant is None and not seat.reserved for seat in known.seats)


def _players(table: Table) -> tuple[PlayerId, ...]:
    if table.is_over():
        return ()
    return tuple(seat.player for seat in table.seats if seat.player is not UNSET)


def _match(snapshot: Snapshot) -> Match | None:
    table = snapshot.table
    if table.status != "finished" or table.opened.visibility == "private":
        return None
    return match_of(table, snapshot.at)


def _due_at(snapshot: Snapshot) -> datetime | None:
    due = next_due(snapshot.table)
    return None if due is None else max(due, snapshot.at)


def _decisions(snapshot: Snapshot) -> tuple[OpenDecision, ...]:
    table = snapshot.table
    return tuple(
        OpenDecision(
            seat=seat,
            player=player,
            version=table.decisions[seat],
            kind=KINDS[table.play.phase],
        )
        for seat in to_act(table)
        if table.play and (player := table.seats[seat].player) is not UNSET
    )
