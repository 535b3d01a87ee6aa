"""Group commit: appends of many tables share a transaction.

A flight takes what is waiting, up to a bound and at most one append a table, stores it
in one call, and answers each. What arrives during a flight is the next flight; nothing
lingers. Two flights at once hide the time that a disk takes to flush.

A distributed database keeps each shard at one node, and locks rows at one at a time:
for such a one a flight can be held to the shard of whoever waits longest.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final

from domain.chain import shard_of
from domain.ids import TableId
from services.errors import Busy
from services.ports import BrokenBatch, EventLog, NewAppend, Outcome, StoreUnavailable

FLIGHTS: Final = 2
FLIGHT_SIZE: Final = 256
LONGEST_QUEUE: Final = 4096

RETRY_FIRST: Final = 0.05
RETRY_FOR: Final = 10.0
"""Seconds after which an append whose fate is unknown is given up."""

Waiting = tuple[NewAppend, "asyncio.Future[Outcome]"]


class Committer:
    """Stores appends in flights, of `one_shard` each or mixed.

    Run `run` beside the server.
    """

    def __init__(self, log: EventLog, *, one_shard: bool = False) -> None:
        self._log = log
        self._one_shard = one_shard
        self._queue: deque[Waiting] = deque()
        self._arrived = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many appends wait for a flight."""
        return len(self._queue)

    async def append(self, entry: NewAppend) -> Outcome:
        """Store an append; what it answers is durable.

        Raises:
            Busy: too many appends wait already; nothing was stored.
            StoreUnavailable: whether it was stored is unknown.
        """
        if len(self._queue) >= LONGEST_QUEUE:
            raise Busy("Too many commands are waiting.")
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._queue.append((entry, answer))
        self._arrived.set()
        return await answer

    async def run(self) -> None:
        """Fly until cancelled."""
        async with asyncio.TaskGroup() as flights:
            for _ in range(FLIGHTS):
                flights.create_task(self._fly())

    async def _fly(self) -> None:
        while True:
            await self._arrived.wait()
            flight = self._board()
            if flight:
                await self._land(flight)

    def _board(self) -> list[Waiting]:
        """Take the next flight from the queue; a table's second append stays in it."""
        flight: list[Waiting] = []
        left: list[Waiting] = []
        tables = set()
        while self._queue and len(flight) < FLIGHT_SIZE:
            waiting = self._queue.popleft()
            table = waiting[0].table
            stays = table in tables or not self._may_join(flight, table)
            (left if stays else flight).append(waiting)
            tables.add(table)
        self._queue.extendleft(reversed(left))
        if not self._queue:
            self._arrived.clear()
        return flight

    def _may_join(self, flight: Sequence[Waiting], table: TableId) -> bool:
        if not self._one_shard or not flight:
            return True
        return shard_of(table) == shard_of(flight[0][0].table)

    async def _land(self, flight: Sequence[Waiting]) -> None:
        """Store a flight and answer it; a poison entry is found by halving."""
        try:
            outcomes = await self._store([entry for entry, _ in flight])
        except BrokenBatch as broken:
            if len(flight) > 1:
                half = len(flight) // 2
                await self._land(flight[:half])
                await self._land(flight[half:])
            else:
                _fail(flight, broken)
        except Exception as fault:  # noqa: BLE001 - who waits is told, and the next fly
            _fail(flight, fault)
        else:
            for (_, answer), outcome in zip(flight, outcomes, strict=True):
                if not answer.done():
                    answer.set_result(outcome)

    async def _store(self, batch: Sequence[NewAppend]) -> Sequence[Outcome]:
        """Send a batch until it is answered; sending it again is safe.

        An append that a lost answer had stored comes back as a duplicate of its own.
        """
        pause = RETRY_FIRST
        until = asyncio.get_running_loop().time() + RETRY_FOR
        while True:
            try:
                return await self._log.append(batch)
            except StoreUnavailable:
                if asyncio.get_running_loop().time() + pause > until:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, 1.0)


def _fail(flight: Sequence[Waiting], error: Exception) -> None:
    for _, answer in flight:
        if not answer.done():
            answer.set_exception(error)
