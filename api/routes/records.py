"""Records: a whole game as a document that can be checked without the server."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Literal

from msgspec import Raw, Struct

from api.answers import JSON, PRIVATE, Answer, begun
from api.calls import Call
from api.operations import Operation
from domain.chain import canonical
from domain.errors import TableIsNotOver
from domain.facts import TableFacts
from domain.ids import Version
from services import rights
from services.facts import facts
from services.snapshots import Snapshot

FORMAT = "misere-record/1"
NDJSON = "application/x-ndjson"
PAGE = 1000


class RecordAnswer(Struct, frozen=True):
    """A game from its first event to its last; people stand in it by id only."""

    format: Literal["misere-record/1"]
    table: TableFacts
    events: tuple[Raw, ...]
    head: str
    version: Version


async def read_record(call: Call) -> Answer:
    """Read the record of a table that is over.

    As JSON, or by `Accept: application/x-ndjson` line by line: a line that names format
    and table, a line for each event in its canonical form, a line with head and
    version.
    """
    snapshot = await call.table(rights.watch, current=True)
    if not snapshot.table.is_over():
        raise TableIsNotOver("The table is not over yet.", status=snapshot.table.status)
    if call.accepts(NDJSON):
        return Answer(await begun(_lines(call, snapshot)), 200, NDJSON, PRIVATE)
    return Answer(await begun(_document(call, snapshot)), 200, JSON, PRIVATE)


async def _lines(call: Call, snapshot: Snapshot) -> AsyncGenerator[bytes]:
    before = canonical({"format": FORMAT, "table": facts(snapshot)}) + b"\n"
    async for events in _events(call, snapshot):
        yield before + b"\n".join(events) + b"\n"
        before = b""
    yield canonical(_end(snapshot)) + b"\n"


async def _document(call: Call, snapshot: Snapshot) -> AsyncGenerator[bytes]:
    between = b'{"events":['
    async for events in _events(call, snapshot):
        yield between + b",".join(events)
        between = b","
    rest = {"format": FORMAT, "table": facts(snapshot), **_end(snapshot)}
    yield b"]," + canonical(rest)[1:]


def _end(snapshot: Snapshot) -> dict[str, object]:
    return {"head": snapshot.head.hex(), "version": snapshot.table.version}


async def _events(call: Call, snapshot: Snapshot) -> AsyncIterator[list[bytes]]:
    for after in range(0, snapshot.table.version, PAGE):
        yield await call.house.showing.events(snapshot, Version(after), PAGE, None)


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/record",
        handler=read_record,
        answer=RecordAnswer,
        media=("application/json", NDJSON),
        problems=("table-not-finished",),
    ),
)
