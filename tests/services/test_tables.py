"""Tables at work: one decision, one append, whatever else goes on."""

import asyncio
from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest

from domain.commands import LeaveSeat, StartMatch, TakeSeat
from domain.errors import NotYourTurn, SeatIsTaken, SeatsNotFilled
from domain.ids import Seat, TableId, Version
from domain.log import StoredLine
from domain.people import By, Occupant
from services.errors import KeyReused, NotFound
from services.tables import Done
from tests.fakes.memory import MemoryEventLog
from tests.services.processes import (
    HOST,
    always,
    fill,
    open_table,
    pass_first_three,
    person,
    process,
    request,
)


@pytest.fixture
def table() -> TableId:
    """A table's id."""
    return TableId(uuid4())


async def test_a_table_is_opened_once(table: TableId) -> None:
    """The same request finds the table that it made; another is refused."""
    async with process(MemoryEventLog()) as tables:
        await open_table(tables, table)
        first = await tables.current(table)
        await open_table(tables, table)
        assert await tables.current(table) == first


def told(done: Done) -> list[bytes]:
    """The events of a command's append."""
    return [line.body for line in done.append.events]


async def test_a_retry_is_answered_as_the_first_time(table: TableId) -> None:
    """A command sent again is not decided again, even when it would be refused now."""
    async with process(MemoryEventLog()) as tables:
        await open_table(tables, table)
        await fill(tables, table)
        _, first = await tables.execute(table, pass_first_three(1), request(b"k"))
        _, again = await tables.execute(table, pass_first_three(1), request(b"k"))
        assert (again.version, again.head) == (first.version, first.head)
        assert told(again) == told(first)
        with pytest.raises(NotYourTurn):
            await tables.execute(table, pass_first_three(1), request(b"other"))


async def test_a_key_stands_for_one_request(table: TableId) -> None:
    """A key that was used for other contents is refused, whatever the table is at."""
    async with process(MemoryEventLog()) as tables:
        await open_table(tables, table)
        await fill(tables, table)
        await tables.execute(table, pass_first_three(1), request(b"k", b"one"))
        with pytest.raises(KeyReused):
            await tables.execute(table, pass_first_three(2), request(b"k", b"two"))
        with pytest.raises(KeyReused):
            await tables.execute(table, pass_first_three(1), request(b"k", b"two"))


async def test_a_stale_process_decides_again(table: TableId) -> None:
    """A process that has not seen another's append meets a conflict and goes on."""
    log = MemoryEventLog()
    async with process(log) as here, process(log, seed=2) as there:
        await open_table(here, table)
        await fill(here, table)
        await there.current(table)
        await here.execute(table, pass_first_three(0), request(b"here"))
        snapshot, _ = await there.execute(table, pass_first_three(1), request(b"there"))
        assert snapshot.table.version == (await here.current(table)).table.version


async def test_a_stale_refusal_is_not_believed(table: TableId) -> None:
    """What a process would refuse on an old state is decided on the present one."""
    log = MemoryEventLog()
    async with process(log) as here, process(log, seed=2) as there:
        await open_table(here, table)
        await there.current(table)
        for seat in range(4):
            command = TakeSeat(Seat(seat), Occupant(player=person(seat)))
            await here.execute(
                table, always(By(player=HOST), command), request(b"%d" % seat)
            )
        leave = always(By(player=HOST), LeaveSeat(Seat(2)))
        snapshot, _ = await there.execute(table, leave, request(b"leave"))
        assert snapshot.table.away == (2,)


async def test_many_take_one_seat(table: TableId) -> None:
    """Of many who sit down in one seat at once, through two processes, one does."""
    log = MemoryEventLog()
    async with process(log) as here, process(log, seed=2) as there:
        await open_table(here, table)

        async def sit(number: int) -> bool:
            command = TakeSeat(Seat(0), Occupant(player=person(number)))
            tables = here if number % 2 else there
            try:
                await tables.execute(
                    table,
                    always(By(player=person(number)), command),
                    request(b"%d" % number),
                )
            except SeatIsTaken:
                return False
            return True

        seated = await asyncio.gather(*map(sit, range(20)))
        assert seated.count(True) == 1
        current = await here.current(table)
        assert current.table.version == 2
        assert current.table.seats[0].player == person(seated.index(True))


async def test_a_lost_answer_is_no_second_append(table: TableId) -> None:
    """When the store's answer is lost, the caller still gets the append, once."""
    log = MemoryEventLog()
    async with process(log) as tables:
        await open_table(tables, table)
        log.outages.append("after")
        await fill(tables, table)
        assert (await tables.current(table)).table.status == "playing"


async def test_the_past_is_rounded_down_to_an_append(table: TableId) -> None:
    """The table at a version inside an append is the table before that append."""
    async with process(MemoryEventLog()) as tables:
        await open_table(tables, table)
        await fill(tables, table)
        start = (await tables.current(table)).table.version
        assert (await tables.at(table, start)).table.version == start
        assert (await tables.at(table, Version(start - 1))).table.version == 4
        with pytest.raises(NotFound):
            await tables.at(table, Version(0))


async def test_an_unknown_table_is_not_found() -> None:
    """Nothing can be asked of a table that is not there."""
    async with process(MemoryEventLog()) as tables:
        nowhere = TableId(UUID(int=7))
        with pytest.raises(NotFound):
            await tables.current(nowhere)
        with pytest.raises(NotFound):
            await tables.execute(
                nowhere, always(By(player=HOST), StartMatch()), request(b"k")
            )


async def test_a_refusal_changes_nothing(table: TableId) -> None:
    """After a refused command the table is byte for byte what it was."""
    log = MemoryEventLog()
    async with process(log) as tables:
        await open_table(tables, table)
        before = await log.read(table, Version(0), 100)
        with pytest.raises(SeatsNotFilled):
            await tables.execute(
                table, always(By(player=HOST), StartMatch()), request(b"k")
            )
        assert await log.read(table, Version(0), 100) == before


async def test_listeners_hear_of_every_step(table: TableId) -> None:
    """Who listens is told of each table that comes forward, newest last."""
    heard = []
    async with process(MemoryEventLog()) as tables:
        tables.listen(lambda snapshot: heard.append(snapshot.table.version))
        await open_table(tables, table)
        await fill(tables, table)
    assert heard[0] == 1
    assert heard == sorted(set(heard))


class Counting(MemoryEventLog):
    """A log that takes its time, and counts what is read."""

    reads = 0

    async def read(
        self, table: TableId, after: Version, limit: int
    ) -> Sequence[StoredLine]:
        """Read, in a while."""
        self.reads += 1
        await asyncio.sleep(0.01)
        return await super().read(table, after, limit)


async def test_many_who_look_at_once_read_once(table: TableId) -> None:
    """Those of a process who ask for a version that it has not got share one look."""
    log = Counting()
    async with process(log) as here, process(log, seed=2) as there:
        await open_table(here, table)
        await there.current(table)
        await fill(here, table)
        version = (await here.known(table)).table.version
        log.reads = 0
        found = await asyncio.gather(*(there.since(table, version) for _ in range(50)))
        assert {snapshot.table.version for snapshot in found} == {version}
        assert log.reads == 1
