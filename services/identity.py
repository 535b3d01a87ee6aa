"""Ids: of requests, so that sending one again is harmless, and of what they make."""

from datetime import datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.ids import CommandId, Hash, TableId

_VERSION: Final = 76
_VARIANT: Final = 62


class Request(Struct, frozen=True):
    """What makes a command the same when it is sent again: its id, and its contents."""

    command: CommandId
    hash: Hash


def request_of(*names: bytes | str, contents: bytes = b"") -> Request:
    """The identity of a request that `names` tell from all others."""
    return Request(CommandId(UUID(bytes=_digest(*names)[:16])), _hash(contents))


def unique_request(noise: bytes) -> Request:
    """The identity of a request that cannot be sent again; 16 random bytes."""
    return Request(CommandId(UUID(bytes=noise)), _hash(noise))


def time_ordered_id(now: datetime, noise: bytes) -> UUID:
    """An id that sorts by time (UUID version 7, RFC 9562); 10 random bytes."""
    milliseconds = int(now.timestamp() * 1000)
    return _versioned(milliseconds << 80 | int.from_bytes(noise, "big"), 7)


def derived_table(*names: bytes | str) -> TableId:
    """The id of the table that `names` make (UUID version 8, RFC 9562)."""
    return TableId(_versioned(int.from_bytes(_digest(*names)[:16], "big"), 8))


def successor(table: TableId) -> TableId:
    """The id of the table's rematch, the same for all who ask for one."""
    return derived_table(b"rematch", table.bytes)


def _versioned(number: int, version: int) -> UUID:
    number = number & ~(0xF << _VERSION) | version << _VERSION
    return UUID(int=number & ~(0b11 << _VARIANT) | 0b10 << _VARIANT)


def _digest(*names: bytes | str) -> bytes:
    parts = (name.encode() if isinstance(name, str) else name for name in names)
    return sha256(b"\0".join(parts)).digest()


def _hash(contents: bytes) -> Hash:
    return Hash(sha256(contents).digest())
