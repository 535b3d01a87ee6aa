"""Bots at their seats."""

import asyncio
from collections.abc import Callable
from random import Random
from uuid import uuid4

import pytest

from domain.chain import shard_of
from domain.commands import LeaveSeat, TakeSeat
from domain.decisions import Phase
from domain.ids import Position, Seat, TableId, Version
from domain.people import By, Occupant
from domain.table import Table
from services import bot_players
from services.bot_players import BotPlayers, bot_to_act
from services.tables import Tables
from tests.fakes.memory import MemoryEventLog
from tests.fakes.read_models import MemoryReadModels
from tests.fakes.summaries import table_summary
from tests.newer import newer
from tests.services.processes import (
    always,
    fill,
    follower,
    open_table,
    pass_first_three,
    person,
    process,
    request,
)

RANDOM, STEADY = Occupant(bot="random"), Occupant(bot="steady")


async def until(tables: Tables, table: TableId, so: Callable[[Table], bool]) -> Table:
    """The table once it is so."""
    heard: asyncio.Queue[Table] = asyncio.Queue()
    tables.listen(lambda snapshot: heard.put_nowait(snapshot.table))
    now = (await tables.current(table)).table
    async with asyncio.timeout(20):
        while not so(now):
            now = await heard.get()
    return now


async def test_a_table_of_bots_plays_to_the_end() -> None:
    """A table that bots fill is over some time after it was opened, unasked."""
    table = TableId(uuid4())
    async with process(MemoryEventLog()) as tables:
        bots = BotPlayers(tables, Random(1))
        bots.start()
        await open_table(tables, table, RANDOM, STEADY, STEADY, STEADY)
        over = await until(tables, table, Table.is_over)
        assert over.status == "finished"
        await bots.stop()


async def test_each_bot_move_is_an_append_of_its_own() -> None:
    """Between two events of bots' cards there is the end of an append."""
    table, log = TableId(uuid4()), MemoryEventLog()
    async with process(log) as tables:
        bots = BotPlayers(tables, Random(1))
        bots.start()
        await open_table(tables, table, *(STEADY,) * 4)
        await until(tables, table, Table.is_over)
        await bots.stop()
        commands = [
            event.body.partition(b'"command":"')[2][:36]
            for event in await log.read(table, Version(0), 10_000)
            if event.type in {"card_played", "cards_passed"}
        ]
        assert len(set(commands)) == len(commands)


async def test_bots_wait_for_people() -> None:
    """Bots move until a person is to act, and go on after that."""
    table = TableId(uuid4())
    async with process(MemoryEventLog()) as tables:
        bots = BotPlayers(tables, Random(1))
        bots.start()
        await open_table(tables, table, Occupant(), STEADY, STEADY, STEADY)
        sit = TakeSeat(Seat(0), Occupant(player=person(0)))
        await tables.execute(table, always(By(player=person(0)), sit), request(b"sit"))
        passing = await until(
            tables, table, lambda t: t.status == "playing" and bot_to_act(t) is None
        )
        assert passing.game.to_act(passing.play) == (0,)
        await tables.execute(table, pass_first_three(0), request(b"pass"))
        played = await until(tables, table, lambda t: bot_to_act(t) is None)
        assert played.play is not None
        assert played.play.phase is Phase.PLAYING
        assert played.play.turn == 0
        await bots.stop()


async def test_two_processes_move_a_bot_once() -> None:
    """Processes that move the same bots never move one twice."""
    table, log = TableId(uuid4()), MemoryEventLog()
    async with process(log) as here, process(log, seed=2) as there:
        one, two = BotPlayers(here, Random(1)), BotPlayers(there, Random(2))
        one.start()
        two.start()
        await open_table(here, table, *(RANDOM,) * 4)
        await there.current(table)
        await until(here, table, Table.is_over)
        assert (await there.current(table)).table.status == "finished"
        await one.stop()
        await two.stop()


async def test_who_only_looks_leaves_the_bots_to_who_moves_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process that sees each append of another's makes no move of its own."""
    monkeypatch.setattr(bot_players, "PAUSE", 0.1)
    table, log = TableId(uuid4()), MemoryEventLog()
    async with process(log) as here, process(log, seed=2) as there:
        one, two = BotPlayers(here, Random(1)), BotPlayers(there, Random(2))
        one.start()
        two.start()
        stored: list[Version] = []
        there.listen(lambda it: stored.append(it.table.version), lambda _: None)
        moved = asyncio.Event()
        here.listen(lambda _: moved.set())
        await open_table(here, table, *(RANDOM,) * 4)
        async with asyncio.timeout(20):
            while not (await there.current(table)).table.is_over():
                await moved.wait()
                moved.clear()
        assert stored == []
        await one.stop()
        await two.stop()


async def test_bots_that_nobody_else_moves_are_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once the table has stood still for a while, by who saw it last."""
    monkeypatch.setattr(bot_players, "PAUSE", 0.01)
    table, log = TableId(uuid4()), MemoryEventLog()
    async with process(log) as died, process(log, seed=2) as there:
        bots = BotPlayers(there, Random(2))
        bots.start()
        await open_table(died, table, *(RANDOM,) * 4)
        await until(there, table, Table.is_over)
        await bots.stop()


async def test_bots_left_alone_are_resumed() -> None:
    """A process that starts goes on with the bots of one that died in mid-match."""
    table, log = TableId(uuid4()), MemoryEventLog()
    models = MemoryReadModels()
    async with process(log) as died:
        await open_table(died, table, *(STEADY,) * 4)
    async with process(log, seed=2) as tables:
        await models.store(
            await models.serving(),
            shard_of(table),
            Position(0),
            Position(1),
            [table_summary(table=table)],
        )
        bots = BotPlayers(tables, Random(1))
        bots.start()
        await bots.resume(models)
        await until(tables, table, Table.is_over)
        await bots.stop()


async def test_bots_are_resumed_beside_a_table_that_cannot_be_followed() -> None:
    """Its bots wait for a version that can follow it; the others play."""
    strange, table = TableId(uuid4()), TableId(uuid4())
    log, models = MemoryEventLog(), MemoryReadModels()
    async with process(log) as died:
        await open_table(died, strange)
        await fill(died, strange)
        leave = always(By(player=person(0)), LeaveSeat(Seat(0)))
        await follower(log, models, died).catch_up()
        with newer():
            await died.execute(strange, leave, request(b"leave"))
        await open_table(died, table, *(STEADY,) * 4)
    async with process(log, seed=2) as tables:
        await follower(log, models, tables).catch_up()
        assert [it async for it in models.in_play()] == [strange, table]
        bots = BotPlayers(tables, Random(1))
        bots.start()
        await bots.resume(models)
        await until(tables, table, Table.is_over)
        await bots.stop()
