"""Play: views, commands, events, and the tables that wait for a player."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.json import Decoder

from api import cursors
from api.answers import Answer, answer
from api.calls import Call
from api.cursors import Cursor, Paged
from api.operations import Operation
from api.presenting import open_view_answer, view_answer
from api.shapes import CommandAnswer, EventsAnswer, TurnShape, ViewAnswer
from domain.commands import AnyMove, Move
from domain.ids import Version
from domain.views import decision
from services import plans, rights
from services.read_models import TurnCursor

VersionNumber = Annotated[Version, Meta(ge=0, lt=2**53)]


class ViewQuery(Struct, frozen=True, kw_only=True):
    """Which view: of the past with `at`, the public's or an open one with `as`."""

    at: VersionNumber | None = None
    as_: Literal["public", "open"] | None = msgspec.field(name="as", default=None)


class EventsQuery(Struct, frozen=True, kw_only=True):
    """Which events: those above version `after`, at most `limit` of them.

    A `cursor` goes on where the page before ended, whatever `after` says.
    """

    after: VersionNumber = Version(0)
    limit: Annotated[int, Meta(ge=1, le=1000)] = 200
    cursor: Cursor | None = None


class EventCursor(Struct, frozen=True):
    """Where a list of events goes on: above this version."""

    after: VersionNumber


class TurnsAnswer(Struct, frozen=True):
    """The decisions that wait for the caller."""

    items: tuple[TurnShape, ...]
    next: str | None


async def read_view(call: Call) -> Answer:
    """See a table: through the eyes of one's seat, or of the public.

    `at` shows a version of the past, all of it as it was then, rounded down to the end
    of an append. `as=open` shows all cards: of a table that is over to everybody who
    may watch it, before that to a referee whom the log shows as admitted by then.
    """
    snapshot = await call.table(rights.watch, current=True)
    query = call.query(ViewQuery)
    over = snapshot.table.is_over()
    if query.at is not None and query.at < snapshot.table.version:
        snapshot = await call.house.tables.at(snapshot.table.id, query.at)
    if query.as_ == "open":
        if not over:
            rights.look(snapshot.table, call.caller)
        return answer(await open_view_answer(call.house, snapshot))
    seat = None if query.as_ else call.seat(snapshot)
    return answer(await view_answer(call.house, snapshot, seat))


async def send_command(call: Call) -> Answer:
    """Make a move.

    The bodies in `decision.legal` of a view are ready to be sent. `decision` may name
    the decision that is answered; a stale one is refused. The answer has the events of
    this move as the caller may see them. Sent again with the same Idempotency-Key, it
    is the same move.
    """
    snapshot = await call.table(rights.play)
    move = await call.body(_moves)
    snapshot, done = await call.house.tables.execute(
        snapshot.table.id, plans.move(call.caller, move), call.identity(move)
    )
    events = await call.house.showing.shown(done.append, call.seat(snapshot))
    return answer(
        CommandAnswer(done.version, done.head.hex(), tuple(map(Raw, events))), 201
    )


async def list_events(call: Call) -> Answer:
    """List the events of a table in order, exactly as they are hashed.

    `opens` stands on the events that let the caller's seat know something hidden.
    """
    snapshot = await call.table(rights.watch, current=True)
    query = call.query(EventsQuery)
    begin = cursors.read(query.cursor, EventCursor) or EventCursor(query.after)
    shown = await call.house.showing.events(
        snapshot, begin.after, query.limit, call.seat(snapshot)
    )
    version = snapshot.table.version
    end = EventCursor(Version(begin.after + len(shown)))
    return answer(
        EventsAnswer(
            items=tuple(map(Raw, shown)),
            next=cursors.written(end) if shown and end.after < version else None,
            version=version,
            head=snapshot.head.hex(),
        )
    )


async def list_my_turns(call: Call) -> Answer:
    """List the decisions that wait for the caller, at whatever table."""
    player = call.player()
    query = call.query(Paged)
    await call.house.projector.catch_up()
    page = await call.house.models.decisions_of(
        player.id, query.limit, cursors.read(query.cursor, TurnCursor)
    )
    turns = []
    for turn in page.items:
        table = (await call.house.tables.current(turn.table)).table
        seat = table.seat_of(player.id)
        if seat is not None and (waiting := decision(table, seat)):
            turns.append(TurnShape(turn.table, waiting))
    return answer(TurnsAnswer(tuple(turns), cursors.written(page.next)))


_moves: Final[Decoder[Move]] = Decoder(AnyMove)


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/view",
        handler=read_view,
        query=ViewQuery,
        answer=ViewAnswer,
    ),
    Operation(
        method="POST",
        path="/v1/tables/{table}/commands",
        handler=send_command,
        body=AnyMove,
        answer=CommandAnswer,
        status=201,
        token=True,
        keyed=True,
        problems=(
            "match-not-started",
            "stale-decision",
            "not-your-turn",
            "table-finished",
            "rule-violation",
        ),
    ),
    Operation(
        method="GET",
        path="/v1/tables/{table}/events",
        handler=list_events,
        query=EventsQuery,
        answer=EventsAnswer,
    ),
    Operation(
        method="GET",
        path="/v1/me/turns",
        handler=list_my_turns,
        query=Paged,
        answer=TurnsAnswer,
        token=True,
    ),
)
