r"""`seal/1`: commit to a hidden fact in public, and open it later.

    salt = HMAC-SHA256(secret, "seal/1 salt\0" + table id + u64be version)
    seal = SHA256("seal/1\0" + table id + u64be version + salt + body)

`secret` is the deal's (the match's for what `table_opened` seals), so revealing it
opens every seal of the deal. `body` is canonical JSON.
"""

import hmac
from hashlib import sha256

from domain.ids import Hash, Secret, TableId, Version


def salt(secret: Secret, table: TableId, version: Version) -> bytes:
    """What keeps a seal from being opened by trying all 52 cards; 32 bytes."""
    place = table.bytes + version.to_bytes(8, "big")
    return hmac.digest(secret, b"seal/1 salt\0" + place, "sha256")


def seal(table: TableId, version: Version, salted: bytes, body: bytes) -> Hash:
    """The commitment to `body` at a version of a table, under its salt."""
    place = table.bytes + version.to_bytes(8, "big")
    return Hash(sha256(b"seal/1\0" + place + salted + body).digest())
