"""Records: a whole game as a document that can be checked without the server."""

from collections.abc import AsyncGenerator
from typing import Final, Literal

from msgspec import Raw, Struct

from api.answers import JSON, PRIVATE, Answer, answer, begun
from api.calls import Call
from api.operations import Operation
from api.problems import BadRequest
from domain.chain import canonical
from domain.errors import TableIsNotOver
from domain.facts import TableFacts
from domain.ids import Version
from domain.records import FORMAT, NotARecord, RecordDocument, Report, Unreadable
from services import rights
from services.facts import facts
from services.snapshots import Snapshot

NDJSON: Final = "application/x-ndjson"

LARGEST: Final = 20_000_000
"""Bytes of a record that is sent; some 40,000 events."""


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
    snapshot = await _over(call)
    if call.accepts(NDJSON):
        lines = call.house.showing.record(snapshot)
        return Answer(await begun(lines), 200, NDJSON, PRIVATE)
    return Answer(await begun(_document(call, snapshot)), 200, JSON, PRIVATE)


async def read_verification(call: Call) -> Answer:
    """Check the record of a table that is over.

    Chain, seals, deals, rules and scores are checked as anybody can check them who has
    the record, by the same program as `misere verify`.
    """
    snapshot = await _over(call)
    return answer(await call.house.auditing.report_on(snapshot))


async def verify_record(call: Call) -> Answer:
    """Check a record that is sent; nothing of it is stored.

    It may be of any server. As one document it may be laid out as one likes, line by
    line (`application/x-ndjson`) every line must be spelled as it is served.
    """
    media = call.media(JSON, NDJSON)
    with call.house.auditing.room() as file:
        await call.body_into(file.write, LARGEST)
        try:
            report = await call.house.auditing.report(file, document=media == JSON)
        except Unreadable as why:
            raise BadRequest("malformed-json", str(why)) from None
        except NotARecord as why:
            raise BadRequest("invalid-request", str(why), field="body") from None
    return answer(report)


async def _over(call: Call) -> Snapshot:
    """The table, where the caller may read its record."""
    snapshot = await call.table(rights.watch, current=True)
    if not snapshot.table.is_over():
        raise TableIsNotOver("The table is not over yet.", status=snapshot.table.status)
    return snapshot


async def _document(call: Call, snapshot: Snapshot) -> AsyncGenerator[bytes]:
    between = b'{"events":['
    async for events in call.house.showing.all(snapshot):
        yield between + b",".join(events)
        between = b","
    rest = {
        "format": FORMAT,
        "head": snapshot.head.hex(),
        "table": facts(snapshot),
        "version": snapshot.table.version,
    }
    yield b"]," + canonical(rest)[1:]


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/record",
        handler=read_record,
        answer=RecordAnswer,
        media=(JSON, NDJSON),
        problems=("table-not-finished",),
    ),
    Operation(
        method="GET",
        path="/v1/tables/{table}/verification",
        handler=read_verification,
        answer=Report,
        problems=("table-not-finished", "busy"),
    ),
    Operation(
        method="POST",
        path="/v1/records/verify",
        handler=verify_record,
        body=RecordDocument,
        answer=Report,
        token=True,
        problems=("busy",),
        takes=(JSON, NDJSON),
    ),
)
