"""A record's file, line by line or one document, taken apart."""

from typing import Final, Literal

from msgspec import MsgspecError, Raw, Struct
from msgspec.json import Decoder


class Unreadable(Exception):
    """The file is no record, or none that can be used as one."""


class _Header(Struct):
    """The first line of a record."""

    format: Literal["misere-record/1"]


class _Document(_Header):
    """The whole record as one value."""

    events: list[Raw]


class _End(Struct, forbid_unknown_fields=True):
    """The last line of a record."""

    head: str
    version: int


def entries(record: bytes) -> list[Raw]:
    """The events of a record, as they stand there; nothing of them is checked.

    Raises:
        Unreadable: it is no record.
    """
    try:
        header, *lines = _lines.decode_lines(record)
        _header.decode(header)
        if not lines:
            return _document.decode(header).events
        *events, end = lines
        _end.decode(end)
    except (MsgspecError, ValueError, RecursionError):
        raise Unreadable("This is no record.") from None
    return events


_lines: Final = Decoder(Raw)
_header: Final = Decoder(_Header)
_document: Final = Decoder(_Document)
_end: Final = Decoder(_End)
