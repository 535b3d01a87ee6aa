"""What a log of events promises to those who append and to those who read."""

from collections.abc import Callable
from itertools import islice
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.chain import shard_of
from domain.ids import CommandId, Hash, Position, Shard, TableId, Version
from domain.log import StoredLine
from services.ports import BrokenBatch, EventLog, NewAppend, Placed
from tests.fakes import Chain

OTHER_REQUEST = Hash(b"\x01" * 32)
FIRST, EVERYTHING = Version(1), Version(1000)
BEGINNING, START = Version(0), Position(0)

SHARD = Shard(5)


def new_table() -> TableId:
    """An id that no table has."""
    return TableId(uuid4())


# Tables of one shard: what is said of positions is said of these.
NEIGHBOURS = list(islice((t for t in iter(new_table, None) if shard_of(t) == SHARD), 4))


async def stored(log: EventLog, chain: Chain, *bodies: bytes) -> NewAppend:
    """Append to a table and move its chain on."""
    append = chain.propose(*bodies)
    [outcome] = await log.append([append])
    assert outcome.kind == "appended"
    chain.follow(append)
    return append


async def test_an_append_is_stored_whole_and_read_back_byte_for_byte(
    log: EventLog,
) -> None:
    """What is served is what was hashed, with its version and type."""
    chain = Chain()
    append = await stored(log, chain, b'{"a":1}', b"\x00 not even text \xff")
    assert await log.read(chain.table, BEGINNING, 10) == (
        StoredLine(Version(1), "noted", b'{"a":1}', append.events[0].hash),
        StoredLine(Version(2), "noted", b"\x00 not even text \xff", append.head),
    )


async def test_the_outcome_tells_versions_position_and_head(log: EventLog) -> None:
    """The idempotency record is all that a caller needs to answer."""
    chain = Chain()
    await stored(log, chain, b"1", b"2")
    append = chain.propose(b"3", b"4", b"5", request=OTHER_REQUEST)
    [outcome] = await log.append([append])
    assert outcome.stored is not None
    assert (outcome.stored.first, outcome.stored.last) == (3, 5)
    assert outcome.stored.position == 2
    assert outcome.stored.head == append.head
    assert outcome.stored.request == OTHER_REQUEST


async def test_nothing_appended_is_nothing_stored(log: EventLog) -> None:
    """An empty batch has no outcome and no effect."""
    assert list(await log.append([])) == []
    assert list(await log.positions()) == [0] * 16


async def test_a_stale_version_is_a_conflict_and_stores_nothing(log: EventLog) -> None:
    """Of two who decide at the same version the second has to look again."""
    chain = Chain()
    late = chain.propose(b"late")
    await stored(log, chain, b"first")
    [outcome] = await log.append([late])
    assert (outcome.kind, outcome.stored) == ("conflict", None)
    assert await log.heads([chain.table]) == {chain.table: (chain.version, chain.head)}


async def test_a_version_still_to_come_is_a_conflict(log: EventLog) -> None:
    """Neither a table without events nor a shorter one can be jumped into."""
    chain = Chain()
    skipped = chain.propose(b"1")
    chain.follow(skipped)
    ahead = chain.propose(b"2")
    [outcome] = await log.append([ahead])
    assert outcome.kind == "conflict"
    assert await log.heads([chain.table]) == {}
    assert await log.read(chain.table, BEGINNING, 10) == ()


async def test_another_head_at_the_right_version_is_a_conflict(log: EventLog) -> None:
    """A fork that is sound in itself does not get in by its version alone."""
    chain = Chain()
    fork = Chain(chain.table)
    fork.follow(fork.propose(b"another past"))
    await stored(log, chain, b"the past")
    [outcome] = await log.append([fork.propose(b"2")])
    assert outcome.kind == "conflict"


async def test_the_same_command_again_is_a_duplicate_with_the_first_answer(
    log: EventLog,
) -> None:
    """A retry is harmless, also long after the table has moved on."""
    chain = Chain()
    append = chain.propose(b"1", b"2")
    [first] = await log.append([append])
    chain.follow(append)
    await stored(log, chain, b"3")
    [again] = await log.append([append])
    assert again.kind == "duplicate"
    assert again.stored == first.stored
    assert await log.heads([chain.table]) == {chain.table: (chain.version, chain.head)}


async def test_a_command_reused_for_another_request_is_a_duplicate_that_shows_it(
    log: EventLog,
) -> None:
    """The stored hash of the request is the first one: the caller sees the misuse."""
    chain, command = Chain(), uuid4()
    append = chain.propose(b"1", command=command)
    await log.append([append])
    chain.follow(append)
    misuse = chain.propose(b"2", command=command, request=OTHER_REQUEST)
    [outcome] = await log.append([misuse])
    assert outcome.kind == "duplicate"
    assert outcome.stored is not None
    assert outcome.stored.request == append.request
    assert await log.heads([chain.table]) == {chain.table: (1, append.head)}


async def test_one_command_id_may_serve_two_tables(log: EventLog) -> None:
    """Idempotency is a matter of each table."""
    command = uuid4()
    batch = [Chain().propose(command=command), Chain().propose(command=command)]
    assert [outcome.kind for outcome in await log.append(batch)] == ["appended"] * 2


async def test_the_entries_of_a_batch_stand_or_fall_alone(log: EventLog) -> None:
    """One answer each, in the order of the batch."""
    moved, retried, fresh = Chain(), Chain(), Chain()
    stale = moved.propose(b"stale")
    await stored(log, moved)
    retry = await stored(log, retried)
    outcomes = await log.append([stale, fresh.propose(), retry, Chain().propose()])
    kinds = [outcome.kind for outcome in outcomes]
    assert kinds == ["conflict", "appended", "duplicate", "appended"]


def _wrong_hash(append: NewAppend) -> NewAppend:
    forged = replace(append.events[-1], body=b"forged")
    return replace(append, events=(*append.events[:-1], forged))


def _wrong_previous(append: NewAppend) -> NewAppend:
    return replace(append, prev=Hash(bytes(32)))


def _wrong_head(append: NewAppend) -> NewAppend:
    return replace(append, head=Hash(bytes(32)))


def _swapped(append: NewAppend) -> NewAppend:
    return replace(append, events=append.events[::-1])


def _empty(append: NewAppend) -> NewAppend:
    return replace(append, events=())


def _cut(append: NewAppend) -> NewAppend:
    return replace(append, events=append.events[:-1])


BREAKS = [_wrong_hash, _wrong_previous, _wrong_head, _swapped, _empty, _cut]


@pytest.mark.parametrize("break_", BREAKS)
async def test_a_batch_with_a_broken_chain_is_refused_whole(
    log: EventLog, break_: Callable[[NewAppend], NewAppend]
) -> None:
    """A poison entry takes its batch with it, and nothing is stored."""
    good, bad = Chain(), Chain()
    poison = break_(bad.propose(b"1", b"2"))
    with pytest.raises(BrokenBatch):
        await log.append([good.propose(), poison, Chain().propose()])
    assert await log.heads([good.table]) == {}
    assert list(await log.positions()) == [0] * 16


async def test_a_chain_that_begins_from_another_origin_is_refused(
    log: EventLog,
) -> None:
    """The first hash holds the table's id: events of one cannot open another."""
    chain, other = Chain(), Chain()
    foreign = replace(chain.propose(b"1"), table=other.table)
    with pytest.raises(BrokenBatch):
        await log.append([foreign])


async def test_a_table_twice_in_a_batch_is_refused(log: EventLog) -> None:
    """Which of the two came first would be anybody's guess."""
    chain = Chain()
    append = chain.propose(b"1")
    chain.follow(append)
    with pytest.raises(BrokenBatch):
        await log.append([append, chain.propose(b"2")])
    assert await log.heads([chain.table]) == {}


async def test_after_a_refused_batch_its_good_entries_can_be_sent_alone(
    log: EventLog,
) -> None:
    """What halving relies on."""
    good = Chain().propose()
    with pytest.raises(BrokenBatch):
        await log.append([good, _wrong_head(Chain().propose())])
    [outcome] = await log.append([good])
    assert outcome.kind == "appended"


async def test_positions_of_a_shard_are_dense_and_in_order(log: EventLog) -> None:
    """Whoever follows a shard misses nothing and sees no gap."""
    chains = [Chain(table) for table in NEIGHBOURS]
    for _ in range(3):
        batch = [chain.propose() for chain in chains]
        await log.append(batch)
        for chain, append in zip(chains, batch, strict=True):
            chain.follow(append)
    placed = await log.placed(SHARD, START, 100)
    assert [each.position for each in placed] == list(range(1, 13))
    assert [each.table for each in placed] == [chain.table for chain in chains] * 3
    assert (await log.positions())[SHARD] == 12


async def test_conflicts_and_duplicates_take_no_position(log: EventLog) -> None:
    """Only what was stored has a place in the order of its shard."""
    chain = Chain(NEIGHBOURS[0])
    stale = chain.propose(b"stale")
    append = await stored(log, chain)
    await log.append([stale])
    await log.append([append])
    later = await stored(log, chain)
    placed = await log.placed(SHARD, START, 100)
    assert placed == (
        Placed(Position(1), chain.table, Version(1), Version(1), append.command),
        Placed(Position(2), chain.table, Version(2), Version(2), later.command),
    )


async def test_placed_goes_on_after_a_position_and_stops_at_the_limit(
    log: EventLog,
) -> None:
    """A projection reads a shard in parts."""
    chain = Chain(NEIGHBOURS[0])
    for _ in range(5):
        await stored(log, chain)
    part = await log.placed(SHARD, Position(2), 2)
    assert [each.first for each in part] == [3, 4]


async def test_read_goes_on_after_a_version_and_stops_at_the_limit(
    log: EventLog,
) -> None:
    """A table is read in parts, in order."""
    chain = Chain()
    await stored(log, chain, b"1", b"2", b"3", b"4", b"5")
    part = await log.read(chain.table, Version(1), 3)
    assert [event.version for event in part] == [2, 3, 4]
    assert await log.read(chain.table, Version(5), 3) == ()


async def test_secrets_are_kept_apart_and_told_by_version(log: EventLog) -> None:
    """Only the events that seal something have one, and only within the bounds."""
    chain = Chain()
    append = chain.propose(b"0", b"1", b"2", b"3", secrets={1: b"QS", 3: b""})
    await log.append([append])
    assert await log.secrets(chain.table, FIRST, EVERYTHING) == {2: b"QS", 4: b""}
    assert await log.secrets(chain.table, Version(3), Version(4)) == {4: b""}
    assert await log.secrets(Chain().table, FIRST, EVERYTHING) == {}


async def test_a_conflict_leaves_no_secret_behind(log: EventLog) -> None:
    """A refused hand is not kept."""
    chain = Chain()
    late = chain.propose(b"late", secrets={0: b"KH"})
    await stored(log, chain)
    await log.append([late])
    assert await log.secrets(chain.table, FIRST, EVERYTHING) == {}


async def test_find_answers_what_the_outcome_said(log: EventLog) -> None:
    """A retry is recognised before anything else is asked."""
    chain = Chain()
    append = chain.propose(b"1")
    [outcome] = await log.append([append])
    assert await log.find(chain.table, append.command) == outcome.stored
    assert await log.find(chain.table, CommandId(uuid4())) is None
    assert await log.find(Chain().table, append.command) is None


async def test_head_follows_the_table(log: EventLog) -> None:
    """Version and head are those of the last event; no table, no head."""
    chain = Chain()
    assert await log.heads([chain.table]) == {}
    await stored(log, chain, b"1", b"2")
    assert await log.heads([chain.table]) == {chain.table: (2, chain.head)}
