"""Following tables: every follower gets each event once and in order, whatever breaks.

A table that somebody here follows has a *feed*. News of it comes as hints, which may be
lost, late, repeated or out of order; what does not fit on the feed's head is read from
the log instead. A look at the log's positions every second finds what no hint told of.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final

from domain.ids import Position, Shard, TableId, Version
from services.errors import Busy, NotFound
from services.feeds import Delivered, Feed, Follower, Way
from services.ports import EventLog, Hints, HintsUnavailable, Slice, StoreUnavailable
from services.slices import read_slice

PAGE: Final = 500
LOOK: Final = 1.0
"""Seconds between looks at the log's positions, and before a broken line is tried."""

MOST_NEWS: Final = 10_000
"""How many appends may wait to be published; beyond that, older ones are dropped."""

MOST_FOLLOWERS: Final = 20_000

MOST_OF_ONE: Final = 64
"""How many followers one caller may have in this process, where callers are bound."""


class Following:
    """The tables that are followed in this process. Run `loops` beside the server."""

    def __init__(
        self,
        log: EventLog,
        hints: Hints,
        delivered: Delivered = lambda _news, _way: None,
        *,
        most_of_one: int = MOST_FOLLOWERS,
    ) -> None:
        self._log = log
        self._hints = hints
        self._delivered = delivered
        self._feeds: dict[TableId, Feed] = {}
        self._followers: set[Follower] = set()
        self._most_of_one = most_of_one
        self._counts: Counter[str] = Counter()
        self._news: deque[Slice] = deque(maxlen=MOST_NEWS)
        self._published = asyncio.Event()
        self._positions: Sequence[Position] | None = None
        self._draining = False

    @property
    def followers(self) -> int:
        """How many there are."""
        return len(self._followers)

    @property
    def feeds(self) -> int:
        """How many tables are followed."""
        return len(self._feeds)

    @asynccontextmanager
    async def follower(self, caller: str) -> AsyncIterator[Follower]:
        """Somebody who may join feeds, and leaves them all in the end.

        `caller` is whoever opens it, by any name that tells callers apart.

        Raises:
            Busy: there are too many already, or too many of this caller.
        """
        if len(self._followers) >= MOST_FOLLOWERS:
            raise Busy("Too many streams are open.")
        if self._counts[caller] >= self._most_of_one:
            raise Busy("You have too many streams open.")
        follower = Follower()
        if self._draining:
            follower.end("draining")
        self._followers.add(follower)
        self._counts[caller] += 1
        try:
            yield follower
        finally:
            self._followers.discard(follower)
            self._counts[caller] -= 1
            if not self._counts[caller]:
                del self._counts[caller]
            for feed in tuple(follower.feeds):
                await self._leave(feed, follower)

    async def join(self, follower: Follower, table: TableId) -> None:
        """From now on offer the follower what happens at the table.

        What was stored before this call is for the follower to read.

        Raises:
            NotFound: there is no such table.
        """
        feed = self._feeds.get(table)
        if feed is None:
            self._positions = self._positions or await self._log.positions()
            stored = (await self._log.heads([table])).get(table)
            if stored is None:
                raise NotFound("There is no such table.")
            feed = self._feeds.setdefault(table, Feed(table, *stored, self._delivered))
            feed.add(follower)
            await self._hints.listen_for(table)
            # What was published before that is found here.
            await self._heal(feed)
        else:
            feed.add(follower)

    async def leave(self, follower: Follower, table: TableId) -> None:
        """Offer the follower nothing more of the table."""
        for feed in [it for it in follower.feeds if it.table == table]:
            await self._leave(feed, follower)

    def tell(self, news: Slice) -> None:
        """Tell of an append that was stored, here and in other processes."""
        self._hear(news, "here")
        self._news.append(news)
        self._published.set()

    def drain(self) -> None:
        """End all followers, and those who come yet, for this process stops."""
        self._draining = True
        for follower in self._followers:
            follower.end("draining")

    def loops(self) -> Mapping[str, Callable[[], Coroutine[Any, Any, None]]]:
        """What publishes, listens and looks, by name, each until it is cancelled.

        Let each run by itself: whatever becomes of the hints, the looks go on.
        """
        return {
            "publishing": self._publish,
            "listening": self._receive,
            "looking": self._look,
        }

    async def _publish(self) -> None:
        while True:
            await self._published.wait()
            self._published.clear()
            news = [self._news.popleft() for _ in range(len(self._news))]
            try:
                await self._hints.publish(news)
            except HintsUnavailable:
                await asyncio.sleep(LOOK)

    async def _receive(self) -> None:
        while True:
            with suppress(HintsUnavailable):
                await self._hints.receive(partial(self._hear, way="hint"))
            await asyncio.sleep(LOOK)

    async def _look(self) -> None:
        while True:
            with suppress(StoreUnavailable):
                await self._find_missed()
            await asyncio.sleep(LOOK)

    async def _find_missed(self) -> None:
        """Heal every feed that the log is ahead of."""
        positions = await self._log.positions()
        before = self._positions or positions
        for shard in sorted({feed.shard for feed in self._feeds.values()}):
            moved = self._moved(shard, before[shard], positions[shard])
            async for table, last in moved:
                feed = self._feeds.get(table)
                if feed is not None and feed.version < last:
                    await self._heal(feed)
        self._positions = positions

    async def _moved(
        self, shard: Shard, after: Position, end: Position
    ) -> AsyncIterator[tuple[TableId, Version]]:
        """The tables of a shard that appends came to, and the versions they came to."""
        while after < end:
            placed = await self._log.placed(shard, after, PAGE)
            for append in placed:
                yield append.table, append.last
            after = placed[-1].position

    def _hear(self, news: Slice, way: Way) -> None:
        """Take a hint, which may be of any age."""
        feed = self._feeds.get(news.table)
        if feed is None or feed.fits(news, way):
            return
        feed.is_behind = True
        if feed.healing is None:
            feed.healing = asyncio.create_task(self._heal_soon(feed))

    async def _heal_soon(self, feed: Feed) -> None:
        try:
            with suppress(StoreUnavailable):
                while feed.is_behind:
                    feed.is_behind = False
                    await self._heal(feed)
        finally:
            feed.healing = None

    async def _heal(self, feed: Feed) -> None:
        """Read from the log what the feed lacks."""
        while True:
            missing = await read_slice(self._log, feed.table, feed.version, PAGE)
            if missing.events and not feed.fits(missing, "log"):
                # What was told is not what is stored: let the followers begin anew.
                for follower in tuple(feed.followers):
                    follower.end("overflow")
                    await self._leave(feed, follower)
                return
            if len(missing.events) < PAGE:
                return

    async def _leave(self, feed: Feed, follower: Follower) -> None:
        feed.followers.discard(follower)
        follower.feeds.discard(feed)
        # Who leaves once more may find another feed of the table in its place.
        if not feed.followers and self._feeds.get(feed.table) is feed:
            del self._feeds[feed.table]
            await self._hints.forget(feed.table)
