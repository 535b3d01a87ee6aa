"""Receipts are signed with the key of their moment, on whatever server."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.ids import TableId
from domain.receipts import checked
from infra.signing import Ed25519, verify
from services.receipts import NOTICE, Receipts
from services.snapshots import Snapshot
from tests.fakes import MemoryEventLog, MemoryKeyRing
from tests.services.processes import open_table, outside, process

TABLE = TableId(UUID(int=7))


class Clock:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        """It is noon."""
        self.now = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> Clock:
    """The time of all servers."""
    return Clock()


@pytest.fixture
def ring() -> MemoryKeyRing:
    """The keys of all servers."""
    return MemoryKeyRing()


@pytest.fixture
async def snapshot() -> Snapshot:
    """A table that was opened."""
    async with process(MemoryEventLog()) as tables:
        await open_table(tables, TABLE)
        return await tables.current(TABLE)


def server(ring: MemoryKeyRing, clock: Clock, *, fast: int = 0) -> Receipts:
    """A server whose clock is so many seconds fast."""
    at = replace(outside(), now=lambda: clock.now + timedelta(seconds=fast))
    return Receipts(ring, Ed25519(), at)


async def holds(receipts: Receipts, snapshot: Snapshot) -> str:
    """The key of a receipt of the table, which holds."""
    signed = await receipts.sign(snapshot)
    heads = {snapshot.table.version: snapshot.head.hex()}
    [finding] = checked([signed], await receipts.keys(), TABLE, heads, verify)
    assert finding.fault is None
    return signed.receipt.key


async def test_the_first_who_needs_a_key_makes_it(
    ring: MemoryKeyRing, clock: Clock, snapshot: Snapshot
) -> None:
    """All servers have the same one, and receipts of each hold at the others."""
    one, other = server(ring, clock), server(ring, clock, fast=-30)
    assert await holds(one, snapshot) == await holds(other, snapshot)
    assert len(await one.keys()) == 1
    assert await one.keys() == await other.keys()


async def test_a_new_key_signs_after_its_notice(
    ring: MemoryKeyRing, clock: Clock, snapshot: Snapshot
) -> None:
    """Till then the old one does, on servers with other clocks too."""
    one, other = server(ring, clock), server(ring, clock, fast=20)
    old = await holds(one, snapshot)
    new = await one.rotate()
    assert await holds(one, snapshot) == await holds(other, snapshot) == old
    before, after = await one.keys()
    assert (after, before.valid_until) == (new, new.valid_from)
    clock.now += NOTICE
    assert await holds(one, snapshot) == await holds(other, snapshot) == new.id


async def test_old_receipts_hold_after_many_rotations(
    ring: MemoryKeyRing, clock: Clock, snapshot: Snapshot
) -> None:
    """Public keys stay; the private parts that sign no more are forgotten."""
    receipts = server(ring, clock)
    signed = []
    for _ in range(4):
        signed.append(await receipts.sign(snapshot))
        await receipts.rotate()
        clock.now += 3 * NOTICE
    heads = {snapshot.table.version: snapshot.head.hex()}
    findings = checked(signed, await receipts.keys(), TABLE, heads, verify)
    assert [finding.fault for finding in findings] == [None] * 4
    kept = [await ring.private(number) is not None for number in range(1, 6)]
    assert kept == [False, False, False, True, True]


async def test_rotating_in_a_hurry_leaves_no_moment_without_a_key(
    ring: MemoryKeyRing, clock: Clock, snapshot: Snapshot
) -> None:
    """A key that signs now keeps its private part, however many are to follow."""
    receipts = server(ring, clock)
    first = await holds(receipts, snapshot)
    news = [await receipts.rotate() for _ in range(3)]
    assert await holds(server(ring, clock), snapshot) == first
    clock.now += NOTICE
    assert await holds(server(ring, clock), snapshot) == news[-1].id
