"""Keeping the time: who acts for those who do not, and that it is done once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import uuid4

import pytest

from domain import log as lines
from domain.commands import AbandonTable, LeaveSeat, OpenTable, TakeSeat
from domain.ids import Seat, TableId, Version
from domain.people import By, Occupant
from domain.table import Table
from domain.terms import Absence, Clock
from infra.lease import OUTAGE
from services import timekeeper
from services.committer import Committer
from services.tables import Outside, Tables
from services.timekeeper import Patience, Timekeeper
from tests.fakes import MemoryEventLog, MemoryLease, MemoryReadModels
from tests.newer import newer
from tests.services.processes import (
    HOST,
    always,
    follower,
    pass_first_three,
    person,
    request,
)

PATIENCE = Patience(open=timedelta(hours=1), playing=timedelta(days=1))
CLOCK = Clock(seconds=30, bank=10)
ME = Seat(0)
ANYBODY = uuid4()


class World:
    """A log, its read models and a lease, in a time that goes by when told."""

    def __init__(self) -> None:
        """Nothing has happened."""
        self.now = datetime(2026, 11, 30, 12, tzinfo=UTC)
        self.log = MemoryEventLog()
        self.models = MemoryReadModels()
        self.lease = MemoryLease()

    def wait(self, span: timedelta) -> None:
        """Let time go by, for the lease as well."""
        self.now += span
        self.lease.now += span

    @asynccontextmanager
    async def process(self, seed: int) -> AsyncIterator[tuple[Tables, Timekeeper]]:
        """One that works at the tables and may keep their time."""
        committer = Committer(self.log)
        flying = asyncio.create_task(committer.run())
        outside = Outside(lambda: self.now, Random(seed).randbytes)
        tables = Tables(self.log, committer, outside)
        projector = follower(self.log, self.models, tables)
        keeper = Timekeeper(self.lease, projector, tables, outside, PATIENCE)
        try:
            yield tables, keeper
        finally:
            flying.cancel()
            await asyncio.gather(flying, return_exceptions=True)

    async def told(self, table: TableId) -> list[str]:
        """The types of all events that the clock brought about, in order."""
        stored = await self.log.read(table, Version(0), 10_000)
        return [
            event.type for event in stored if lines.public_event(event.body).by.clock
        ]


@pytest.fixture
def world() -> World:
    """A world without tables."""
    return World()


async def begin(
    tables: Tables, absence: Absence, clock: Clock | None = CLOCK
) -> TableId:
    """Four people are about to pass."""
    table = TableId(uuid4())
    terms = OpenTable(
        game="hearts",
        options={},
        seats=(Occupant(),) * 4,
        host=HOST,
        clock=clock,
        absence=absence,
    )
    await tables.open(table, By(player=HOST), terms, request(b"open"))
    for seat in range(4):
        who = By(player=person(seat))
        command = TakeSeat(Seat(seat), Occupant(player=person(seat)))
        await tables.execute(table, always(who, command), request(b"sit%d" % seat))
    return table


async def state(tables: Tables, table: TableId) -> Table:
    """The table as it is stored."""
    return (await tables.current(table)).table


async def test_nothing_is_done_before_its_time(world: World) -> None:
    """At the deadline it is, for every seat that is late."""
    async with world.process(1) as (tables, keeper):
        table = await begin(tables, "auto_play")
        world.wait(timedelta(seconds=39))
        await keeper.keep()
        assert await world.told(table) == []
        world.wait(timedelta(seconds=1))
        await keeper.keep()
        told = await world.told(table)
        assert told.count("seat_timed_out") == told.count("cards_passed") == 4


async def test_two_that_keep_the_time_at_once_do_nothing_twice(world: World) -> None:
    """As happens when one is taken to be gone and is not: the store decides."""
    async with (
        world.process(1) as (tables, one),
        world.process(2) as (_, other),
    ):
        mine = [await begin(tables, "auto_play") for _ in range(5)]
        world.wait(timedelta(minutes=1))
        await asyncio.gather(one.keep(), other.keep())
        for table in mine:
            told = await world.told(table)
            assert told.count("cards_passed") == 4


async def test_a_late_move_and_the_time_out_race(world: World) -> None:
    """One of the two is stored, whichever comes first, and the match goes on."""
    async with world.process(1) as (tables, keeper), world.process(2) as (there, _):
        table = await begin(tables, "auto_play")
        world.wait(timedelta(minutes=1))
        passing = there.execute(table, pass_first_three(0), request(b"late"))
        await asyncio.gather(keeper.keep(), passing, return_exceptions=True)
        stored = await world.log.read(table, Version(0), 100)
        assert [it.type for it in stored].count("cards_passed") == 4


async def test_who_left_is_played_for_at_once(world: World) -> None:
    """With a clock or without; a bot takes the seat."""
    async with world.process(1) as (tables, keeper):
        for clock in (CLOCK, None):
            table = await begin(tables, "bot", clock)
            who = By(player=person(0))
            await tables.execute(table, always(who, LeaveSeat(ME)), request(b"go"))
            await keeper.keep()
            assert await world.told(table) == ["seat_timed_out", "seat_proxied"]
            assert (await state(tables, table)).proxied == (ME,)


async def test_the_same_decision_can_run_out_twice(world: World) -> None:
    """A player who came back and still does nothing is late again."""
    async with world.process(1) as (tables, keeper):
        table = await begin(tables, "bot")
        world.now += timedelta(minutes=1)
        await keeper.keep()
        back = TakeSeat(ME, Occupant(player=person(0)))
        await tables.execute(
            table, always(By(player=person(0)), back), request(b"back")
        )
        assert ME not in (await state(tables, table)).proxied
        world.now += timedelta(minutes=1)
        await keeper.keep()
        assert ME in (await state(tables, table)).proxied


async def test_where_a_table_waits_nothing_is_done(world: World) -> None:
    """However long that takes, until it is given up."""
    async with world.process(1) as (tables, keeper):
        table = await begin(tables, "wait")
        world.wait(timedelta(hours=23))
        await keeper.keep()
        assert await world.told(table) == []


async def test_what_fell_due_while_nobody_was_there_is_done_later(
    world: World,
) -> None:
    """A process that never saw the table finds it, within the grace of a restart."""
    async with world.process(1) as (tables, _):
        table = await begin(tables, "auto_play")
    world.wait(timedelta(minutes=1))
    async with world.process(2) as (_, keeper):
        await keeper.keep()
    assert (await world.told(table)).count("cards_passed") == 4


async def test_an_outage_is_made_up_for_before_anything_is_done(world: World) -> None:
    """Once for each table with clocks, whoever tries it again, by its whole length."""
    async with (
        world.process(1) as (tables, keeper),
        world.process(2) as (_, other),
    ):
        assert await world.lease.take(uuid4())
        table, free = await begin(tables, "auto_play"), await begin(tables, "bot", None)
        away = OUTAGE * 6
        world.wait(away)
        assert await world.lease.take(uuid4())
        await asyncio.gather(keeper.keep(), other.keep(), return_exceptions=True)
        assert await world.told(table) == ["deadline_extended"]
        assert await world.told(free) == []
        world.wait(timedelta(seconds=39))
        await keeper.keep()
        assert await world.told(table) == ["deadline_extended"]
        world.wait(timedelta(seconds=1))
        await keeper.keep()
        assert (await world.told(table)).count("cards_passed") == 4


async def test_making_up_for_an_outage_is_no_outage(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many tables there are, and however long each takes."""
    monkeypatch.setattr(timekeeper, "AT_ONCE", 1)
    async with world.process(1) as (tables, keeper):
        mine = [await begin(tables, "auto_play") for _ in range(6)]
        world.wait(OUTAGE * 6)
        tables.listen(lambda _: world.wait(OUTAGE / 3))
        running = asyncio.create_task(keeper.run())
        await asyncio.sleep(3 * timekeeper.TICK)  # it would be made up for again
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        for table in mine:
            assert (await world.told(table)).count("deadline_extended") == 1


async def test_open_tables_are_given_up_that_nobody_comes_to(world: World) -> None:
    """After the time that is set; their secrets are revealed."""
    async with world.process(1) as (tables, keeper):
        table = TableId(uuid4())
        terms = OpenTable(game="hearts", options={}, seats=(Occupant(),) * 4, host=HOST)
        await tables.open(table, By(player=HOST), terms, request(b"open"))
        world.wait(PATIENCE.open - timedelta(seconds=1))
        await keeper.keep()
        assert await world.told(table) == []
        world.wait(timedelta(minutes=2))
        await keeper.keep()
        assert await world.told(table) == ["match_revealed", "table_abandoned"]


async def test_matches_are_given_up_that_nobody_plays(world: World) -> None:
    """A single move keeps them for as long again."""
    async with world.process(1) as (tables, keeper):
        left, played = await begin(tables, "wait"), await begin(tables, "wait")
        world.wait(PATIENCE.playing - timedelta(minutes=2))
        await tables.execute(played, pass_first_three(0), request(b"pass"))
        world.wait(timedelta(minutes=3))
        await keeper.keep()
        assert (await world.told(left))[-1] == "table_abandoned"
        assert await world.told(played) == []


async def test_a_table_is_not_given_up_under_who_comes_back(world: World) -> None:
    """A move that was stored while it was looked at keeps it."""
    async with world.process(1) as (tables, keeper), world.process(2) as (there, _):
        table = await begin(tables, "wait")
        world.wait(PATIENCE.playing + timedelta(minutes=2))
        await asyncio.gather(
            keeper.keep(),
            there.execute(table, pass_first_three(0), request(b"pass")),
            return_exceptions=True,
        )
        stored = await world.log.read(table, Version(0), 100)
        kinds = [it.type for it in stored]
        assert kinds.count("cards_passed") + kinds.count("table_abandoned") == 1


async def test_another_goes_on_when_one_stops(world: World) -> None:
    """At once, for the lease was given back."""
    async with world.process(1) as (_, one), world.process(2) as (tables, other):
        running = asyncio.create_task(one.run())
        while await world.lease.take(ANYBODY):
            await world.lease.leave(ANYBODY)
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await one.stop()
        table = await begin(tables, "bot")
        world.now += timedelta(minutes=1)
        running = asyncio.create_task(other.run())
        heard = asyncio.Event()
        tables.listen(lambda it: heard.set() if it.table.proxied else None)
        async with asyncio.timeout(10):
            await heard.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert "seat_proxied" in await world.told(table)


async def test_a_table_that_is_over_is_left_alone(world: World) -> None:
    """What the read models still call due is looked at again first."""
    async with world.process(1) as (tables, keeper):
        table = await begin(tables, "auto_play")
        host = By(player=HOST)
        await tables.execute(table, always(host, AbandonTable()), request(b"end"))
        world.wait(timedelta(days=30))
        await keeper.keep()
        assert await world.told(table) == []


async def make_strange(tables: Tables, keeper: Timekeeper, table: TableId) -> None:
    """Let a player leave as a newer version tells it, and others know of it before."""
    await keeper.keep()
    with newer():
        who = By(player=person(0))
        await tables.execute(table, always(who, LeaveSeat(ME)), request(b"go"))


async def test_what_cannot_be_followed_holds_up_no_other_table(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: the time of the others runs out, and is given back.

    Once this program can follow them it acts for their seats too.
    """
    monkeypatch.setattr(timekeeper, "AT_ONCE", 1)
    async with world.process(1) as (tables, keeper), world.process(2) as (_, other):
        strange = [await begin(tables, "bot") for _ in range(3)]
        table = await begin(tables, "auto_play")
        for each in strange:
            await make_strange(tables, keeper, each)
        await other.keep()
        world.wait(OUTAGE * 6)
        assert await world.lease.take(uuid4())
        await other.keep()
        assert await world.lease.outages() == ()
        assert await world.told(table) == ["deadline_extended"]
        world.wait(timedelta(seconds=40))
        await other.keep()
        assert (await world.told(table)).count("cards_passed") == 4
        with newer():
            world.wait(timekeeper.ASIDE)
            await other.keep()
            for each in strange:
                assert "seat_proxied" in await world.told(each)


async def test_what_cannot_be_followed_is_not_given_up_and_others_are(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is nobody's to end who does not know how it stands."""
    monkeypatch.setattr(timekeeper, "AT_ONCE", 1)
    async with world.process(1) as (tables, keeper), world.process(2) as (_, other):
        strange, left = await begin(tables, "wait"), await begin(tables, "wait")
        await make_strange(tables, keeper, strange)
        world.wait(PATIENCE.playing + timedelta(minutes=2))
        await other.keep()
        assert await world.told(strange) == []
        assert (await world.told(left))[-1] == "table_abandoned"
