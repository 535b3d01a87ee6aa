"""Tables: making, listing and reading them, their start and their end."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.json import Decoder

from api import cursors
from api.answers import Answer, answer
from api.calls import Call
from api.cursors import Paged
from api.operations import Operation
from api.presenting import as_of, table_answer, table_shapes
from api.routes.games import check_game
from api.shapes import GameName, NewTable, TableAnswer, TableShape
from domain.commands import AbandonTable, AdmitObserver, Command, StartMatch
from domain.facts import TableFacts
from domain.ids import PlayerId
from domain.table import Status
from services import plans, rights
from services.read_models import LobbyFilter, MomentCursor
from services.rights import Right

NO_BODY = ("malformed-json", "invalid-request", "too-large", "unsupported-media-type")
"""What a body that should not be there can be refused for."""


class TablesQuery(Paged, frozen=True, kw_only=True):
    """Which public tables to list: those that are so in every point that is given."""

    game: GameName | None = None
    status: Status | None = None
    host: PlayerId | None = None
    has_free_seat: (
        Annotated[
            bool, Meta(description="Whether there is a seat that anybody may take.")
        ]
        | None
    ) = None


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
    wanted = await call.body(_wishes)
    snapshot, done = await call.house.hosting.open(
        call.new_table(), player.id, wanted, call.identity(wanted)
    )
    shown = await as_of(call.house, snapshot, done)
    return answer(await table_answer(call.house, shown, call.caller), 201)


async def list_tables(call: Call) -> Answer:
    """List public tables, the newest first."""
    query = call.query(TablesQuery)
    check_game(query.game)
    await call.house.projector.catch_up()
    page = await call.house.models.lobby(
        LobbyFilter(query.game, query.status, query.host, query.has_free_seat),
        query.limit,
        cursors.read(query.cursor, MomentCursor),
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


async def observe_table(call: Call) -> Answer:
    """Be admitted to look at all cards, as a referee who has no seat here.

    The table's log says so to everybody: `observer_admitted`. From then on the referee
    may ask for the view of all cards, and cannot sit down at this table any more.
    """
    return await _lead(call, rights.referee, AdmitObserver(call.player().id))


async def ask_for_rematch(call: Call) -> Answer:
    """Find or make the table's successor: the same for all who ask.

    It has the same terms, its seats are kept for the same players, and its bots sit.
    """
    player = call.player()
    snapshot = await call.table(rights.again, current=True)
    await call.no_body()
    call.check_key()
    following, done = await call.house.hosting.again(snapshot.table, player.id)
    shown = await as_of(call.house, following, done)
    return answer(await table_answer(call.house, shown, call.caller))


async def _lead(call: Call, right: Right, command: Command) -> Answer:
    """Carry out a command of who leads or watches over the table."""
    snapshot = await call.table(right)
    await call.no_body()
    snapshot, done = await call.house.tables.execute(
        snapshot.table.id, plans.command(call.caller, right, command), call.identity()
    )
    shown = await as_of(call.house, snapshot, done)
    return answer(await table_answer(call.house, shown, call.caller))


_wishes: Final = Decoder(NewTable)


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
        problems=("invalid-table", "too-many-tables"),
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
        path="/v1/tables/{table}/observe",
        handler=observe_table,
        answer=TableAnswer,
        token=True,
        keyed=True,
        problems=(*NO_BODY, "already-seated", "observing", "table-finished"),
    ),
    Operation(
        method="POST",
        path="/v1/tables/{table}/rematch",
        handler=ask_for_rematch,
        answer=TableAnswer,
        token=True,
        keyed=True,
        problems=(*NO_BODY, "table-not-finished", "too-many-tables"),
    ),
)
