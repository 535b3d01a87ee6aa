"""Short matches of several games, played through a process's tables by few people."""

import asyncio
from random import Random
from typing import Final

from msgspec import UNSET

from domain.bots import BOTS
from domain.commands import Act, Command, OpenTable, TakeSeat
from domain.ids import PlayerId, Seat, TableId
from domain.people import By, Occupant
from domain.table import Table
from domain.terms import Options
from domain.views import sight, to_act
from services.tables import Outside, Tables
from tests.playing import person

GAMES: Final[dict[str, Options]] = {
    "hearts": {"target": 1},
    "tetka": {"length": "deals", "deals": 1},
    "auction-hearts": {"deals": 1},
}

PEOPLE: Final = 12


async def play_matches(
    tables: Tables, outside: Outside, count: int, chance: Random, *, at_once: int = 32
) -> list[TableId]:
    """Play so many matches to their end, several at a time; their tables.

    Most are rated, some are private; bots sit at many, whom nobody else must move.
    """
    room = asyncio.Semaphore(at_once)
    ids = [TableId(outside.new_id()) for _ in range(count)]

    async def one(table: TableId) -> None:
        async with room:
            await _play(tables, outside, table, chance)

    await asyncio.gather(*map(one, ids))
    return ids


async def _play(
    tables: Tables, outside: Outside, table_id: TableId, chance: Random
) -> None:
    game = chance.choice(list(GAMES))
    people = chance.sample(range(PEOPLE), 4)
    bots = chance.choice([0, 0, 1, 2, 3])
    host = person(people[0])
    opening = OpenTable(
        game=game,
        options=GAMES[game],
        seats=(*(Occupant() for _ in people[bots:]), *(Occupant(bot="random"),) * bots),
        host=host,
        rated=chance.random() < 0.8,
        visibility="private" if chance.random() < 0.1 else "public",
    )
    await tables.open(table_id, By(player=host), opening, outside.request())
    for seat, who in enumerate(people[bots:]):
        await _do(tables, outside, table_id, _sits(Seat(seat), person(who)))
    while (table := (await tables.known(table_id)).table).status == "playing":
        await _do(tables, outside, table_id, _moves(table, chance))


async def _do(
    tables: Tables, outside: Outside, table: TableId, plan: tuple[By, Command]
) -> None:
    await tables.execute(table, lambda _: plan, outside.request())


def _sits(seat: Seat, player: PlayerId) -> tuple[By, Command]:
    return By(player=player), TakeSeat(seat, Occupant(player=player))


def _moves(table: Table, chance: Random) -> tuple[By, Command]:
    seat = chance.choice(to_act(table))
    move = BOTS["random"](sight(table, seat), chance)
    sits = table.seats[seat].player is not UNSET
    return By(seat=seat) if sits else By(bot=seat), Act(seat, move)
