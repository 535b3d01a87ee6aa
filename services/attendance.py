"""Where players sit who follow all of their tables: one look for all of them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final

from domain.ids import PlayerId, TableId
from services.read_models import ReadModels

REFRESH: Final = 1.0
"""Seconds for which what a look found is good."""

MOST_TABLES: Final = 500
"""How many tables of one player are found."""


class Attendance:
    """The tables of the players who are kept in mind, as of a moment ago."""

    def __init__(self, models: ReadModels) -> None:
        self._models = models
        self._kept: Counter[PlayerId] = Counter()
        self._came: set[PlayerId] = set()
        """Those whom somebody came to keep in mind since the last look began."""
        self._found: dict[PlayerId, Sequence[TableId]] = {}
        self._good_until = 0.0
        self._looking: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def kept(self, player: PlayerId) -> AsyncIterator[None]:
        """Keep a player in mind; what is found of them first is from after this."""
        self._kept[player] += 1
        self._came.add(player)
        self._found.pop(player, None)
        try:
            yield
        finally:
            self._kept[player] -= 1
            if not self._kept[player]:
                del self._kept[player]

    async def tables(self, player: PlayerId) -> Sequence[TableId]:
        """Where a player sits who is kept in mind, the newest table first.

        The same object as before where nobody has looked since.

        Raises:
            StoreUnavailable: that cannot be found out for now.
        """
        while player not in self._found or monotonic() > self._good_until:
            if self._looking is None:
                self._looking = asyncio.create_task(self._look())
                self._looking.add_done_callback(self._looked)
            await asyncio.shield(self._looking)
        return self._found[player]

    async def _look(self) -> None:
        players = tuple(self._kept)
        self._came.clear()
        found = await self._models.tables_of(players, MOST_TABLES)
        self._found = {
            each: found.get(each, ()) for each in players if each not in self._came
        }
        self._good_until = monotonic() + REFRESH

    def _looked(self, task: asyncio.Task[None]) -> None:
        self._looking = None
        if not task.cancelled():
            task.exception()  # those who wait for it are told
