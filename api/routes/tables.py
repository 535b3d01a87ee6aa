"""Tables: making, listing and reading them, their start and their end."""

from functools import partial
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct

from api import cursors
from api.answers import Answer, answer
from api.calls import Call
from api.cursors import Paged
from api.operations import Operation
from api.presenting import as_of, table_answer, table_shapes
from api.shapes import PRINTABLE, NewTable, SeatPlan, TableAnswer, TableShape
from domain.commands import AbandonTable, Command, OpenTable, StartMatch
from domain.errors import InvalidTable, TableIsNotOver
from domain.games import GAMES
from domain.ids import PlayerId, TableId
from domain.people import By, Occupant
from domain.table import Status, Table
from services import rights
from services.facts import TableFacts
from services.identity import request_of, successor
from services.read_models import LobbyCursor, LobbyFilter
from services.rights import Right

INVITE_BYTES = 16

NO_BODY = ("malformed-json", "invalid-request", "too-large", "unsupported-media-type")
"""What a body that should not be there can be refused for."""


class TablesQuery(Paged, frozen=True, kw_only=True):
    """Which public tables to list."""

    game: Annotated[str, Meta(max_length=40, pattern=PRINTABLE)] | None = None
    status: Status | None = None
    host: PlayerId | None = None


class TablesAnswer(Struct, frozen=True):
    """Public tables, the newest first."""

    items: tuple[TableShape, ...]
    next: str | None


async def create_table(call: Call) -> Answer:
    """Make a table.

    Bots sit down at once, and where they fill the table the match begins. A table that
    is made again with the same Idempotency-Key is the same table.
    """
    player = call.player()
    wanted: NewTable = await call.body(NewTable)
    if wanted.clock is not None:
        raise InvalidTable("Clocks are not kept on this server.", field="clock")
    if wanted.absence != "wait":
        raise InvalidTable("Without clocks a table waits.", field="absence")
    command = await _command(call, wanted, player.id)
    table, request = call.new_table(), call.identity(wanted)
    noting = partial(_note, call, table, wanted.title, wanted.visibility)
    by = By(player=player.id)
    snapshot, done = await call.house.tables.open(table, by, command, request, noting)
    shown = await as_of(call.house, snapshot, done)
    return answer(await table_answer(call.house, shown, call.caller), 201)


async def list_tables(call: Call) -> Answer:
    """List public tables, the newest first."""
    query = call.query(TablesQuery)
    await call.house.projector.catch_up()
    page = await call.house.models.lobby(
        LobbyFilter(game=query.game, status=query.status, host=query.host),
        query.limit,
        cursors.read(query.cursor, LobbyCursor),
    )
    facts = [msgspec.json.decode(row.facts, type=TableFacts) for row in page.items]
    shapes = await table_shapes(call.house, facts)
    return answer(TablesAnswer(tuple(shapes), cursors.written(page.next)))


async def read_table(call: Call) -> Answer:
    """Read a table.

    A private one is there for its own people and for those who show its `invite`.
    """
    snapshot = await call.table(rights.watch, current=True)
    return answer(await table_answer(call.house, snapshot, call.caller))


async def start_match(call: Call) -> Answer:
    """Start the match now; every seat must be taken."""
    return await _lead(call, rights.manage, StartMatch())


async def abandon_table(call: Call) -> Answer:
    """Give the table up: a deal that is on is void, and every secret is revealed."""
    return await _lead(call, rights.abandon, AbandonTable())


async def ask_for_rematch(call: Call) -> Answer:
    """Find or make the table's successor: the same for all who ask.

    It has the same terms, its seats are kept for the same players, and its bots sit.
    """
    player = call.player()
    snapshot = await call.table(rights.again, current=True)
    await call.no_body()
    call.check_key()
    old = snapshot.table
    if not old.is_over():
        raise TableIsNotOver("The table is not over yet.", status=old.status)
    table = successor(old.id)
    notes = await call.house.notes.get([old.id])
    title = notes[old.id].title if old.id in notes else None
    following, done = await call.house.tables.open(
        table,
        By(player=player.id),
        _again(old),
        request_of(b"rematch", old.id.bytes),
        partial(_note, call, table, title, old.opened.visibility),
    )
    shown = await as_of(call.house, following, done)
    return answer(await table_answer(call.house, shown, call.caller))


async def _lead(call: Call, right: Right, command: Command) -> Answer:
    """Carry out a command of the table's host."""
    player = call.player()
    snapshot = await call.table(right)
    await call.no_body()

    def plan(table: Table) -> tuple[By, Command]:
        right(table, call.caller)
        return By(player=player.id), command

    snapshot, done = await call.house.tables.execute(
        snapshot.table.id, plan, call.identity()
    )
    shown = await as_of(call.house, snapshot, done)
    return answer(await table_answer(call.house, shown, call.caller))


async def _command(call: Call, wanted: NewTable, host: PlayerId) -> OpenTable:
    game = GAMES.get(wanted.game)
    if game is None:
        raise InvalidTable("There is no such game.", field="game")
    preset = game.presets.get(wanted.preset or game.default_preset)
    if preset is None:
        raise InvalidTable("The game has no such preset.", field="preset")
    seats = wanted.seats if wanted.seats is not None else game.usual_seats
    if isinstance(seats, int):
        seats = (SeatPlan(),) * seats
    await _known_players(call, seats)
    return OpenTable(
        game=game.name,
        options=msgspec.to_builtins(preset) | wanted.options,
        seats=tuple(Occupant(player=seat.player, bot=seat.bot) for seat in seats),
        host=host,
        absence=wanted.absence,
        spectators=wanted.spectators,
        visibility=wanted.visibility,
        rated=wanted.rated,
        autostart=wanted.autostart,
        arrangement=wanted.arrangement,
    )


async def _known_players(call: Call, seats: tuple[SeatPlan, ...]) -> None:
    ids = [seat.player for seat in seats if seat.player is not UNSET]
    known = await call.house.accounts.people(ids)
    if any(player not in known for player in ids):
        raise InvalidTable("A seat is kept for nobody known here.", field="seats")
    if any(seat.player is not UNSET and seat.bot is not UNSET for seat in seats):
        raise InvalidTable("A seat has a player or a bot, not both.", field="seats")


async def _note(call: Call, table: TableId, title: str | None, visibility: str) -> None:
    """Note the title, and an invite where the table is private."""
    invite = None
    if visibility == "private":
        invite = call.house.outside.random_bytes(INVITE_BYTES).hex()
    if title or invite:
        await call.house.notes.put(table, title, invite)


def _again(old: Table) -> OpenTable:
    """The same table once more: shuffled deals, seats kept for the same players."""
    opened = old.opened
    return OpenTable(
        game=opened.game,
        options=opened.options,
        seats=old.seats,
        host=opened.host,
        absence=opened.absence,
        spectators=opened.spectators,
        visibility=opened.visibility,
        rated=opened.rated,
        autostart=opened.autostart,
        rematch_of=old.id,
    )


OPERATIONS = (
    Operation(
        method="POST",
        path="/v1/tables",
        handler=create_table,
        body=NewTable,
        answer=TableAnswer,
        status=201,
        token=True,
        keyed=True,
        problems=("invalid-table",),
    ),
    Operation(
        method="GET",
        path="/v1/tables",
        handler=list_tables,
        query=TablesQuery,
        answer=TablesAnswer,
    ),
    Operation(
        method="GET",
        path="/v1/tables/{table}",
        handler=read_table,
        answer=TableAnswer,
    ),
    Operation(
        method="POST",
        path="/v1/tables/{table}/start",
        handler=start_match,
        answer=TableAnswer,
        token=True,
        keyed=True,
        problems=(*NO_BODY, "seats-not-filled", "match-started", "table-finished"),
    ),
    Operation(
        method="POST",
        path="/v1/tables/{table}/abandon",
        handler=abandon_table,
        answer=TableAnswer,
        token=True,
        keyed=True,
        problems=(*NO_BODY, "table-finished"),
    ),
    Operation(
        method="POST",
        path="/v1/tables/{table}/rematch",
        handler=ask_for_rematch,
        answer=TableAnswer,
        token=True,
        keyed=True,
        problems=(*NO_BODY, "table-not-finished"),
    ),
)
