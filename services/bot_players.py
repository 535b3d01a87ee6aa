"""Bots at their seats: each move an append of its own, outside what called for it.

A table of this process whose bot is to act gets a task that moves until no bot is.
Every process may do so for the same table: a bot's command is named by its decision, so
the decision is answered once. Where another process brought the table there, that one
is given a while to move first.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

from domain.bots import BOTS
from domain.commands import Act, Command
from domain.errors import NotYourTurn, Refusal
from domain.ids import Seat, TableId
from domain.people import BotName, By
from domain.table import Table
from domain.views import sight, to_act
from services.errors import Denied
from services.identity import request_of
from services.ports import StoreUnavailable
from services.read_models import ReadModels
from services.snapshots import Snapshot
from services.tables import Tables

AT_ONCE: Final = 256
"""How many bots move at the same time."""

PROXY: Final[BotName] = "steady"
"""The bot that plays for players who are not there."""

PAUSE: Final = 1.0
"""Seconds before a bot whose move could not be stored tries again, and for which a
table stands still before the bots that another process should move are moved here."""


class BotPlayers:
    """Moves the bots. `chance` is where their randomness comes from."""

    def __init__(self, tables: Tables, chance: Random) -> None:
        self._tables = tables
        self._chance = chance
        self._moving: dict[TableId, asyncio.Task[None]] = {}
        self._waiting: dict[TableId, asyncio.Task[None]] = {}
        self._room = asyncio.Semaphore(AT_ONCE)

    def start(self) -> None:
        """From now on move the bots of every table that this process sees."""
        self._tables.listen(self.notice, self.notice_later)

    def notice_later(self, snapshot: Snapshot) -> None:
        """See to it that the table's bots move, if nobody else moves them."""
        table = snapshot.table
        busy = table.id in self._moving or table.id in self._waiting
        if not busy and bot_to_act(table) is not None:
            self._waiting[table.id] = asyncio.create_task(self._wait(snapshot))

    def notice(self, snapshot: Snapshot) -> None:
        """See to it that the table's bots move, where one is to act."""
        table = snapshot.table
        if waiting := self._waiting.pop(table.id, None):
            waiting.cancel()
        if table.id not in self._moving and bot_to_act(table) is not None:
            task = asyncio.create_task(self._move(table.id))
            self._moving[table.id] = task

    async def resume(self, models: ReadModels) -> None:
        """Look at every table in play, so that no bot waits for a process that died."""
        async for table in models.in_play():
            with suppress(Denied):
                look = self._tables.current(table)
                if snapshot := await self._tables.contained(table, look):
                    self.notice(snapshot)

    async def stop(self) -> None:
        """Let no bot move any more."""
        tasks = [*self._waiting.values(), *self._moving.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _wait(self, seen: Snapshot) -> None:
        """Move the table's bots once it has stood still for a while."""
        table, is_still = seen.table.id, False
        try:
            while not is_still:
                await asyncio.sleep(PAUSE)
                with suppress(StoreUnavailable, Denied):
                    before, seen = seen, await self._tables.current(table)
                    is_still = seen.table.version == before.table.version
                if bot_to_act(seen.table) is None:
                    return
        finally:
            self._waiting.pop(table, None)
        self.notice(seen)

    async def _move(self, table: TableId) -> None:
        try:
            more: bool | None = True
            while more:
                # A place is for one move, so that no table waits for whole matches.
                async with self._room:
                    move = self._move_once(table)
                    more = await self._tables.contained(table, move)
        finally:
            del self._moving[table]

    async def _move_once(self, table_id: TableId) -> bool:
        """Move one bot; False where no bot is to act."""
        try:
            table = (await self._tables.known(table_id)).table
            seat = bot_to_act(table)
            if seat is None:
                return False
            decision = f"{table.decisions[seat]}.{seat}"
            request = request_of(b"bot", table_id.bytes, decision)
            plan = self._plan(seat, decision)
            with suppress(Refusal):
                await self._tables.execute(table_id, plan, request)
                return True
            await self._tables.current(table_id)
        except (StoreUnavailable, Denied):
            await asyncio.sleep(PAUSE)
        return True

    def _plan(self, seat: Seat, decision: str) -> Callable[[Table], tuple[By, Command]]:
        def plan(table: Table) -> tuple[By, Command]:
            bot = bot_of(table, seat)
            if bot is None or f"{table.decisions[seat]}.{seat}" != decision:
                raise NotYourTurn("The decision is not a bot's any more.")
            return By(bot=seat), Act(seat, BOTS[bot](sight(table, seat), self._chance))

        return plan


def bot_to_act(table: Table) -> Seat | None:
    """A seat with an open decision that a bot is to make."""
    for seat in to_act(table):
        if bot_of(table, seat) is not None:
            return seat
    return None


def bot_of(table: Table, seat: Seat) -> BotName | None:
    """The bot that plays a seat, be it in place of a player who is not there."""
    if seat in table.proxied:
        return PROXY
    return table.seats[seat].bot or None
