"""Streams: what happens at a table, or at all of a player's, as it happens."""

from collections.abc import AsyncGenerator
from typing import Final

from msgspec import Struct

from api.answers import PRIVATE, Answer, begun
from api.calls import Call
from api.frames import Form
from api.operations import Operation
from api.player_streams import follow_player
from api.problems import BadRequest
from api.routes.play import VersionNumber
from api.streams import follow_table, until_cut
from services import rights

MEDIA: Final = tuple(form.value for form in Form)


class StreamQuery(Struct, frozen=True, kw_only=True):
    """Where the stream begins: above version `after`, or with a snapshot of now."""

    after: VersionNumber | None = None


async def stream_table(call: Call) -> Answer:
    """Follow a table.

    Server-Sent Events, or by `Accept: application/x-ndjson` a JSON object a line. The
    frames are `snapshot` (a view; not where the stream goes on above a version), the
    events by their types, `decision` when one of the caller's opens, `caught_up` when
    what follows is live, and `end` with its reason: `finished`, `draining`, `overflow`
    or `unauthorized`. A stream that ends without it was cut, and is taken up again by
    `after`, or by `Last-Event-ID`, which wins.
    """
    snapshot = await call.table(rights.watch, current=True)
    asked, last = call.query(StreamQuery).after, call.last_event()
    after = asked if last is None else last
    if after is not None and after > snapshot.table.version:
        field = "query.after" if last is None else "header.Last-Event-ID"
        raise BadRequest(
            "invalid-request", "The table has no such version yet.", field=field
        )
    form = _form(call)
    return await _stream(follow_table(call, snapshot.table.id, form, after), form)


async def stream_mine(call: Call) -> Answer:
    """Follow all of one's tables on one connection.

    The frames are those of a table's stream. `snapshot` has the open decisions, as the
    list of turns does; a `decision` names its table. Each connection begins anew.
    """
    call.player()
    form = _form(call)
    return await _stream(follow_player(call, form), form)


async def _stream(frames: AsyncGenerator[bytes], form: Form) -> Answer:
    return Answer(until_cut(await begun(frames)), 200, form.value, PRIVATE)


def _form(call: Call) -> Form:
    return Form.NDJSON if call.accepts(Form.NDJSON.value) else Form.SSE


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/stream",
        handler=stream_table,
        query=StreamQuery,
        answer=str,
        media=MEDIA,
        problems=("busy",),
        quota="stream",
    ),
    Operation(
        method="GET",
        path="/v1/me/stream",
        handler=stream_mine,
        answer=str,
        token=True,
        media=MEDIA,
        problems=("busy",),
        quota="stream",
    ),
)
