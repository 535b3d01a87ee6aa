"""Whole matches of bots, played through the domain with no log beside them."""

from collections.abc import Callable, Sequence
from random import Random
from uuid import UUID

from domain.bots import Bot
from domain.commands import Act, Move, OpenTable
from domain.deciding import Given, decide, open_table
from domain.ids import Seat, Secret, TableId
from domain.log import follow
from domain.sight import Sight
from domain.table import Table, fold
from domain.terms import Options
from domain.views import sight, to_act
from tests.driver import BEGINNING, BOT, HOST


def ignore(_table: Table, _seen: Sight, _move: Move) -> None:
    """Watch nothing."""


def play_match(
    game: str,
    bots: Sequence[Bot],
    options: Options,
    chance: Random,
    watch: Callable[[Table, Sight, Move], None] = ignore,
) -> Table:
    """The table after a match between these bots, by seat.

    `watch` is called with each move, before it is made, and what it goes by. The cards
    and the bots' choices all come from `chance`.
    """
    table_id = TableId(UUID(int=chance.getrandbits(128)))
    opening = OpenTable(game, options, (BOT,) * len(bots), HOST)
    events = open_table(table_id, opening, _given(chance))
    table = follow(table_id, None, events, BEGINNING)
    while table.status == "playing":
        seat = to_act(table)[0]
        seen = sight(table, seat)
        move = bots[seat](seen, chance)
        watch(table, seen, move)
        table = fold(table, decide(table, Act(seat, move), _given(chance)), BEGINNING)
    return table


def share_of_win(table: Table, seat: Seat) -> float:
    """One for a win, a share of it for a joint one, nothing for a defeat."""
    if table.result is None:
        msg = "the match is not over"
        raise LookupError(msg)
    winners = table.result.winners
    return 1 / len(winners) if seat in winners else 0.0


def _given(chance: Random) -> Given:
    return Given(BEGINNING, *(Secret(chance.randbytes(32)) for _ in range(2)))
