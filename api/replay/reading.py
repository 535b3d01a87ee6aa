"""A record's file, line by line or one document, as scenes."""

from typing import Final, Literal

from msgspec import Raw, Struct
from msgspec.json import Decoder

from domain.log import PublicEvent
from domain.scenes import Scene, scenes


class Unreadable(Exception):
    """The file is no record that can be played back."""


class _Header(Struct):
    """The first line of a record."""

    format: Literal["misere-record/1"]


class _Document(_Header):
    """The whole record as one value."""

    events: list[PublicEvent]


class _End(Struct, forbid_unknown_fields=True):
    """The last line of a record."""

    head: str
    version: int


def scenes_of(record: bytes) -> list[Scene]:
    """The scenes of a record; whether it is genuine is not asked here.

    Raises:
        Unreadable: they cannot be made from it.
    """
    try:
        found = scenes(_events(record))
    except Exception:  # noqa: BLE001 - the rules fold nonsense till something breaks
        raise Unreadable("This is no record that can be played back.") from None
    if not found:
        raise Unreadable("The record has no event.")
    return found


def _events(record: bytes) -> list[PublicEvent]:
    header, *lines = _lines.decode_lines(record)
    _header.decode(header)
    if not lines:
        return _document.decode(header).events
    *events, end = lines
    _end.decode(end)
    return [_event.decode(line) for line in events]


_lines: Final = Decoder(Raw)
_header: Final = Decoder(_Header)
_document: Final = Decoder(_Document)
_event: Final = Decoder(PublicEvent)
_end: Final = Decoder(_End)
