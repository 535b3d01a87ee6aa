"""What every way to send hints does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from domain.chain import origin
from domain.ids import Hash, TableId, Version
from domain.log import Line, StoredLine
from services.ports import Hints, Slice

Received = asyncio.Queue[Slice]


def news(table: TableId, version: int = 1) -> Slice:
    """An append of one event."""
    event = StoredLine(Version(version), "card_played", b"{}", Hash(bytes(32)))
    return Slice(table, origin(table), (event,))


@asynccontextmanager
async def receiving(hints: Hints) -> AsyncIterator[Received]:
    """What this end receives while the block lasts."""
    received: Received = asyncio.Queue()
    task = asyncio.create_task(hints.receive(received.put_nowait))
    try:
        yield received
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def first(received: Received, sender: Hints, said: Slice) -> Slice:
    """What comes first, with `said` sent until something comes."""
    while True:
        await sender.publish([said])
        try:
            async with asyncio.timeout(0.2):
                return await received.get()
        except TimeoutError:
            continue


async def test_what_is_published_comes_to_who_listens(
    ends: tuple[Hints, Hints],
) -> None:
    """All of it, to another end and to the own one."""
    one, other = ends
    said = news(TableId(uuid4()))
    for end in ends:
        await end.listen_for(said.table)
    async with receiving(one) as here, receiving(other) as there:
        assert await first(here, one, said) == said
        assert await first(there, one, said) == said


async def test_only_what_is_listened_for_comes(ends: tuple[Hints, Hints]) -> None:
    """Another table's news do not, and neither do those of one that was forgotten."""
    one, other = ends
    kept, left, strange = (news(TableId(uuid4())) for _ in range(3))
    await other.listen_for(left.table)
    async with receiving(other) as received:
        assert await first(received, one, left) == left
        await other.listen_for(kept.table)
        await other.forget(left.table)
        assert await first(received, one, kept) in {kept, left}
        while not received.empty():
            received.get_nowait()
        await one.publish([left, strange, kept])
        assert await received.get() == kept


async def test_a_table_can_be_wanted_before_anybody_receives(
    ends: tuple[Hints, Hints],
) -> None:
    """What was wanted stays so when the line is taken up again."""
    one, other = ends
    said = news(TableId(uuid4()))
    await other.listen_for(said.table)
    for version in (1, 2):
        async with receiving(other) as received:
            again = news(said.table, version)
            assert (await first(received, one, again)).events == again.events


async def test_a_table_can_be_wanted_while_the_line_is_taken_up(
    ends: tuple[Hints, Hints],
) -> None:
    """However far that has come."""
    one, other = ends
    for turns in range(1, 9):
        said = news(TableId(uuid4()))
        async with receiving(other) as received, asyncio.timeout(10):
            for _ in range(turns):
                await asyncio.sleep(0)
            await other.listen_for(said.table)
            assert await first(received, one, said) == said
        await other.forget(said.table)


async def test_who_receives_can_be_stopped(ends: tuple[Hints, Hints]) -> None:
    """However far the line has been taken up."""
    for turns in range(40):
        async with asyncio.timeout(10), receiving(ends[0]):
            for _ in range(turns):
                await asyncio.sleep(0)


async def test_what_is_kept_secret_is_not_published(ends: tuple[Hints, Hints]) -> None:
    """Even where it is handed over: an end gets what is public of an event."""
    one, other = ends
    said = news(TableId(uuid4()))
    [event] = said.events
    whole = Line(event.version, event.type, event.body, event.hash, b"a hand")
    await other.listen_for(said.table)
    async with receiving(other) as received:
        got = await first(received, one, Slice(said.table, said.before, (whole,)))
    assert got == said
