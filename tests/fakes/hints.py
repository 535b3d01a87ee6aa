"""Hints in memory, between any number of ends, over a line that can be made bad."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from msgspec.structs import replace

from domain.ids import TableId
from domain.log import public
from services.ports import HintsUnavailable, Slice


class MemoryLine:
    """What the ends have in common. While `is_down` nothing is sent or received.

    With `mischief` hints are lost, repeated and change places by chance.
    """

    def __init__(self, mischief: Random | None = None) -> None:
        """Nobody listens yet."""
        self.is_down = False
        self.mischief = mischief
        self.ends: list[MemoryHints] = []
        self._late: list[Slice] = []

    def send(self, news: Sequence[Slice]) -> None:
        """Bring news to all ends, as well as the line may."""
        for each in self._as_they_come(list(news)):
            for end in self.ends:
                end.arrive(each)

    def _as_they_come(self, news: list[Slice]) -> list[Slice]:
        if self.mischief is None:
            return news
        coming: list[Slice] = []
        for each in [*self._late, *news]:
            coming += [each] * self.mischief.choice((0, 1, 1, 2))
        self.mischief.shuffle(coming)
        held = self.mischief.randrange(len(coming) + 1)
        self._late, coming = coming[held:][-20:], coming[:held]
        return coming


class MemoryHints:
    """`services.ports.Hints` in memory: one end of a line."""

    def __init__(self, line: MemoryLine) -> None:
        """Hold an end of the line."""
        self.wanted: set[TableId] = set()
        self._line = line
        self._arrived: asyncio.Queue[Slice] = asyncio.Queue()
        line.ends.append(self)

    def arrive(self, news: Slice) -> None:
        """Take what the line brings."""
        if news.table in self.wanted:
            self._arrived.put_nowait(news)

    async def publish(self, news: Sequence[Slice]) -> None:
        """Tell every process that listens for these tables."""
        if self._line.is_down:
            raise HintsUnavailable
        self._line.send([_public(each) for each in news])

    async def listen_for(self, table: TableId) -> None:
        """From now on receive what is published of the table."""
        self.wanted.add(table)

    async def forget(self, table: TableId) -> None:
        """Receive nothing more of the table."""
        self.wanted.discard(table)

    async def receive(self, deliver: Callable[[Slice], None]) -> None:
        """Hand on what is received."""
        while True:
            news = await self._arrived.get()
            if self._line.is_down:
                raise HintsUnavailable
            deliver(news)


def _public(news: Slice) -> Slice:
    return replace(news, events=tuple(map(public, news.events)))
