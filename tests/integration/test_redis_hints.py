"""Hints through one Redis: what they cost who is alone, and a line that dies."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from domain.ids import TableId
from infra import hints
from infra.embedded import EmbeddedValkey
from infra.embedded.valkey import SOCKET
from infra.hints import LISTENERS, RedisHints, connect
from services.ports import HintsUnavailable
from tests.contract.test_hints import Received, first, news, receiving


@asynccontextmanager
async def end_of(url: str) -> AsyncIterator[RedisHints]:
    """An end of the line through that Redis."""
    end = RedisHints(connect(url))
    try:
        yield end
    finally:
        await end.close()


@pytest.fixture
async def redis(valkey: EmbeddedValkey) -> AsyncIterator[Redis]:
    """The Redis as an operator sees it, who has just begun to count."""
    async with connect(valkey.url()) as redis:
        await redis.config_resetstat()
        yield redis


async def are_listening(redis: Redis, ends: int) -> None:
    """Wait until so many are."""
    async with asyncio.timeout(10):
        wanted = {LISTENERS.encode(): ends}
        while dict(await redis.pubsub_numsub(LISTENERS)) != wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def published(redis: Redis) -> int:
    """How often something was published since then."""
    stats = await redis.info("commandstats")
    return int(stats.get("cmdstat_spublish", {"calls": 0})["calls"])


async def test_who_is_alone_publishes_next_to_nothing(
    valkey: EmbeddedValkey, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it listens itself or not."""
    monkeypatch.setattr(hints, "ALONE_FOR", 3600)
    said = news(TableId(uuid4()))
    async with end_of(valkey.url()) as deaf:
        for _ in range(5):
            await deaf.publish([said])
    async with end_of(valkey.url()) as end, receiving(end):
        await are_listening(redis, 1)
        for _ in range(5):
            await end.publish([said])
    assert await published(redis) == 2


async def test_who_comes_is_told_soon(
    valkey: EmbeddedValkey, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then everything is, at once; and nothing any more once that end has gone."""
    monkeypatch.setattr(hints, "ALONE_FOR", 0.2)
    said = news(TableId(uuid4()))
    async with end_of(valkey.url()) as one, receiving(one):
        await one.publish([said])
        async with end_of(valkey.url()) as other, receiving(other) as received:
            await other.listen_for(said.table)
            await first(received, one, said)
            for version in range(2, 50):
                await one.publish([news(said.table, version)])
            while (await received.get()).events[0].version < 49:
                pass
        before = await published(redis)
        monkeypatch.setattr(hints, "ALONE_FOR", 3600)
        await are_listening(redis, 1)
        for _ in range(5):
            await one.publish([said])
        assert await published(redis) == before + 1


@asynccontextmanager
async def wall(path: Path) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """A way to a Redis, and what lets nothing more through on it, nor ends it."""
    shut = asyncio.Event()
    ways: list[asyncio.Task[None]] = []

    async def carry(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        with closing(to):
            while data := await source.read(1 << 16):
                if not shut.is_set():
                    to.write(data)

    async def let_in(reader: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(path)
        ways.extend(map(asyncio.create_task, (carry(reader, forth), carry(back, out))))

    async with await asyncio.start_server(let_in, "127.0.0.1") as server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", shut
    for way in ways:
        way.cancel()
    await asyncio.gather(*ways, return_exceptions=True)


async def test_a_line_that_died_in_silence_is_given_up(
    valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a router on the way forgets it: neither end is told."""
    monkeypatch.setattr(hints, "ANSWER_SECONDS", 0.1)
    said, received = news(TableId(uuid4())), Received()
    async with (
        wall(valkey.socket_folder / SOCKET) as (url, shut),
        end_of(valkey.url()) as other,
        end_of(url) as end,
        asyncio.timeout(10),
    ):
        await end.listen_for(said.table)
        receiving = asyncio.create_task(end.receive(received.put_nowait))
        assert await first(received, other, said) == said
        await asyncio.sleep(0.5)
        assert not receiving.done()  # it is quiet, and alive
        shut.set()
        with pytest.raises(HintsUnavailable):
            await receiving
