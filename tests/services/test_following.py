"""Followers get every event once and in order, whatever the hints are like."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.chain import link
from domain.ids import TableId, Version
from domain.log import StoredLine
from services import following
from services.errors import Busy, NotFound
from services.feeds import LONGEST_QUEUE, Follower
from services.following import Following
from services.ports import Slice
from services.slices import read_slice
from tests.fakes import Chain, MemoryEventLog, MemoryHints, MemoryLine


@pytest.fixture(autouse=True)
def _looking_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "LOOK", 0.01)


@asynccontextmanager
async def process(log: MemoryEventLog, line: MemoryLine) -> AsyncIterator[Following]:
    """The followers of one process, its loops running until the block is left."""
    here = Following(log, MemoryHints(line))
    running = [asyncio.create_task(loop()) for loop in here.loops().values()]
    try:
        yield here
    finally:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def append(log: MemoryEventLog, chain: Chain, events: int = 1) -> Slice:
    """Store an append; the news of it."""
    before = chain.version
    entry = chain.propose(*(b"%d" % (before + n) for n in range(events)))
    await log.append([entry])
    chain.follow(entry)
    return await read_slice(log, chain.table, before, events)


async def versions(follower: Follower, last: Version) -> Sequence[int]:
    """All that the follower is told, up to a version; the chain must hold."""
    told: list[int] = []
    head = None
    async with asyncio.timeout(10):
        while not told or told[-1] < last:
            news = await follower.take(1)
            if news is None:
                continue
            assert head in {None, news.append.before}
            head = news.append.before
            for event in news.append.events:
                head = link(head, event.body)
                assert head == event.hash
                told.append(event.version)
    return told


async def test_news_comes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any look at the log, here and in another process."""
    monkeypatch.setattr(following, "LOOK", 3600)
    log, line, chain = MemoryEventLog(), MemoryLine(), Chain()
    await append(log, chain)
    async with (
        process(log, line) as here,
        process(log, line) as there,
        here.follower("ada") as near,
        there.follower("ada") as far,
    ):
        await here.join(near, chain.table)
        await there.join(far, chain.table)
        for _ in range(20):
            here.tell(await append(log, chain, 2))
        for follower in (near, far):
            assert await versions(follower, chain.version) == list(range(2, 42))


@pytest.mark.parametrize("seed", range(20))
async def test_bad_hints_do_no_harm(seed: int) -> None:
    """Lost, repeated and reordered ones: every version comes once, in order."""
    chance = Random(seed)
    log, line = MemoryEventLog(), MemoryLine(mischief=chance)
    chains = [Chain() for _ in range(3)]
    for chain in chains:
        await append(log, chain)
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(process(log, line)) for _ in "ab"]
        followers = []
        for here in processes:
            for chain in chains:
                follower = await stack.enter_async_context(here.follower("ada"))
                await here.join(follower, chain.table)
                followers.append((follower, chain))
        for _ in range(60):
            chain = chance.choice(chains)
            news = await append(log, chain, chance.randint(1, 4))
            if chance.random() < 0.8:
                chance.choice(processes).tell(news)
            await asyncio.sleep(0)
        for follower, chain in followers:
            told = await versions(follower, chain.version)
            assert told == list(range(2, chain.version + 1))


async def test_without_hints_a_follower_is_only_late() -> None:
    """While the line is down all comes by looking; afterwards it is quick again."""
    log, line, chain = MemoryEventLog(), MemoryLine(), Chain()
    await append(log, chain)
    async with (
        process(log, line) as here,
        process(log, line) as there,
        there.follower("ada") as follower,
    ):
        await there.join(follower, chain.table)
        line.is_down = True
        here.tell(await append(log, chain, 3))
        assert await versions(follower, chain.version) == [2, 3, 4]
        line.is_down = False
        here.tell(await append(log, chain))
        assert await versions(follower, chain.version) == [5]


async def test_a_line_of_the_log_that_does_not_fit_is_not_passed_on() -> None:
    """News with a false link are dropped, and the true ones read."""
    log, line, chain = MemoryEventLog(), MemoryLine(), Chain()
    await append(log, chain)
    async with process(log, line) as here, here.follower("ada") as follower:
        await here.join(follower, chain.table)
        true = await append(log, chain)
        false = Slice(true.table, chain.head, true.events)
        here.tell(false)
        assert await versions(follower, chain.version) == [2]


async def test_a_forged_event_is_not_passed_on() -> None:
    """News whose text is not what its hash says are dropped, and the true ones read."""
    log, line, chain = MemoryEventLog(), MemoryLine(), Chain()
    await append(log, chain)
    async with process(log, line) as here, here.follower("ada") as follower:
        await here.join(follower, chain.table)
        true = await append(log, chain)
        [event] = true.events
        here.tell(replace(true, events=(replace(event, body=b"{}"),)))
        assert await versions(follower, chain.version) == [2]


class Slow(MemoryEventLog):
    """A log whose readings come late where `late` says so."""

    def __init__(self) -> None:
        """Nothing is late yet."""
        super().__init__()
        self.late: asyncio.Event | None = None
        self.reading = asyncio.Event()

    async def read(
        self, table: TableId, after: Version, limit: int
    ) -> Sequence[StoredLine]:
        """What is there now, though it may come later."""
        found = await super().read(table, after, limit)
        if self.late is not None:
            self.reading.set()
            await self.late.wait()
        return found


async def test_what_comes_while_the_log_is_read_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """News that do not fit yet, because older ones are being read, are read as well."""
    monkeypatch.setattr(following, "LOOK", 3600)
    log, line, chain = Slow(), MemoryLine(), Chain()
    await append(log, chain)
    async with process(log, line) as here, here.follower("ada") as follower:
        await here.join(follower, chain.table)
        line.is_down = True  # it would bring this process its own news once more
        await append(log, chain)  # of this one nobody tells
        later = await append(log, chain)
        late = log.late = asyncio.Event()
        here.tell(later)
        await log.reading.wait()
        log.late = None
        await append(log, chain)
        here.tell(await append(log, chain))
        late.set()
        assert await versions(follower, chain.version) == [2, 3, 4, 5]


async def test_who_joins_late_misses_nothing_later() -> None:
    """What comes after joining is told, what was there before is not."""
    log, line, chain = MemoryEventLog(), MemoryLine(), Chain()
    await append(log, chain)
    async with (
        process(log, line) as here,
        here.follower("ada") as first,
        here.follower("ada") as second,
    ):
        await here.join(first, chain.table)
        here.tell(await append(log, chain))
        await here.join(second, chain.table)
        here.tell(await append(log, chain))
        assert await versions(first, chain.version) == [2, 3]
        assert await versions(second, chain.version) == [3]


async def test_a_slow_reader_is_given_up() -> None:
    """It is told so, and costs no more memory; the others go on."""
    log, line, chain = MemoryEventLog(), MemoryLine(), Chain()
    await append(log, chain)
    async with (
        process(log, line) as here,
        here.follower("ada") as slow,
        here.follower("ada") as quick,
    ):
        await here.join(slow, chain.table)
        await here.join(quick, chain.table)
        for _ in range(LONGEST_QUEUE + 1):
            here.tell(await append(log, chain))
            assert await quick.take(1)
        assert await slow.take(1) is None
        assert slow.ended == "overflow"
        assert quick.ended is None


async def test_who_leaves_is_forgotten() -> None:
    """When the last follower of a table has left, nothing is kept or heard of it."""
    log, line, chain = MemoryEventLog(), MemoryLine(), Chain()
    await append(log, chain)
    hints = MemoryHints(line)
    here = Following(log, hints)
    async with here.follower("ada") as one:
        await here.join(one, chain.table)
        async with here.follower("ada") as other:
            await here.join(other, chain.table)
            assert (here.followers, here.feeds) == (2, 1)
        assert hints.wanted == {chain.table}
    assert (here.followers, here.feeds, hints.wanted) == (0, 0, set())


class Reluctant(MemoryHints):
    """Hints that forget a table once they may."""

    def __init__(self, line: MemoryLine) -> None:
        """Not yet."""
        super().__init__(line)
        self.may_forget = asyncio.Event()

    async def forget(self, table: TableId) -> None:
        """Receive nothing more of the table, in a while."""
        await self.may_forget.wait()
        await super().forget(table)


async def test_who_leaves_twice_takes_no_feed_from_others() -> None:
    """As when a feed is given up while one of its followers is about to leave all."""
    log, line = MemoryEventLog(), MemoryLine()
    chains = {chain.table: chain for chain in (Chain(), Chain())}
    hints = Reluctant(line)
    here = Following(log, hints)
    async with here.follower("ben") as other, AsyncExitStack() as stack:
        one = await stack.enter_async_context(here.follower("ada"))
        for chain in chains.values():
            await append(log, chain)
            await here.join(one, chain.table)
        leaving = [asyncio.create_task(stack.aclose())]
        await asyncio.sleep(0)
        [feed] = one.feeds
        leaving += [asyncio.create_task(here.leave(one, feed.table))]
        await asyncio.sleep(0)
        await here.join(other, feed.table)
        hints.may_forget.set()
        await asyncio.gather(*leaving)
        here.tell(await append(log, chains[feed.table]))
        assert await versions(other, Version(2)) == [2]


async def test_draining_ends_all_who_follow() -> None:
    """Those who are there, and those who come yet."""
    log, chain = MemoryEventLog(), Chain()
    await append(log, chain)
    here = Following(log, MemoryHints(MemoryLine()))
    async with here.follower("ada") as one:
        await here.join(one, chain.table)
        here.drain()
        assert await one.take(1) is None
        assert one.ended == "draining"
        async with here.follower("ada") as late:
            assert late.ended == "draining"


async def test_nobody_follows_what_is_not_there() -> None:
    """A table that was never opened has no feed."""
    here = Following(MemoryEventLog(), MemoryHints(MemoryLine()))
    async with here.follower("ada") as one:
        with pytest.raises(NotFound):
            await here.join(one, TableId(uuid4()))
    assert here.feeds == 0


async def test_there_is_a_bound_to_followers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes too many is told to come later."""
    monkeypatch.setattr(following, "MOST_FOLLOWERS", 1)
    here = Following(MemoryEventLog(), MemoryHints(MemoryLine()))
    async with here.follower("ada"):
        with pytest.raises(Busy):
            async with here.follower("ben"):
                pass


async def test_there_is_a_bound_to_followers_of_one_caller() -> None:
    """Others have room; and so has the caller again, once one has left."""
    here = Following(MemoryEventLog(), MemoryHints(MemoryLine()), most_of_one=3)
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(here.follower("ada"))
        for _ in range(2):
            async with here.follower("ada"), here.follower("ben"):
                with pytest.raises(Busy):
                    async with here.follower("ada"):
                        pass
    assert here.followers == 0
