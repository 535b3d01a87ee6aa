"""What the lease of those who keep the time promises them."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import uuid4

import asyncpg
import pytest

from infra.lease import LAPSE, OUTAGE, PostgresLease
from services.ports import Lease
from tests.fakes import MemoryLease

PassTime = Callable[[timedelta], Awaitable[None]]
ONE, OTHER = uuid4(), uuid4()
A_MOMENT = timedelta(seconds=1)


@pytest.fixture
def leased(stored_in: str, request: pytest.FixtureRequest) -> tuple[Lease, PassTime]:
    """A lease that nobody has, and how to let time go by for it."""
    if stored_in == "memory":
        memory = MemoryLease()

        async def pass_time(span: timedelta) -> None:
            memory.now += span

        return memory, pass_time
    owner: asyncpg.Connection = request.getfixturevalue("owner")

    async def put_back(span: timedelta) -> None:
        await owner.execute(
            "UPDATE misere.timekeeper SET seen_at = seen_at - $1::interval", span
        )

    return PostgresLease(request.getfixturevalue("pool")), put_back


async def test_one_process_has_it(leased: tuple[Lease, PassTime]) -> None:
    """Who took it keeps it by coming back, and nobody else gets it."""
    lease, pass_time = leased
    assert await lease.take(ONE)
    assert not await lease.take(OTHER)
    await pass_time(LAPSE - A_MOMENT)
    assert not await lease.take(OTHER)
    assert await lease.take(ONE)
    await pass_time(LAPSE - A_MOMENT)
    assert not await lease.take(OTHER)


async def test_it_lapses_with_its_holder(leased: tuple[Lease, PassTime]) -> None:
    """Who does not come back in time has lost it to who does, and may not go on."""
    lease, pass_time = leased
    await lease.take(ONE)
    await pass_time(LAPSE + A_MOMENT)
    assert await lease.take(OTHER)
    assert not await lease.take(ONE)
    assert list(await lease.outages()) == []


async def test_what_was_given_back_is_taken_at_once(
    leased: tuple[Lease, PassTime],
) -> None:
    """And only who has it can give it back."""
    lease, _ = leased
    await lease.take(ONE)
    await lease.leave(OTHER)
    assert not await lease.take(OTHER)
    await lease.leave(ONE)
    assert await lease.take(OTHER)


@pytest.mark.parametrize("back", [ONE, OTHER])
async def test_a_time_without_anybody_is_noted_until_it_is_made_up_for(
    leased: tuple[Lease, PassTime], back: object
) -> None:
    """Whoever comes first after it; it is as long as nobody was there."""
    lease, pass_time = leased
    await lease.take(ONE)
    await pass_time(OUTAGE * 6)
    assert await lease.take(back)  # type: ignore[arg-type]
    assert await lease.take(back)  # type: ignore[arg-type]
    [outage] = await lease.outages()
    assert OUTAGE * 6 <= outage.until - outage.since < OUTAGE * 7
    await pass_time(OUTAGE * 3)
    await lease.take(back)  # type: ignore[arg-type]
    first, second = await lease.outages()
    assert first == outage
    await lease.settle(outage)
    assert list(await lease.outages()) == [second]
