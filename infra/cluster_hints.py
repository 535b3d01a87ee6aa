"""Hints through a cluster of Redis: each table's channel lies on the node of its slot.

Each node has a line of its own, so that one which is away makes nobody late but those
who follow the tables on it.
"""

import asyncio
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import structlog
from redis.crc import key_slot

from domain.ids import TableId
from infra.hints import FAULTS, RedisHints, channel, connect, is_cancelled
from infra.settings import CLUSTER
from services.ports import HintsUnavailable, Slice

_log = structlog.get_logger()

PAUSE: Final = 1.0
"""Seconds before a node that is away is tried again."""

HURRY: Final = 0.1
"""Seconds within which a node has taken news, or the others' news go on without it."""

OLD: Final = 10.0
"""Seconds after which the cluster is asked again where its slots lie."""

Place: TypeAlias = str
"""Where a node is: host and port, as a URL has them."""

Range: TypeAlias = tuple[int, int, Place]
"""The first and the last of some slots in a row, and where they lie."""

NEVER: Final = -inf


class ClusterHints:
    """`services.ports.Hints` through a cluster."""

    def __init__(self, url: str) -> None:
        """Use the cluster of which the URL names a node; it is reached when used."""
        self._url = urlsplit(url.replace(CLUSTER, "redis://", 1))
        named = self._url.netloc.rpartition("@")[2]
        self._nodes = {named: self._node(named)}
        self._ranges: list[Range] = []
        self._drawing = asyncio.Lock()
        self._drawn_at = NEVER
        self._is_lost = False
        self._sending: dict[RedisHints, asyncio.Task[bool]] = {}
        self._listening: dict[TableId, RedisHints | None] = {}
        """The tables that are wanted, and at which node."""

    async def publish(self, news: Sequence[Slice]) -> None:
        """Tell every process that listens for these tables, at all nodes at once."""
        if not self._ranges:
            await self._draw_map()
        parts = defaultdict(list)
        for each in news:
            parts[self._node_of(each.table)].append(each)
        sent = []
        for node, part in parts.items():
            before = self._sending.get(node) if node else None
            # One that does not answer gets no more until it does, and nobody waits.
            if node and (before is None or before.done()):
                self._sending[node] = asyncio.create_task(self._publish_at(node, part))
                sent.append(self._sending[node])
        done = (await asyncio.wait(sent, timeout=HURRY))[0] if sent else ()
        if not any(task.result() for task in done):
            raise HintsUnavailable

    async def _publish_at(self, node: RedisHints, news: Sequence[Slice]) -> bool:
        try:
            await node.publish(news)
        except HintsUnavailable:
            self._drawn_at = NEVER
            return False
        return True

    async def listen_for(self, table: TableId) -> None:
        """From now on receive what is published of the table."""
        node = self._listening[table] = self._node_of(table)
        if node is not None:
            await node.listen_for(table)

    async def forget(self, table: TableId) -> None:
        """Receive nothing more of the table."""
        node = self._listening.pop(table, None)
        if node is not None:
            await node.forget(table)

    async def receive(self, deliver: Callable[[Slice], None]) -> None:
        """Hand on what is received at any node, until cancelled."""
        lines: dict[RedisHints, asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as group:
            while not is_cancelled():
                if monotonic() > self._drawn_at + OLD:
                    await self._draw_map()
                nodes = set(self._nodes.values())
                for node in lines.keys() - nodes:
                    lines.pop(node).cancel()
                for node in nodes - lines.keys():
                    lines[node] = group.create_task(self._receive_at(node, deliver))
                await asyncio.sleep(PAUSE)
            raise asyncio.CancelledError

    async def _receive_at(
        self, node: RedisHints, deliver: Callable[[Slice], None]
    ) -> None:
        while not is_cancelled():
            with suppress(HintsUnavailable):
                await node.receive(deliver)
            self._drawn_at = NEVER
            await asyncio.sleep(PAUSE)

    async def _draw_map(self) -> None:
        """Learn where the slots lie, and listen for each table where it lies now."""
        async with self._drawing:
            ranges = await self._asked()
            if not ranges:
                return
            self._ranges, self._drawn_at = ranges, monotonic()
            places = {place for _, _, place in ranges}
            gone = [self._nodes.pop(each) for each in self._nodes.keys() - places]
            self._nodes |= {it: self._node(it) for it in places - self._nodes.keys()}
            for table, before in tuple(self._listening.items()):
                if self._node_of(table) is not before:
                    await self.listen_for(table)
                    if before is not None:
                        await before.forget(table)
            for node in gone:
                self._sending.pop(node, None)
                await node.close()

    async def _asked(self) -> list[Range]:
        """The ranges of slots, from any node that answers; none where none does."""
        fault: Exception | None = None
        for place in tuple(self._nodes):
            try:
                async with connect(self._url_of(place)) as client:
                    slots = await client.execute_command(  # type: ignore[no-untyped-call]
                        "CLUSTER SLOTS"
                    )
            except FAULTS as why:
                fault = why
            else:
                self._is_lost = False
                return _ranges(slots, place)
        if not self._is_lost:
            self._is_lost = True
            _log.warning("no cluster answers", error=type(fault).__name__)
        return []

    def _node_of(self, table: TableId) -> RedisHints | None:
        """The node that has a table's slot, where that is known."""
        slot = key_slot(channel(table).encode())
        at = bisect(self._ranges, slot, key=lambda it: it[0]) - 1
        if at < 0 or slot > self._ranges[at][1]:
            return None
        return self._nodes[self._ranges[at][2]]

    def _node(self, place: Place) -> RedisHints:
        return RedisHints(connect(self._url_of(place)))

    def _url_of(self, place: Place) -> str:
        """The URL of a node, with what else was given for all of them."""
        user, at, _ = self._url.netloc.rpartition("@")
        return self._url._replace(netloc=f"{user}{at}{place}").geturl()

    async def close(self) -> None:
        """End all connections."""
        for task in self._sending.values():
            task.cancel()
        await asyncio.gather(*self._sending.values(), return_exceptions=True)
        for node in self._nodes.values():
            await node.close()


def _ranges(slots: Sequence[Any], asked: Place) -> list[Range]:
    """The ranges of what a node that was asked says of all slots, in order."""
    ranges = []
    for first, last, (host, port, *_), *_ in slots:
        # A node that does not know its own address leaves it out.
        name = host.decode() if host else asked.rpartition(":")[0].strip("[]")
        place = f"[{name}]:{port}" if ":" in name else f"{name}:{port}"
        ranges.append((first, last, place))
    return sorted(ranges)
