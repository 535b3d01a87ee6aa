"""Group commit over the real log, while connections and the database itself go away."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from threading import Event

import asyncpg
import pytest
from msgspec.structs import replace

from api.databases import bring_up_to_date
from domain.chain import shard_of
from domain.ids import Hash, Version
from infra.database import connect
from infra.embedded import DataFolder, EmbeddedPostgres
from infra.event_log import PostgresEventLog
from services.committer import Committer
from services.ports import BrokenBatch, EventLog, NewAppend, Outcome
from tests.fakes import Chain
from tests.whole_log import check_log

Spoil = Callable[[NewAppend], NewAppend]

SEVER = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'misere'
      AND random() < $1"""

WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'"""


@asynccontextmanager
async def flying(log: EventLog, *, one_shard: bool = False) -> AsyncIterator[Committer]:
    """A committer that flies until the block is left."""
    committer = Committer(log, one_shard=one_shard)
    flights = asyncio.create_task(committer.run())
    try:
        yield committer
        assert not flights.done()
    finally:
        flights.cancel()
        await asyncio.gather(flights, return_exceptions=True)


async def extend(
    committer: Committer, seed: int, enough: Callable[[], bool]
) -> list[NewAppend]:
    """Append to a new table until it is enough; each append is accepted, once."""
    chain, chance, made = Chain(), Random(seed), []
    while not enough():
        bodies = [chance.randbytes(200) for _ in range(chance.randint(1, 3))]
        entry = chain.propose(*bodies, secrets={0: b"sealed"})
        check_outcome(entry, await committer.append(entry))
        chain.follow(entry)
        made.append(entry)
    return made


def check_outcome(entry: NewAppend, outcome: Outcome) -> None:
    """See that an append is stored; what was sent twice is its own duplicate."""
    assert outcome.kind in {"appended", "duplicate"}
    assert outcome.stored is not None
    assert outcome.stored.first == entry.expected + 1
    assert outcome.stored.last == entry.expected + len(entry.events)
    assert outcome.stored.head == entry.head


async def check_stored(log: EventLog, made: Sequence[NewAppend]) -> None:
    """See that the log holds these appends, each once, and nothing else."""
    placed, heads = await check_log(log)
    entries = {(it.table, it.expected + 1, it.expected + len(it.events)) for it in made}
    assert len(placed) == len(entries)
    assert {(it.table, it.first, it.last) for it in placed} == entries
    for entry in made:
        assert heads[entry.table][entry.expected + len(entry.events)] == entry.head


@pytest.mark.slow
async def test_severed_connections_lose_and_double_nothing(
    pool: asyncpg.Pool, owner: asyncpg.Connection
) -> None:
    """Connections are cut all the time while flights are under way.

    Every append is answered as stored, and is stored once.
    """
    log, chance, severed = PostgresEventLog(pool), Random(1), 0
    async with flying(log) as committer:
        work = asyncio.gather(
            *(extend(committer, seed, lambda: severed >= 40) for seed in range(40))
        )
        while not work.done():
            severed += await owner.fetchval(SEVER, 0.4)
            await asyncio.sleep(chance.uniform(0.0, 0.1))
        made = [entry for done in await work for entry in done]
    assert len(made) > 100
    await check_stored(log, made)


async def test_answers_that_are_lost_come_again_as_duplicates(
    pool: asyncpg.Pool, owner: asyncpg.Connection
) -> None:
    """A flight that waits at a lock is cut off; then it is flown again, and lands."""
    log, chains = PostgresEventLog(pool), [Chain() for _ in range(20)]
    async with flying(log) as committer:
        first = [chain.propose(b"1") for chain in chains]
        await asyncio.gather(*map(committer.append, first))
        async with owner.transaction():
            await owner.execute("SELECT FROM misere.shard FOR UPDATE")
            for chain, entry in zip(chains, first, strict=True):
                chain.follow(entry)
            second = [chain.propose(b"2") for chain in chains]
            waiting = asyncio.gather(*map(committer.append, second))
            while not await owner.fetchval(WAITING):
                await owner.execute("SELECT pg_stat_clear_snapshot(), pg_sleep(0.01)")
            assert await owner.fetchval(SEVER, 1.0)
            assert not waiting.done()
        for entry, outcome in zip(second, await waiting, strict=True):
            check_outcome(entry, outcome)
    await check_stored(log, first + second)


async def test_flights_of_one_shard_store_the_same(pool: asyncpg.Pool) -> None:
    """Forty tables of all shards are appended to at once; each flight is of one."""
    shards: list[set[int]] = []

    class Watched(PostgresEventLog):
        async def append(self, batch: Sequence[NewAppend]) -> Sequence[Outcome]:
            shards.append({shard_of(entry.table) for entry in batch})
            return await super().append(batch)

    log = Watched(pool)
    async with flying(log, one_shard=True) as committer:
        done = await asyncio.gather(
            *(
                extend(committer, seed, iter([False] * 5 + [True]).__next__)
                for seed in range(40)
            )
        )
    assert all(len(each) == 1 for each in shards)
    await check_stored(log, [entry for each in done for entry in each])


def unchained(entry: NewAppend) -> NewAppend:
    """Begin elsewhere than where the table stands."""
    return replace(entry, prev=Hash(bytes(32)))


def unspeakable(entry: NewAppend) -> NewAppend:
    """Have a type that the store cannot hold."""
    return replace(entry, events=(replace(entry.events[0], type="no\0ted"),))


def immense(entry: NewAppend) -> NewAppend:
    """Have a version that the driver cannot send."""
    return replace(entry, expected=Version(2**70))


def headless(entry: NewAppend) -> NewAppend:
    """Have a hash of the wrong length."""
    return replace(entry, head=Hash(b"short"))


@pytest.mark.parametrize("spoil", [unchained, unspeakable, immense, headless])
async def test_a_poison_entry_amid_good_ones_fails_alone(
    pool: asyncpg.Pool, spoil: Spoil
) -> None:
    """Two hundred appends of one flight stand, the broken one among them is refused."""
    log = PostgresEventLog(pool)
    good = [Chain().propose(b"1", b"2", secrets={0: b"S"}) for _ in range(200)]
    entries = [*good[:77], spoil(Chain().propose()), *good[77:]]
    committer = Committer(log)
    waiting = [asyncio.create_task(committer.append(entry)) for entry in entries]
    await asyncio.sleep(0)
    flights = asyncio.create_task(committer.run())
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert not flights.done()
    flights.cancel()
    assert isinstance(outcomes.pop(77), BrokenBatch)
    for entry, outcome in zip(good, outcomes, strict=True):
        assert isinstance(outcome, Outcome)
        assert outcome.kind == "appended"
        check_outcome(entry, outcome)
    await check_stored(log, good)


def test_a_restart_of_the_database_under_load_loses_and_doubles_nothing(
    tmp_path: Path,
) -> None:
    """The database is shut down and started again, twice, while appends come in.

    They wait, and are answered by the new one; all of them are stored once.
    """
    with (
        DataFolder.claim(tmp_path / "data") as folder,
        EmbeddedPostgres.start(folder) as postgres,
        ThreadPoolExecutor(1) as elsewhere,
    ):
        asyncio.run(bring_up_to_date(postgres.dsn()))
        begun, enough = Event(), Event()
        load = elsewhere.submit(
            asyncio.run, append_until(postgres.dsn(), begun, enough)
        )
        try:
            assert begun.wait(10)
            for _ in range(2):
                time.sleep(0.2)
                postgres.restart()
                begun.clear()
                assert begun.wait(10)  # appends are answered again
        finally:
            enough.set()
        assert load.result(30) > 100


async def append_until(url: str, begun: Event, enough: Event) -> int:
    """Append to thirty tables until it is enough, then check the log against that."""
    async with await connect(url) as pool:
        log = PostgresEventLog(pool)

        def looked() -> bool:
            begun.set()
            return enough.is_set()

        async with flying(log) as committer:
            done = await asyncio.gather(
                *(extend(committer, seed, looked) for seed in range(30))
            )
        made = [entry for each in done for entry in each]
        await check_stored(log, made)
        return len(made)
