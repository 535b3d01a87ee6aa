"""The rules alone, on one core, and OpenSpiel's where it is installed."""

import time
from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from statistics import median
from typing import Final
from uuid import UUID

from rich.console import Console
from rich.table import Table as Grid

from domain.cards import cards_of
from domain.chain import origin
from domain.commands import Act, Move, OpenTable, Pass, Play
from domain.deciding import Given, decide, open_table
from domain.decisions import Phase
from domain.games.hearts.legality import legal_cards
from domain.games.hearts.state import HeartsState
from domain.ids import CommandId, PlayerId, Seat, Secret, TableId
from domain.log import Circumstances, follow, write
from domain.passing import PASSED
from domain.people import By, Occupant
from domain.table import fold
from tests.driver import BEGINNING

ROUNDS: Final = 7
MATCHES: Final = 10
OURS: Final = "decide and fold"
OPENSPIEL: Final = "OpenSpiel through Python"
DEALS: Final = 90
"""About as many as the matches have."""

NOON: Final = "2026-11-30T12:00:00.000000Z"


def measure(console: Console) -> None:
    """Measure with hashes and without, in turns, and print the medians."""
    sides: dict[str, Callable[[], int]] = {
        OURS: lambda: matches(hashed=False),
        "decide, fold, seal and hash": lambda: matches(hashed=True),
    }
    if find_spec("pyspiel"):
        from tests.openspiel.playing import play  # noqa: PLC0415 - not always there

        sides[OPENSPIEL] = lambda: play(DEALS, seed=1)
    rates: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            began = time.process_time()
            plays = side()
            rates[name].append(plays / (time.process_time() - began))
    grid = Grid("one core", "plays a second")
    for name, found in rates.items():
        grid.add_row(name, f"{median(found):.0f}")
    console.print(grid)
    if OPENSPIEL in rates:
        pairs = zip(rates[OURS], rates[OPENSPIEL], strict=True)
        ratio = median(ours / theirs for ours, theirs in pairs)
        console.print(f"decide and fold against OpenSpiel: {ratio:.2f} (aim 0.4)")


def matches(*, hashed: bool) -> int:
    """Play matches of four at random; the number of moves."""
    chance, moves = Random(1), 0
    given = Given(BEGINNING, Secret(bytes(32)), Secret(bytes(32)))
    bots = (Occupant(bot="random"),) * 4
    opening = OpenTable("hearts", {}, bots, PlayerId(UUID(int=1)))
    around = Circumstances(NOON, By(bot=Seat(0)), CommandId(UUID(int=2)))
    for _ in range(MATCHES):
        id_ = TableId(UUID(int=chance.getrandbits(128)))
        head = origin(id_)
        events = open_table(id_, opening, given)
        if hashed:
            head = write(id_, None, head, events, around)[-1].hash
        table = follow(id_, None, events, BEGINNING)
        while isinstance(table.play, HeartsState) and table.status == "playing":
            events = decide(table, _move(table.play, chance), given)
            if hashed:
                head = write(id_, table, head, events, around)[-1].hash
            table = fold(table, events, BEGINNING)
            moves += 1
    return moves


def _move(play: HeartsState, chance: Random) -> Act:
    """Any legal move of a seat that is to act."""
    move: Move
    if play.phase is Phase.PLAYING:
        seat = play.turn
        cards = cards_of(legal_cards(play, seat))
        move = Play(card=cards[int(chance.random() * len(cards))])
    else:
        seat = Seat(play.passed.index(0))
        move = Pass(cards=cards_of(play.hands[seat])[:PASSED])
    return Act(seat, move)
