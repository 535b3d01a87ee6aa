"""How a record is spelled: its lines, and the same as one document."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal, TypeVar
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from domain.chain import canonical
from domain.facts import TableFacts
from domain.ids import Hash, TableId, Version
from domain.log import PublicEvent, public_event

S = TypeVar("S", bound=Struct)

FORMAT: Final = "misere-record/1"

LONGEST_LINE: Final = 1 << 20
"""Bytes; an arrangement of 64 deals, which is opened in one event, takes 40,000."""


SHORTEST_EVENT: Final = 300
"""Bytes: it has two hashes, two ids and a time. Shorter ones would fill the memory."""


class NotARecord(Exception):
    """These bytes are no record of a format that is known."""


class Unreadable(NotARecord):
    """These bytes are not even one value of JSON that says nothing twice."""


class RecordDocument(Struct, frozen=True):
    """A record to be checked, as one document. Its `head` is that of its last event.

    `version` is that event's; where it is not told, it is the number of the events.
    """

    format: Literal["misere-record/1"]
    table: dict[str, Any]
    events: tuple[Raw, ...]
    head: str
    version: int | None = None


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands before the events: the format, and what is said of the table."""

    format: Literal["misere-record/1"]
    table: dict[str, Any]


class End(Struct, frozen=True):
    """What stands after the events: the last one's hash and version."""

    head: str
    version: int


class EventLine(Struct, frozen=True, gc=False):
    """An event's line, taken apart: `body` is what is hashed."""

    version: Version
    type: str
    table: bytes
    prev: Hash
    hash: Hash
    body: bytes


class Entry(Struct, frozen=True, gc=False):
    """An event of a record with its circumstances, and the bytes that were hashed."""

    event: PublicEvent
    body: bytes


def begin(table: TableFacts) -> bytes:
    """The line before the events of a record."""
    return canonical({"format": FORMAT, "table": table})


def end(head: Hash, version: Version) -> bytes:
    """The line behind the events of a record."""
    return canonical(End(head.hex(), version))


def header_of(line: bytes) -> Header:
    """The first line of a record.

    Raises:
        NotARecord: it is not.
    """
    header = _decoded(line, Header)
    if header is None or "id" not in header.table:
        raise NotARecord(f"The first line does not say that this is {FORMAT}.")
    return header


def is_first_line(line: bytes) -> bool:
    """Whether a record of lines begins with this, and not one document."""
    return _decoded(line, Header) is not None


def end_of(line: bytes) -> End | None:
    """The last line of a record; None where this is another one."""
    return msgspec.json.decode(line, type=End) if _END.fullmatch(line) else None


def event_of(line: bytes) -> EventLine | None:
    """An event's line taken apart; None where its end is not one of an event's.

    The links stand before `table`, where canonical JSON has them: no text within the
    event can look like them, for its quotes would be escaped.
    """
    start = line.rfind(b',"hash":"')
    tail = _TAIL.fullmatch(line, start) if start > 0 else None
    if tail is None:
        return None
    own, prev, rest, table, kind, version = tail.groups()
    return EventLine(
        version=Version(int(version)),
        type=kind.decode(),
        table=table,
        prev=Hash(bytes.fromhex(prev.decode())),
        hash=Hash(bytes.fromhex(own.decode())),
        body=line[:start] + rest,
    )


def table_of(event: EventLine) -> TableId | None:
    """The table that an event is of; None where its id is none."""
    text = event.table.decode()
    try:
        table = TableId(UUID(text))
    except ValueError:
        return None
    return table if str(table) == text else None


def entry_of(line: bytes) -> Entry | None:
    """An event whose line is well spelled; None where it has not the form of any."""
    start = line.rfind(b',"hash":"')
    body = line[:start] + line[start + _LINKS :]
    try:
        return Entry(public_event(body), body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def is_canonical(text: bytes) -> bool:
    """Whether this is JSON in the one spelling that is hashed."""
    return canonical_of(text) == text


def canonical_of(text: bytes) -> bytes | None:
    """The one spelling of what a text of JSON says; None where it is none."""
    try:
        return canonical(msgspec.json.decode(text))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def lines_of_document(document: bytes) -> Iterator[bytes]:
    """The lines of a record that is one JSON document, however that is laid out.

    Raises:
        NotARecord: it is not.
    """
    length = _events_in(document)
    found = None
    if length * SHORTEST_EVENT <= len(document):
        found = _decoded(document, RecordDocument)
    if found is None:
        raise NotARecord(f"This is no document of {FORMAT}.")
    yield canonical({"format": found.format, "table": found.table})
    for event in found.events:
        yield canonical_of(bytes(event)) or b""
    version = len(found.events) if found.version is None else found.version
    yield canonical(End(found.head, version))


def _events_in(document: bytes) -> int:
    """How many events a document claims to have, that says nothing twice.

    Raises:
        Unreadable: it does, or is not JSON.
    """
    try:
        whole = json.loads(document, object_pairs_hook=_distinct, parse_int=_plain)
    except (ValueError, RecursionError):
        why = "This is not JSON, or an object repeats a key, or a number is -0."
        raise Unreadable(why) from None
    events = whole.get("events") if isinstance(whole, dict) else None
    return len(events) if isinstance(events, list) else 0


def _decoded(text: bytes, kind: type[S]) -> S | None:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _plain(digits: str) -> int:
    if digits == "-0":
        raise ValueError
    return int(digits)


_TAIL: Final = re.compile(
    rb',"hash":"([0-9a-f]{64})","prev":"([0-9a-f]{64})"'
    rb'(,"table":"([0-9a-f-]{36})","type":"([a-z_]{1,40})"'
    rb',"v":[0-9]{1,9},"version":([1-9][0-9]{0,15})\})'
)
_LINKS: Final = len(b',"hash":"","prev":""') + 2 * 64
_END: Final = re.compile(rb'\{"head":"[0-9a-f]{64}","version":(?:0|[1-9][0-9]{0,15})\}')
