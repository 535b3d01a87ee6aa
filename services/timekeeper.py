"""Keeping the time of all tables: whose time is up, what nobody plays any more.

One process at a time keeps it, by a lease. What falls due is in the read models, so
that it survives whoever set it; the table itself is asked again before anything is
done, and the store's version check settles a race with a late move. One at which
something fails that nobody foresaw is set aside for a while; the others' time goes on.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.absence import due
from domain.chain import timestamp
from domain.commands import AbandonTable, Command, ExtendDeadlines, TimeOut
from domain.errors import NotYourTurn, Refusal
from domain.ids import Seat, TableId
from domain.people import By
from domain.table import Table
from domain.views import to_act
from services.errors import Busy, NotFound
from services.identity import Request, request_of
from services.ports import Lease, Outage, StoreUnavailable
from services.projections import Projector
from services.tables import Outside, Tables

TICK: Final = 0.5
"""Seconds between looks at what is due."""

AT_ONCE: Final = 256
"""How many tables are seen to at the same time."""

SWEEP: Final = timedelta(minutes=1)
"""How often tables are looked for that nobody plays any more."""

ASIDE: Final = timedelta(minutes=10)
"""How long a table is left alone at which something failed that nobody foresaw."""


class Patience(Struct, frozen=True):
    """How long a table may be left alone before it is given up."""

    open: timedelta
    playing: timedelta


class Timekeeper:
    """Acts for those who let their time run out. Run `run` beside the server."""

    def __init__(
        self,
        lease: Lease,
        projector: Projector,
        tables: Tables,
        outside: Outside,
        patience: Patience,
    ) -> None:
        self._lease = lease
        self._models = projector.models
        self._projector = projector
        self._tables = tables
        self._outside = outside
        self._patience = patience
        self._holder: UUID = outside.new_id()
        self._swept_at: datetime | None = None
        self._aside: dict[TableId, datetime] = {}
        """The tables that are set aside, and until when."""

    async def run(self) -> None:
        """Keep the time until cancelled, whenever it is this process's turn."""
        while True:
            with suppress(StoreUnavailable, Busy):
                if await self._lease.take(self._holder):
                    await self.keep()
            await asyncio.sleep(TICK)

    async def stop(self) -> None:
        """Let another process keep the time at once."""
        with suppress(StoreUnavailable):
            await self._lease.leave(self._holder)

    async def keep(self) -> None:
        """Do once all that is due."""
        await self._projector.catch_up()
        for outage in await self._lease.outages():
            await self._make_up_for(outage)
        now = self._outside.now()
        while tables := await self._found(partial(self._models.due, now)):
            if not any(await self._each(self._time_out, tables)):
                break  # what is left is in other hands
            await self._projector.catch_up()
        if self._swept_at is None or now >= self._swept_at + SWEEP:
            await self._sweep(now)
            self._swept_at = now

    async def _make_up_for(self, outage: Outage) -> None:
        """Give back the time that ran while no server was there."""
        command = ExtendDeadlines(outage.since, outage.until)

        async def extend(table: TableId) -> bool:
            request = request_of(b"outage", table.bytes, timestamp(outage.since))
            return await self._do(table, partial(_for_any, command), request)

        async for tables in _paged(self._models.in_play(clocked=True)):
            await self._each(extend, tables)
        await self._lease.settle(outage)

    async def _time_out(self, table: TableId) -> bool:
        """Act for the seats of a table whose time is up; False where for none."""
        try:
            snapshot = await self._tables.current(table)
        except NotFound:
            return False
        done = [
            await self._do(table, partial(_for_any, TimeOut(seat)))
            for seat in _late(snapshot.table, self._outside.now())
        ]
        return any(done)

    async def _sweep(self, now: datetime) -> None:
        """Give up the tables that have been left alone, so that they are revealed."""
        await self._give_up_all("open", now - self._patience.open)
        await self._give_up_all("playing", now - self._patience.playing)

    async def _give_up_all(
        self, status: Literal["open", "playing"], since: datetime
    ) -> None:
        idle = partial(self._models.idle, status, since)
        while tables := await self._found(idle):
            if not any(await self._each(self._give_up, tables)):
                break
            await self._projector.catch_up()

    async def _give_up(self, table: TableId) -> bool:
        seen = (await self._tables.current(table)).table.version

        def unless_somebody_came(now: Table) -> Command:
            if now.version != seen:
                raise NotYourTurn("The table is not left alone any more.")
            return AbandonTable()

        return await self._do(table, unless_somebody_came)

    async def _found(
        self, find: Callable[[int], Awaitable[Sequence[TableId]]]
    ) -> list[TableId]:
        """The next tables to see to, without those that are set aside."""
        now = self._outside.now()
        self._aside = {it: until for it, until in self._aside.items() if until > now}
        found = await find(AT_ONCE + len(self._aside))
        return [table for table in found if table not in self._aside][:AT_ONCE]

    async def _each(
        self, act: Callable[[TableId], Awaitable[bool]], tables: Sequence[TableId]
    ) -> list[bool]:
        """See to some tables at the same time, and come back to the lease.

        With thousands it would lapse, and pass for an outage that is made up for again.

        Raises:
            Busy: at one of them others kept coming first; the rest was seen to.
        """

        async def see_to(table: TableId) -> bool:
            done = await self._tables.contained(table, act(table))
            if done is None:
                self._aside[table] = self._outside.now() + ASIDE
                return True  # it is out of the way of what is found next
            return done

        done = await asyncio.gather(*map(see_to, tables), return_exceptions=True)
        await self._lease.take(self._holder)
        for fault in done:
            if isinstance(fault, BaseException):
                raise fault
        return [it for it in done if isinstance(it, bool)]

    async def _do(
        self,
        table: TableId,
        choose: Callable[[Table], Command],
        request: Request | None = None,
    ) -> bool:
        """Carry out a command of the clock's; False where it does not fit any more."""

        def plan(now: Table) -> tuple[By, Command]:
            return By(clock=True), choose(now)

        with suppress(Refusal, NotFound):
            await self._tables.execute(table, plan, request or self._outside.request())
            return True
        return False


def _for_any(command: Command, _table: Table) -> Command:
    """The command, whatever the table has come to."""
    return command


def _late(table: Table, now: datetime) -> list[Seat]:
    """The seats whose time is up."""
    return [
        seat
        for seat in to_act(table)
        if (until := due(table, seat)) is not None and until <= now
    ]


async def _paged(tables: AsyncIterator[TableId]) -> AsyncIterator[list[TableId]]:
    page: list[TableId] = []
    async for table in tables:
        page.append(table)
        if len(page) == AT_ONCE:
            yield page
            page = []
    if page:
        yield page
