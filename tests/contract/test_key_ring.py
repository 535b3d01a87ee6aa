"""What is promised of the keys that sign receipts."""

import asyncio
from datetime import UTC, datetime, timedelta

from services.receipts import KeptKey, KeyRing

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def key(number: int, mark: int = 0) -> KeptKey:
    """A key of that number, which begins in its hour."""
    public = bytes([number, mark]) * 16
    return KeptKey(number, public, NOON + timedelta(hours=number))


async def test_keys_are_there_in_the_order_of_their_numbers(ring: KeyRing) -> None:
    """Whatever the order in which they came."""
    for number in (2, 1, 3):
        await ring.add(key(number), bytes([number]) * 32)
    assert await ring.keys() == [key(1), key(2), key(3)]
    assert await ring.private(2) == b"\x02" * 32
    assert await ring.private(4) is None


async def test_of_several_who_add_a_key_one_does(ring: KeyRing) -> None:
    """All find the same key afterwards, with the private part that belongs to it."""
    await asyncio.gather(
        *(ring.add(key(1, mark), bytes([mark]) * 32) for mark in range(8))
    )
    [kept] = await ring.keys()
    assert await ring.private(1) == kept.public[1:2] * 32


async def test_a_forgotten_private_part_is_gone_and_the_public_one_stays(
    ring: KeyRing,
) -> None:
    """Old receipts can be checked, and none can be made any more."""
    for number in (1, 2, 3):
        await ring.add(key(number), bytes([number]) * 32)
    await ring.forget(3)
    assert await ring.keys() == [key(1), key(2), key(3)]
    privates = [await ring.private(number) for number in (1, 2, 3)]
    assert privates == [None, None, b"\x03" * 32]
