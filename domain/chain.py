r"""`chain/1`: canonical bytes, and the hash chain that holds a table's events together.

    h_0 = SHA256("chain/1\0" + table id)
    h_n = SHA256(0x01 + h_{n-1} + SHA256(0x00 + body_n))

Canonical bytes are RFC 8785 on a restricted profile (ASCII snake_case keys, no floats,
integers below 2**53), on which msgspec's sorted encoder is exact.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

import msgspec

from domain.ids import Hash, Shard, TableId

SHARDS: Final = 16

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> bytes:
    """The one spelling of `value` in JSON that is ever hashed, stored or served."""
    return _encoder.encode(value)


def timestamp(moment: datetime) -> str:
    """A moment as events spell it: UTC, six digits: `2026-11-30T02:45:00.123456Z`."""
    plain = moment.astimezone(UTC).replace(tzinfo=None)
    return plain.isoformat(timespec="microseconds") + "Z"


def moment(at: str) -> datetime:
    """The moment that a timestamp spells."""
    return datetime.fromisoformat(at)


def origin(table: TableId) -> Hash:
    """The head of a table that has no event yet."""
    return Hash(sha256(b"chain/1\0" + table.bytes).digest())


def link(previous: Hash, body: bytes) -> Hash:
    """The head after an event of these canonical bytes."""
    leaf = sha256(b"\0" + body).digest()
    return Hash(sha256(b"\x01" + previous + leaf).digest())


def head(table: TableId, bodies: Iterable[bytes]) -> Hash:
    """The head of a table after all of `bodies`."""
    at = origin(table)
    for body in bodies:
        at = link(at, body)
    return at


def shard_of(table: TableId) -> Shard:
    """The unit of order and placement that a table belongs to."""
    return Shard(sha256(table.bytes).digest()[0] % SHARDS)
