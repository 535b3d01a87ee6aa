"""The read models follow the log."""

import asyncio
from uuid import uuid4

import pytest

from domain.commands import AbandonTable
from domain.ids import TableId
from domain.people import By, Occupant
from services import turns
from services.errors import Busy
from services.read_models import Generation, LobbyFilter, ReadModels
from tests.fakes.memory import MemoryEventLog
from tests.fakes.read_models import MemoryReadModels
from tests.services.processes import (
    HOST,
    always,
    fill,
    follower,
    open_table,
    pass_first_three,
    person,
    process,
    request,
)


async def waiting(models: ReadModels, seat: int) -> list[str]:
    """The kinds of decision that wait for the player of a seat."""
    page = await models.decisions_of(person(seat), 10)
    return [turn.decision.kind for turn in page.items]


async def statuses(models: ReadModels) -> list[tuple[str, int]]:
    """Status and free seats of each table in the lobby."""
    page = await models.lobby(LobbyFilter(), 100)
    return [(row.status, row.free_seats) for row in page.items]


async def test_the_lobby_shows_tables_as_they_are() -> None:
    """A table is listed as open, then as playing, then as abandoned."""
    log, models, table = MemoryEventLog(), MemoryReadModels(), TableId(uuid4())
    async with process(log) as tables:
        projector = follower(log, models, tables)
        await open_table(tables, table)
        await projector.catch_up()
        assert await statuses(models) == [("open", 4)]
        await fill(tables, table)
        await projector.catch_up()
        assert await statuses(models) == [("playing", 0)]
        give_up = always(By(player=HOST), AbandonTable())
        await tables.execute(table, give_up, request(b"give up"))
        await projector.catch_up()
        assert await statuses(models) == [("abandoned", 0)]
        assert await waiting(models, 0) == []


async def test_open_decisions_are_those_of_people_who_must_act() -> None:
    """Who has passed waits for nothing; who has not is asked for a pass."""
    log, models, table = MemoryEventLog(), MemoryReadModels(), TableId(uuid4())
    async with process(log) as tables:
        projector = follower(log, models, tables)
        await open_table(tables, table)
        await fill(tables, table)
        await tables.execute(table, pass_first_three(0), request(b"pass"))
        await projector.catch_up()
        assert [await waiting(models, seat) for seat in range(4)] == [
            [],
            ["pass"],
            ["pass"],
            ["pass"],
        ]


async def test_bots_have_no_turns() -> None:
    """A decision of a bot waits for nobody."""
    log, models, table = MemoryEventLog(), MemoryReadModels(), TableId(uuid4())
    async with process(log) as tables:
        projector = follower(log, models, tables)
        await open_table(tables, table, *(Occupant(bot="steady"),) * 4)
        await projector.catch_up()
        assert await statuses(models) == [("playing", 0)]
        assert (await models.decisions_of(HOST, 10)).items == ()


async def test_many_projectors_make_one_read_model() -> None:
    """Projectors of several processes that follow at once come to the same end."""
    log, models = MemoryEventLog(), MemoryReadModels()
    ids = [TableId(uuid4()) for _ in range(40)]
    async with process(log) as here, process(log, seed=2) as there:
        projectors = [follower(log, models, each) for each in (here, there)]

        async def make(table: TableId) -> None:
            await open_table(here, table)
            await fill(there, table)

        await asyncio.gather(
            *map(make, ids), *(each.catch_up() for each in projectors * 5)
        )
        await projectors[0].catch_up()
        assert await statuses(models) == [("playing", 0)] * len(ids)


class Slow(MemoryReadModels):
    """Read models that answer once they are told to, and count how often."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        super().__init__()
        self.may_answer = asyncio.Event()
        self.asked = 0

    async def serving(self) -> Generation:
        """What is served, in a while."""
        self.asked += 1
        await self.may_answer.wait()
        return await super().serving()


async def test_those_who_ask_meanwhile_share_the_next_look() -> None:
    """It begins after all of them have asked, so none misses what was stored before."""
    log, models, table = MemoryEventLog(), Slow(), TableId(uuid4())
    async with process(log) as tables:
        projector = follower(log, models, tables)
        asking = [asyncio.create_task(projector.catch_up())]
        await asyncio.sleep(0)
        await open_table(tables, table)
        asking += [asyncio.create_task(projector.catch_up()) for _ in range(50)]
        await asyncio.sleep(0)
        models.may_answer.set()
        await asyncio.gather(*asking)
        assert await statuses(models) == [("open", 4)]
    assert models.asked == 2


async def test_nobody_waits_for_ever_for_a_look_that_does_not_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are told to come later, however many wait; the look itself goes on."""
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    log, models = MemoryEventLog(), Slow()
    async with process(log) as tables:
        projector = follower(log, models, tables)
        first = asyncio.create_task(projector.catch_up())
        await asyncio.sleep(0)
        async with asyncio.timeout(10):
            told = await asyncio.gather(
                *(projector.catch_up() for _ in range(5)), return_exceptions=True
            )
        assert [type(it) for it in told] == [Busy] * 5
        models.may_answer.set()
        await first
        await projector.catch_up()


async def test_a_rebuild_makes_the_same_again() -> None:
    """What is made anew from the whole log is what had been followed step by step."""
    log, models = MemoryEventLog(), MemoryReadModels()
    async with process(log) as tables:
        projector = follower(log, models, tables)
        for table in (TableId(uuid4()) for _ in range(10)):
            await open_table(tables, table)
            await projector.catch_up()
            await fill(tables, table)
            await projector.catch_up()
        before = await models.lobby(LobbyFilter(), 100)
        turns = await models.decisions_of(person(1), 100)
        generation = await models.serving()
        await projector.rebuild()
        assert await models.serving() > generation
        assert await models.lobby(LobbyFilter(), 100) == before
        assert await models.decisions_of(person(1), 100) == turns
