"""Feeds: a followed table each, and the followers whom it tells of its news."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from domain.chain import link, shard_of
from domain.ids import Hash, TableId, Version
from services.ports import Slice

LONGEST_QUEUE: Final = 256
"""How many appends may wait for a follower before it is given up as too slow."""

End: TypeAlias = Literal["overflow", "draining"]

Way: TypeAlias = Literal["here", "hint", "log"]
"""How a process comes to know of an append: it stored it, was told, or read it."""

Delivered: TypeAlias = Callable[[Slice, Way], None]
"""Is called with what the followers of a table were handed, and how it came."""


class News(Struct, frozen=True):
    """An append as it is offered to every follower of its table.

    What is made of it for one follower is kept in `made` for those like them.
    """

    append: Slice
    made: dict[object, bytes]


class Follower:
    """Somebody who follows tables; what they have not taken yet waits in a queue."""

    def __init__(self) -> None:
        self.feeds: set[Feed] = set()
        self._queue: deque[News] = deque()
        self._arrived = asyncio.Event()
        self.ended: End | None = None
        """Why nothing more comes once the queue is empty."""

    def offer(self, news: News) -> None:
        """Put news in the queue; where it is full the follower is given up."""
        if len(self._queue) >= LONGEST_QUEUE:
            self._queue.clear()
            self.end("overflow")
        if self.ended is None:
            self._queue.append(news)
            self._arrived.set()

    def end(self, reason: End) -> None:
        """Let nothing more come."""
        self.ended = self.ended or reason
        self._arrived.set()

    async def take(self, seconds: float) -> News | None:
        """The next news; None where it has ended, or none comes for so long."""
        if not self._queue and self.ended is None:
            self._arrived.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._arrived.wait()
        return self._queue.popleft() if self._queue else None


class Feed:
    """A followed table, as far as its followers have been told of it."""

    def __init__(
        self, table: TableId, version: Version, head: Hash, delivered: Delivered
    ) -> None:
        self.table = table
        self.shard = shard_of(table)
        self.version = version
        self.head = head
        self.followers: set[Follower] = set()
        self.healing: asyncio.Task[None] | None = None
        self.is_behind = False
        """Whether news that do not fit came since the last reading began."""
        self._delivered = delivered

    def add(self, follower: Follower) -> None:
        """Let the follower have what is told from now on."""
        self.followers.add(follower)
        follower.feeds.add(self)

    def fits(self, news: Slice, way: Way) -> bool:
        """Take news that follow on the head, and tell the followers; else False."""
        if news.events[-1].version <= self.version:
            return True
        known = self.version - news.events[0].version + 1
        if known < 0:
            return False
        head = news.events[known - 1].hash if known else news.before
        if head != self.head:
            return False
        for event in news.events[known:]:
            head = link(head, event.body)
            if head != event.hash:
                return False
        fresh = News(Slice(self.table, self.head, news.events[known:]), {})
        self.version, self.head = news.events[-1].version, news.events[-1].hash
        for follower in self.followers:
            follower.offer(fresh)
        self._delivered(fresh.append, way)
        return True
