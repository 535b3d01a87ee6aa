"""Matches of bots among themselves, played through the real store and summed up."""

import asyncio
import time
from collections.abc import Callable

from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table as Grid

from api.house import House
from api.wording import counted
from domain.commands import OpenTable
from domain.games import GAMES
from domain.ids import PlayerId, TableId
from domain.people import BotName, By, Occupant
from services.identity import derived_table, request_of
from services.snapshots import Snapshot


class Exhibition(Struct, frozen=True):
    """What is played: how many tables, by which bots, by seat and then over again."""

    tables: int
    game: str
    seats: int | None
    bots: tuple[BotName, ...]
    at_once: int = 64


async def exhibit(house: House, wanted: Exhibition) -> None:
    """Play the matches, showing how far they are, and print who won."""
    game = GAMES[wanted.game]
    seats = wanted.seats or game.usual_seats
    bots = tuple(wanted.bots[seat % len(wanted.bots)] for seat in range(seats))
    command = OpenTable(
        game=game.name,
        options={},
        seats=tuple(Occupant(bot=bot) for bot in bots),
        host=PlayerId(house.outside.new_id()),
    )
    began = time.monotonic()
    with _bar() as bar:
        matches = bar.add_task(game.title, total=wanted.tables)
        finished = await _Matches(house, command).play(
            wanted.tables, lambda: bar.advance(matches), at_once=wanted.at_once
        )
    _sum_up(finished, bots, time.monotonic() - began)


class _Matches:
    """Tables that are opened here and watched until they are over."""

    def __init__(self, house: House, command: OpenTable) -> None:
        self._house = house
        self._command = command
        self._waiting: dict[TableId, asyncio.Future[Snapshot]] = {}
        house.tables.listen(self._notice)

    async def play(
        self, count: int, advance: Callable[[], None], *, at_once: int
    ) -> list[Snapshot]:
        """Play so many matches; `advance` is called after each."""
        room = asyncio.Semaphore(at_once)
        # First of all, so that with a seed they are the same whatever is there already.
        names = [self._house.outside.random_bytes(16) for _ in range(count)]

        async def one(table: TableId) -> Snapshot:
            async with room:
                finished = await self._one(table)
                advance()
                return finished

        return await asyncio.gather(*(one(derived_table(name)) for name in names))

    async def _one(self, table: TableId) -> Snapshot:
        over: asyncio.Future[Snapshot] = asyncio.get_running_loop().create_future()
        self._waiting[table] = over
        snapshot, _ = await self._house.tables.open(
            table,
            By(server=True),
            self._command,
            request_of(b"exhibition", table.bytes),
        )
        self._notice(snapshot)
        return await over

    def _notice(self, snapshot: Snapshot) -> None:
        over = self._waiting.get(snapshot.table.id)
        if over is not None and not over.done() and snapshot.table.is_over():
            over.set_result(snapshot)


def _bar() -> Progress:
    return Progress(
        "{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _sum_up(
    finished: list[Snapshot], bots: tuple[BotName, ...], seconds: float
) -> None:
    """Print what came of it: each seat's wins and average score, and the speed."""
    wins = [0.0] * len(bots)
    totals = [0] * len(bots)
    for snapshot in finished:
        table = snapshot.table
        if table.result is not None and table.play is not None:
            for winner in table.result.winners:
                wins[winner] += 1 / len(table.result.winners)
            totals = list(map(int.__add__, totals, table.play.scores))
    grid = Grid("seat", "bot", "wins", "share", "average score")
    for seat, bot in enumerate(bots):
        share = wins[seat] / len(finished)
        average = totals[seat] / len(finished)
        grid.add_row(
            str(seat), bot, f"{wins[seat]:.1f}", f"{share:.1%}", f"{average:.1f}"
        )
    Console().print(grid)
    events = sum(snapshot.table.version for snapshot in finished)
    Console().print(
        f"{counted(len(finished), 'match', 'matches')}, {events} events"
        f" in {seconds:.1f} s:"
        f" {events / seconds:.0f} a second"
    )
