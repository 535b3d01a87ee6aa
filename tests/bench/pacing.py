"""Levers and dials inside a server under measurement: how fast bots are, what waits.

Bots answer at once, so that a server full of them is as busy as it can be. With a pace
each thinks for a random time first, and the load is steady.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from time import perf_counter
from typing import Final
from unittest.mock import patch

from domain.ids import TableId
from services import bot_players
from services.bot_players import BotPlayers
from services.committer import Committer
from services.ports import NewAppend, Outcome

STILL: Final = -1.0
"""The pace of bots that wait until they are given another."""


class Pace:
    """How long bots think before a move: so many seconds on average, or for ever."""

    def __init__(self) -> None:
        """Let them stand still."""
        self._seconds = STILL
        self._changed = asyncio.Event()
        self._chance = Random(1)

    def set(self, seconds: float) -> None:
        """From now on they think for so long, those that think already included."""
        self._seconds = seconds
        self._changed.set()
        self._changed = asyncio.Event()

    async def think(self) -> None:
        """Pass the time before a move."""
        while self._seconds:
            pause = None
            if self._seconds > 0:
                pause = self._chance.expovariate(1 / self._seconds)
            try:
                async with asyncio.timeout(pause):
                    await self._changed.wait()
            except TimeoutError:
                return


class Stopwatch:
    """How long appends took, from the queue to the answer."""

    def __init__(self) -> None:
        """Begin with none."""
        self._waits: list[float] = []

    def note(self, seconds: float) -> None:
        """One more."""
        self._waits.append(seconds)

    def read(self) -> dict[str, object]:
        """All since it was last read, in seconds."""
        waits, self._waits = self._waits, []
        return {"waits": waits}


@contextmanager
def paced(pace: Pace, watch: Stopwatch) -> Iterator[None]:
    """Have the bots of this process keep a pace, and its appends timed."""
    move, append = BotPlayers._move_once, Committer.append  # noqa: SLF001 - inside it

    async def move_at_leisure(self: BotPlayers, table: TableId) -> bool:
        await pace.think()
        return await move(self, table)

    async def append_on_time(self: Committer, entry: NewAppend) -> Outcome:
        began = perf_counter()
        outcome = await append(self, entry)
        watch.note(perf_counter() - began)
        return outcome

    with (
        # Who thinks takes a place among those who move.
        patch.object(bot_players, "AT_ONCE", 1_000_000),
        patch.object(BotPlayers, "_move_once", move_at_leisure),
        patch.object(Committer, "append", append_on_time),
    ):
        yield
