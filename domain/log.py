"""An append: from events to the bytes that are hashed and stored, and back.

The public bytes of an event never hold what is hidden: a commitment stands in its
place, and the hidden part is kept beside them as a `Kept` for as long as it must be
secret.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final

import msgspec
from msgspec import Struct, convert
from msgspec.structs import replace

from domain.chain import canonical, link, moment
from domain.events import (
    EVENT_TYPES,
    TYPE_OF,
    DealRevealed,
    DealStarted,
    Event,
    TableOpened,
)
from domain.ids import CommandId, Hash, Secret, TableId, Version
from domain.people import By
from domain.seals import salt, seal
from domain.table import Table, fold, opened


class Envelope(Struct, frozen=True, gc=False):
    """An event with its circumstances, as it is hashed, stored and served.

    `at` is UTC with six digits, the same for all of an append, as are `by` and
    `command`.
    """

    v: int
    table: TableId
    version: Version
    type: str
    at: str
    deal: int | None
    by: By
    command: CommandId
    data: object


class PublicEvent(Envelope, frozen=True, gc=False):
    """An event as the public log has it, its data still in the hashed bytes."""

    data: msgspec.Raw


class Kept(Struct, frozen=True, omit_defaults=True):
    """What an event hides: a secret, or the text under its seal and the salt of it.

    Secret and salt are hexadecimal.
    """

    secret: str | None = None
    body: str | None = None
    salt: str | None = None


class Opens(Struct, frozen=True):
    """What a viewer may know from an event on: the sealed text of that version.

    `salt` is hexadecimal, `body` the exact text that was sealed.
    """

    version: Version
    salt: str
    body: str


class StoredLine(Struct, frozen=True, gc=False):
    """An event as it lies in the log: its canonical bytes, and their link."""

    version: Version
    type: str
    body: bytes
    hash: Hash


class Line(StoredLine, frozen=True, gc=False):
    """An event ready for the log, with what is kept secret beside it."""

    kept: bytes | None


def public(line: StoredLine) -> StoredLine:
    """The line without what is kept secret."""
    return StoredLine(line.version, line.type, line.body, line.hash)


class Circumstances(Struct, frozen=True):
    """When an append happens, by whom, and under which command id."""

    at: str
    by: By
    command: CommandId


def sealed_body(event: Event) -> bytes:
    """The canonical text that goes under the event's seal."""
    return canonical({field: getattr(event, field) for field in event.sealed})


def write(
    table: TableId,
    before: Table | None,
    head: Hash,
    events: Sequence[Event],
    around: Circumstances,
) -> list[Line]:
    """The lines of an append to a table that is `before` it, None where it opens it."""
    version = before.version if before else 0
    on = before.deal_on() if before else None
    deal, secret = (on.deal, on.secret) if on else (None, None)
    lines = []
    for event in events:
        version = Version(version + 1)
        if isinstance(event, TableOpened):
            secret = event.secret
        elif isinstance(event, DealStarted):
            secret, deal = event.secret, event.deal
        data, kept = _parts(table, version, event, secret)
        kind = TYPE_OF[type(event)]
        body = canonical(
            Envelope(
                v=event.v,
                table=table,
                version=version,
                type=kind,
                at=around.at,
                deal=deal,
                by=around.by,
                command=around.command,
                data=data,
            )
        )
        head = link(head, body)
        lines.append(Line(version, kind, body, head, kept))
        if isinstance(event, DealRevealed):
            deal = None
    return lines


def _parts(
    table: TableId, version: Version, event: Event, secret: Secret | None
) -> tuple[object, bytes | None]:
    """What is public of an event, and what is kept."""
    if isinstance(event, _WITH_SECRET):
        kept = Kept(secret=event.secret.hex())
    elif event.sealed:
        kept = Kept()
    else:
        return event, None
    hidden = {*event.sealed, "secret"}
    data = {
        field: getattr(event, field)
        for field in event.__struct_fields__
        if field not in hidden
    }
    if event.sealed and secret is not None:
        seal_text = None
        if any(getattr(event, field) is not None for field in event.sealed):
            body = sealed_body(event)
            salted = salt(secret, table, version)
            seal_text = seal(table, version, salted, body).hex()
            kept = replace(kept, body=body.decode(), salt=salted.hex())
        data[event.seal_field] = seal_text
    return data, canonical(kept)


def public_event(body: bytes) -> PublicEvent:
    """What the public bytes of an event say."""
    return _envelopes.decode(body)


def read(body: bytes, kept: bytes | None) -> tuple[PublicEvent, Event]:
    """An event of the log, whole again, with its circumstances."""
    envelope = public_event(body)
    return envelope, whole(envelope, None if kept is None else _kept.decode(kept))


def whole(envelope: PublicEvent, hidden: Kept | None) -> Event:
    """The event itself, with what it hides, where it hides anything."""
    kind = EVENT_TYPES[envelope.type]
    if hidden is None:
        return _decoders[kind].decode(envelope.data)
    parts = msgspec.json.decode(envelope.data)
    for field in kind.sealed:
        parts[field] = None
    parts.pop(kind.seal_field if kind.sealed else "", None)
    if hidden.body is not None:
        parts |= msgspec.json.decode(hidden.body)
    if hidden.secret is not None:
        parts["secret"] = bytes.fromhex(hidden.secret)
    return convert(parts, kind)


def restore(
    table: TableId, before: Table | None, stored: Iterable[tuple[bytes, bytes | None]]
) -> Table | None:
    """The table after stored events, given as body and kept, from `before` them on.

    They are whole appends, as their command ids tell.
    """
    for _, append in groupby(
        (read(body, kept) for body, kept in stored), key=lambda pair: pair[0].command
    ):
        arounds, events = zip(*append, strict=True)
        before = follow(table, before, events, moment(arounds[0].at))
    return before


def follow(
    table: TableId, before: Table | None, events: Sequence[Event], at: datetime
) -> Table:
    """The table after one more append, which was made `at` that time."""
    if before is not None:
        return fold(before, events, at)
    first, *rest = events
    if not isinstance(first, TableOpened):
        msg = "a table's first event is table_opened"
        raise TypeError(msg)
    begun = opened(table, first)
    return fold(begun, rest, at) if rest else begun


def served(
    body: bytes, previous: Hash, own: Hash, opens: Sequence[Opens] = ()
) -> bytes:
    """The event as clients get it: its stored bytes, with links and what it opens.

    The additions stand where canonical JSON has them, before `table`.
    """
    before, table, after = body.rpartition(b',"table":"')
    links = b',"hash":"' + own.hex().encode() + b'"'
    if opens:
        links += b',"opens":' + canonical(opens)
    links += b',"prev":"' + previous.hex().encode() + b'"'
    return before + links + table + after


_WITH_SECRET: Final = (TableOpened, DealStarted)


_envelopes: Final = msgspec.json.Decoder(PublicEvent)
_kept: Final = msgspec.json.Decoder(Kept)
_decoders: Final = {kind: msgspec.json.Decoder(kind) for kind in TYPE_OF}
