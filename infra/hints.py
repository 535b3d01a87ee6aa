"""Hints through a Redis: sharded pub/sub, a channel for each table.

The same is said to one server and to a node of a cluster (`infra.cluster_hints`).
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Final

import msgspec
import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from domain.ids import Hash, TableId, Version
from domain.log import StoredLine
from services.ports import HintsUnavailable, Slice

_log = structlog.get_logger()

CONNECT_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 5.0

LISTENERS: Final = "misere:listeners"
"""The channel that every line is on, and nothing is said on: it tells how many are."""

ALONE_FOR: Final = 1.0
"""Seconds in which nothing is published after it was found that nobody else listens."""

FAULTS: Final = (RedisError, OSError)

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(
    tuple[TableId, Hash, tuple[tuple[Version, str, bytes, Hash], ...]]
)


class RedisHints:
    """`services.ports.Hints` through a Redis, or a node of a cluster."""

    def __init__(self, client: Redis) -> None:
        """Use a client that `connect` made."""
        self._client = client
        self._is_gone = False
        self._alone_until = 0.0
        self._wanted: set[TableId] = set()
        self._line: PubSub | None = None

    async def publish(self, news: Sequence[Slice]) -> None:
        """Tell every process that listens for these tables, in one round trip.

        It costs an eighth of a play, so where no other process listens it is tried once
        a second only.
        """
        if monotonic() < self._alone_until:
            return
        try:
            async with self._client.pipeline(transaction=False) as pipeline:
                for each in news:
                    said = _written(each)
                    pipeline.execute_command("SPUBLISH", channel(each.table), said)
                pipeline.execute_command("PUBSUB NUMSUB", LISTENERS)
                *_, [(_, listeners)] = await pipeline.execute()
        except FAULTS as fault:
            raise self._gone(fault) from None
        if listeners <= (self._line is not None):
            self._alone_until = monotonic() + ALONE_FOR
        if self._is_gone:
            self._is_gone = False
            _log.info("hints are sent again")

    async def listen_for(self, table: TableId) -> None:
        """From now on receive what is published of the table."""
        self._wanted.add(table)
        if self._line is not None:
            with suppress(*FAULTS):  # who receives on the line will notice
                await self._line.ssubscribe(channel(table))

    async def forget(self, table: TableId) -> None:
        """Receive nothing more of the table."""
        self._wanted.discard(table)
        if self._line is not None:
            with suppress(*FAULTS):
                await self._line.sunsubscribe(channel(table))

    async def receive(self, deliver: Callable[[Slice], None]) -> None:
        """Hand on what is received, until cancelled or the line breaks."""
        line = self._client.pubsub()
        try:
            # It stands while no table is wanted, too.
            await line.subscribe(LISTENERS)
            self._line = line
            # One by one: a cluster's node refuses channels of several slots at once.
            for table in tuple(self._wanted):
                if table in self._wanted:  # still
                    await line.ssubscribe(channel(table))
            while not is_cancelled():
                message = await _next(line)
                news = None if message is None else _read(message)
                if news is not None:
                    deliver(news)
            raise asyncio.CancelledError
        except FAULTS as fault:
            raise self._gone(fault) from None
        finally:
            self._line = None
            with suppress(*FAULTS):
                await line.aclose()  # type: ignore[no-untyped-call]

    def _gone(self, fault: Exception) -> HintsUnavailable:
        """Say once that followers are late from now on."""
        if not self._is_gone:
            self._is_gone = True
            _log.warning("no hints can be sent", error=type(fault).__name__)
        return HintsUnavailable()

    async def close(self) -> None:
        """End all connections."""
        await self._client.aclose()


class NoHints:
    """`services.ports.Hints` for a process that hears of nothing and tells nobody."""

    async def publish(self, news: Sequence[Slice]) -> None:
        """Tell nobody."""

    async def listen_for(self, table: TableId) -> None:
        """Receive nothing."""

    async def forget(self, table: TableId) -> None:
        """Receive nothing, as before."""

    async def receive(self, deliver: Callable[[Slice], None]) -> None:  # noqa: ARG002
        """Receive nothing for ever."""
        await asyncio.Event().wait()


def connect(url: str) -> Redis:
    """A client of the Redis of that URL; it connects when used."""
    return Redis.from_url(
        url,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        # What fails is tried again later by who needs it; hints must not wait.
        retry=Retry(NoBackoff(), 0),
    )


def channel(table: TableId) -> str:
    """The channel on which news of a table are published."""
    return f"misere:{table}"


def is_cancelled() -> bool:
    """Whether this task was cancelled, but its library did not notice.

    Python's own `asyncio.wait_for` loses a cancellation at times, before 3.12.
    """
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _next(line: PubSub) -> bytes | None:
    """The next message on the line, if one comes soon.

    Raises:
        TimeoutError: none comes, nor an answer: the line is dead, and nobody said so.
    """
    message = await _heard(line)
    if message is None:
        await line.ping()
        message = await _heard(line)
    if message is None:
        raise TimeoutError
    return message["data"] if message["type"] == "smessage" else None


async def _heard(line: PubSub) -> dict[str, Any] | None:
    message: dict[str, Any] | None = await line.get_message(timeout=ANSWER_SECONDS)
    return message


def _written(news: Slice) -> bytes:
    """News as they are published: what is public of each event, named part by part."""
    events = [(it.version, it.type, it.body, it.hash) for it in news.events]
    return _encoder.encode((news.table, news.before, events))


def _read(message: bytes) -> Slice | None:
    """The news of a message; None where it is none that we know."""
    try:
        table, before, events = _decoder.decode(message)
    except msgspec.MsgspecError:
        _log.warning("a hint cannot be read")
        return None
    if not events:
        return None
    return Slice(table, before, tuple(StoredLine(*event) for event in events))
