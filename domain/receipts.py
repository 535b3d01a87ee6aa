"""Receipts: what a server says, signed, of where a table's log stood at a moment.

What is signed is the canonical JSON of the `Receipt`, with Ed25519 (RFC 8032). Whoever
keeps a receipt can show later that a log was cut or written anew: the log must have the
receipt's head at the receipt's version.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.chain import canonical
from domain.ids import TableId, Version
from domain.terms import Hex

FORMAT: Final = "misere-receipt/1"

KeyId: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
Signature: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]
Moment: TypeAlias = Annotated[
    str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
]
"""A time as events spell it; of two the later one is the greater text."""


class SigningKey(Struct, frozen=True):
    """A public key of a server, which signs from `valid_from` until `valid_until`.

    `id` is the first 16 digits of the SHA-256 of the key's 32 bytes; `valid_until` is
    null while no other key is to follow.
    """

    id: KeyId
    algorithm: Literal["Ed25519"]
    key: Hex
    valid_from: Moment
    valid_until: Moment | None

    def signs_at(self, at: str) -> bool:
        """Whether it is the key that signs at that time."""
        return self.valid_from <= at and (
            self.valid_until is None or at < self.valid_until
        )


class Receipt(Struct, frozen=True):
    """That a table had that head at that version; `key` is the id of who signs it."""

    format: Literal["misere-receipt/1"]
    table: TableId
    version: Version
    head: Hex
    at: Moment
    key: KeyId


class SignedReceipt(Struct, frozen=True):
    """A receipt, and the signature of its canonical JSON in hexadecimal digits."""

    receipt: Receipt
    signature: Signature


Fault: TypeAlias = Literal[
    "unknown-key",
    "key-not-in-use",
    "wrong-signature",
    "another-table",
    "beyond-the-record",
    "another-head",
]
"""Why a receipt does not hold.

With the first three it is none of the server's; with the last two it is, and the record
is not all, or not what the server had said before.
"""

Verify: TypeAlias = Callable[[bytes, bytes, bytes], bool]
"""Whether, of a public key and a message, that is the signature."""


class Finding(Struct, frozen=True):
    """A receipt that was checked; it holds where there is no fault."""

    receipt: Receipt
    fault: Fault | None


def key_id(public: bytes) -> str:
    """How receipts name a public key."""
    return sha256(public).hexdigest()[:16]


def signed_bytes(receipt: Receipt) -> bytes:
    """What the signature is of."""
    return canonical(receipt)


def checked(
    receipts: Iterable[SignedReceipt],
    keys: Iterable[SigningKey],
    table: TableId | None,
    heads: Mapping[Version, str],
    verify: Verify,
) -> list[Finding]:
    """Hold receipts against the record of a table, whose head at each version is given.

    Heads are hexadecimal. `table` is None where the record does not tell which it is
    of. `verify` is Ed25519's.
    """
    by_id = {key.id: key for key in keys}
    return [
        Finding(
            signed.receipt,
            _forged(signed, by_id.get(signed.receipt.key), verify)
            or _contradicted(signed.receipt, table, heads),
        )
        for signed in receipts
    ]


def _forged(
    signed: SignedReceipt, key: SigningKey | None, verify: Verify
) -> Fault | None:
    """Why it is not the server's."""
    if key is None:
        return "unknown-key"
    if not key.signs_at(signed.receipt.at):
        return "key-not-in-use"
    public, signature = bytes.fromhex(key.key), bytes.fromhex(signed.signature)
    if not verify(public, signed_bytes(signed.receipt), signature):
        return "wrong-signature"
    return None


def _contradicted(
    receipt: Receipt, table: TableId | None, heads: Mapping[Version, str]
) -> Fault | None:
    """Why the record is not the log that the receipt is of."""
    if receipt.table != table:
        return "another-table"
    if receipt.version not in heads:
        return "beyond-the-record"
    return None if heads[receipt.version] == receipt.head else "another-head"
