"""Group commit: flights, poison, lost answers, a full queue."""

import asyncio
from collections.abc import Sequence
from unittest.mock import patch

import pytest

from domain.chain import shard_of
from domain.ids import Hash, Shard
from services import committer as committing
from services.committer import Committer
from services.errors import Busy
from services.ports import BrokenBatch, NewAppend, Outcome, StoreUnavailable
from tests.fakes.appends import Chain
from tests.fakes.memory import MemoryEventLog, Outage


class Airfield(MemoryEventLog):
    """A log that notes each flight, and can hold one back."""

    def __init__(self) -> None:
        super().__init__()
        self.flights: list[int] = []
        self.shards: list[set[Shard]] = []
        self.clear = asyncio.Event()
        self.clear.set()

    async def append(self, batch: Sequence[NewAppend]) -> Sequence[Outcome]:
        """Store a flight once the way is clear."""
        await self.clear.wait()
        self.flights.append(len(batch))
        self.shards.append({shard_of(entry.table) for entry in batch})
        return await super().append(batch)


async def send(
    log: MemoryEventLog, *entries: NewAppend, one_shard: bool = False
) -> list[Outcome]:
    """Store appends that all wait at once."""
    committer = Committer(log, one_shard=one_shard)
    waiting = [asyncio.create_task(committer.append(entry)) for entry in entries]
    await asyncio.sleep(0)
    flying = asyncio.create_task(committer.run())
    try:
        return await asyncio.gather(*waiting)
    finally:
        flying.cancel()
        await asyncio.gather(flying, return_exceptions=True)


async def test_what_waits_together_flies_together() -> None:
    """Appends of different tables that wait at once share a flight."""
    log = Airfield()
    outcomes = await send(log, *(Chain().propose() for _ in range(10)))
    assert [outcome.kind for outcome in outcomes] == ["appended"] * 10
    assert log.flights == [10]


async def test_a_flight_has_a_table_once() -> None:
    """Two appends of one table go in two flights, in the order they came."""
    log, chain = Airfield(), Chain()
    first, second = chain.propose(b'{"a":1}'), chain.propose(b'{"a":2}')
    one, two = await send(log, first, second)
    assert (one.kind, two.kind) == ("appended", "conflict")
    assert log.flights == [1, 1]


async def test_a_flight_can_be_held_to_one_shard() -> None:
    """Then each shard that waits has a flight, and nobody is overtaken for long.

    The first to wait leaves first, with all of its shard; two appends of a table still
    go in order.
    """
    log = Airfield()
    chains = [Chain() for _ in range(100)]
    entries = [chain.propose(body) for body in (b"1", b"2") for chain in chains]
    outcomes = await send(log, *entries, one_shard=True)
    kinds = [outcome.kind for outcome in outcomes]
    assert kinds == ["appended"] * 100 + ["conflict"] * 100
    present = {shard_of(chain.table) for chain in chains}
    assert all(len(shards) == 1 for shards in log.shards)
    assert len(log.flights) == 2 * len(present)
    assert log.shards[0] == {shard_of(chains[0].table)}


async def test_a_poison_entry_fails_alone() -> None:
    """An append that breaks its chain is refused, the others of its flight stand."""
    log = MemoryEventLog()
    good = [Chain().propose() for _ in range(7)]
    poison = Chain().propose()
    broken = NewAppend(
        poison.table,
        poison.expected,
        Hash(bytes(32)),
        poison.head,
        poison.command,
        poison.request,
        poison.events,
    )
    committer = Committer(log)
    waiting = [
        asyncio.create_task(committer.append(entry))
        for entry in (*good[:3], broken, *good[3:])
    ]
    flying = asyncio.create_task(committer.run())
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    flying.cancel()
    assert isinstance(outcomes.pop(3), BrokenBatch)
    assert all(isinstance(o, Outcome) and o.kind == "appended" for o in outcomes)


@pytest.mark.parametrize("outage", ["before", "after"])
async def test_a_lost_answer_is_asked_for_again(outage: Outage) -> None:
    """When the store fails, before storing or after, the same entries are sent again.

    What had been stored comes back as a duplicate of itself, so it is stored once.
    """
    log = MemoryEventLog()
    log.outages.append(outage)
    entry = Chain().propose()
    (outcome,) = await send(log, entry)
    assert outcome.kind == ("appended" if outage == "before" else "duplicate")
    assert outcome.stored is not None
    assert outcome.stored.request == entry.request
    assert len(await log.read(entry.table, outcome.stored.first, 10)) == 0


async def test_a_store_that_stays_away_is_given_up() -> None:
    """After a bounded time the caller hears that the outcome is unknown."""
    log = MemoryEventLog()
    log.outages.extend(["before"] * 50)
    with (
        patch.object(committing, "RETRY_FOR", 0.2),
        pytest.raises(StoreUnavailable),
    ):
        await send(log, Chain().propose())


async def test_a_fault_ends_its_flight_alone() -> None:
    """An error that nobody foresaw is told to who waits; later appends still fly."""

    class Faulty(MemoryEventLog):
        broken = True

        async def append(self, batch: Sequence[NewAppend]) -> Sequence[Outcome]:
            if self.broken:
                self.broken = False
                raise ZeroDivisionError
            return await super().append(batch)

    committer = Committer(Faulty())
    flying = asyncio.create_task(committer.run())
    with pytest.raises(ZeroDivisionError):
        await committer.append(Chain().propose())
    outcome = await committer.append(Chain().propose())
    assert outcome.kind == "appended"
    flying.cancel()


async def test_a_full_queue_refuses() -> None:
    """Past its bound the queue takes nothing more, and says so at once."""
    committer = Committer(MemoryEventLog())
    with patch.object(committing, "LONGEST_QUEUE", 2):
        waiting = [
            asyncio.create_task(committer.append(Chain().propose())) for _ in range(2)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await committer.append(Chain().propose())
    for task in waiting:
        task.cancel()
