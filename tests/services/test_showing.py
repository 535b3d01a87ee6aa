"""The log as it is shown to a viewer."""

import json
from uuid import uuid4

from domain.commands import Act, OpenTable
from domain.ids import Seat, TableId, Version
from domain.people import By, Occupant
from domain.views import to_act
from services.showing import Showing
from services.snapshots import Snapshot
from services.tables import Tables
from tests.fakes.memory import MemoryEventLog
from tests.services.processes import HOST, always, fill, process, request


async def test_a_seat_is_shown_nothing_newer_than_it_was_seen() -> None:
    """Its player may have drawn for another one; the new hand there is not theirs."""
    log, table = MemoryEventLog(), TableId(uuid4())
    async with process(log) as tables:
        await open_rubbers(tables, table)
        await fill(tables, table)
        before = await play(tables, table, 4 * 52 - 1)
        now = await play(tables, table, 1)
        seat = Seat(0)
        showing = Showing(log)
        after = before.table.version
        assert await showing.events(before, after, 100, seat) == []
        shown = await showing.events(before, Version(after - 10), 100, seat)
        assert len(shown) == 10
        newer = [json.loads(it) for it in await showing.events(now, after, 100, seat)]
        assert "seats_drawn" in [event["type"] for event in newer]
        opened = [event["data"]["seat"] for event in newer if event.get("opens")]
        assert opened == [seat]


async def open_rubbers(tables: Tables, table: TableId) -> None:
    """A table of five rubbers, each of a single deal: after four, seats are drawn."""
    command = OpenTable(
        game="tetka",
        options={"rubber_points": 1, "rubbers": 5},
        seats=(Occupant(),) * 4,
        host=HOST,
    )
    await tables.open(table, By(player=HOST), command, request(b"open"))


async def play(tables: Tables, table: TableId, cards: int) -> Snapshot:
    """So many legal cards are played."""
    snapshot = await tables.current(table)
    for _ in range(cards):
        [seat] = to_act(snapshot.table)
        move = snapshot.table.game.legal(snapshot.table.play, seat)[0]
        name = str(snapshot.table.version).encode()
        plan = always(By(seat=seat), Act(seat, move))
        snapshot, _ = await tables.execute(table, plan, request(name))
    return snapshot
