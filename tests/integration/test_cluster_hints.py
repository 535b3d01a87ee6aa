"""Hints through a cluster whose nodes come and go."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from uuid import uuid4

import pytest
from redis.crc import key_slot
from redis.exceptions import ResponseError

from domain.ids import TableId
from infra import cluster_hints, hints
from infra.cluster_hints import ClusterHints
from infra.hints import channel
from services.ports import HintsUnavailable, Slice
from tests.contract.test_hints import first, news, receiving
from tests.valkey_cluster import Cluster, Node


@pytest.fixture(autouse=True)
def _trying_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_hints, "PAUSE", 0.05)
    monkeypatch.setattr(hints, "ALONE_FOR", 0.0)


@pytest.fixture
async def ends(cluster: Cluster) -> AsyncIterator[tuple[ClusterHints, ClusterHints]]:
    """Two ends of a line through the cluster."""
    one, other = ClusterHints(cluster.url()), ClusterHints(cluster.url())
    yield one, other
    await one.close()
    await other.close()


def table_on(node: Node) -> TableId:
    """A table whose channel lies on a node."""
    while True:
        table = TableId(uuid4())
        low, high = node.slots
        if low <= key_slot(channel(table).encode()) <= high:
            return table


async def test_channels_on_different_nodes_are_one_line(
    cluster: Cluster, ends: tuple[ClusterHints, ClusterHints]
) -> None:
    """What is published at once of tables on all nodes comes, each in its order."""
    one, other = ends
    tables = [table_on(node) for node in cluster.nodes for _ in range(3)]
    for table in tables:
        await other.listen_for(table)
    async with receiving(other) as received, asyncio.timeout(20):
        for table in tables:
            while await first(received, one, news(table, 1)) != news(table, 1):
                pass
        await one.publish([news(it, n) for n in range(2, 5) for it in tables])
        told: dict[TableId, list[int]] = {table: [] for table in tables}
        while any(versions[-3:] != [2, 3, 4] for versions in told.values()):
            came = await received.get()
            told[came.table].append(came.events[0].version)


async def test_a_node_that_hangs_holds_up_nobody_else(
    cluster: Cluster, ends: tuple[ClusterHints, ClusterHints]
) -> None:
    """News of other tables do not wait for it; its own go on when it does."""
    one, other = ends
    late, kept = (table_on(cluster.nodes[n]) for n in (0, 1))
    for table in (kept, late):
        await other.listen_for(table)
    async with receiving(other) as received, asyncio.timeout(30):
        for table in (kept, late):
            await first(received, one, news(table))
        with cluster.nodes[0].hanging():
            while not received.empty():
                received.get_nowait()
            for version in range(2, 30):
                await one.publish([news(late, version), news(kept, version)])
                assert await received.get() == news(kept, version)
        async with asyncio.TaskGroup() as group:
            saying = group.create_task(_say(one, news(late, 40)))
            while await received.get() != news(late, 40):
                pass
            saying.cancel()
        cluster.wait()


async def test_a_node_that_is_away_makes_only_its_own_tables_late(
    cluster: Cluster, ends: tuple[ClusterHints, ClusterHints]
) -> None:
    """The others' hints go on; its own do when it is back, new tables among them."""
    one, other = ends
    kept, late, new = (table_on(cluster.nodes[n]) for n in (1, 0, 0))
    for table in (kept, late):
        await other.listen_for(table)
    async with receiving(other) as received, asyncio.timeout(60):
        for table in (kept, late):
            await first(received, one, news(table))
        cluster.nodes[0].kill()
        while not received.empty():
            received.get_nowait()
        await other.listen_for(new)
        for version in range(2, 30):
            await one.publish([news(late, version), news(kept, version)])
            assert await received.get() == news(kept, version)
        cluster.nodes[0].start()
        for table in (late, new, kept):
            while (await first(received, one, news(table, 40))).table != table:
                pass
        cluster.wait()


async def test_a_table_is_followed_to_where_its_slot_moves(
    cluster: Cluster,
    ends: tuple[ClusterHints, ClusterHints],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without anything having failed."""
    monkeypatch.setattr(cluster_hints, "OLD", 0.1)
    one, other = ends
    source, target = cluster.nodes[:2]
    table = table_on(source)
    slot = key_slot(channel(table).encode())
    await other.listen_for(table)
    async with receiving(one), receiving(other) as received, asyncio.timeout(60):
        for version, node in enumerate((source, target, source), 1):
            _move(cluster, slot, node)
            async with asyncio.TaskGroup() as group:
                saying = group.create_task(_say(one, news(table, version)))
                while (await received.get()).events[0].version != version:
                    pass
                saying.cancel()


async def _say(sender: ClusterHints, said: Slice) -> None:
    while True:
        with suppress(HintsUnavailable):
            await sender.publish([said])
        await asyncio.sleep(0.05)


def _move(cluster: Cluster, slot: int, target: Node) -> None:
    """Give a slot to a node, as a cluster's administrator would."""
    names = {node: node.ask("CLUSTER MYID").decode() for node in cluster.nodes}
    for source in cluster.nodes:
        if source is not target:
            with suppress(ResponseError):  # it has not got the slot
                source.ask("CLUSTER SETSLOT", slot, "MIGRATING", names[target])
                target.ask("CLUSTER SETSLOT", slot, "IMPORTING", names[source])
    for node in (target, *cluster.nodes):
        node.ask("CLUSTER SETSLOT", slot, "NODE", names[target])


async def test_without_a_cluster_nothing_is_sent_or_received() -> None:
    """Whoever publishes is told so; whoever receives goes on trying."""
    alone = ClusterHints("redis-cluster://127.0.0.1:1")
    async with receiving(alone) as received:
        await alone.listen_for(news(TableId(uuid4())).table)
        with pytest.raises(HintsUnavailable):
            await alone.publish([news(TableId(uuid4()))])
        assert received.empty()
    await alone.close()
