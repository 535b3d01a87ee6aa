"""Receipts of tables, and the keys that sign them.

All servers on a database share its keys. A new one is announced before it signs, so
that each of them knows it by then, and which key signs follows from the time alone.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol

from msgspec import Struct

from domain.chain import moment, timestamp
from domain.receipts import (
    FORMAT,
    Receipt,
    SignedReceipt,
    SigningKey,
    key_id,
    signed_bytes,
)
from services.snapshots import Snapshot
from services.tables import Outside

NOTICE: Final = timedelta(minutes=1)
"""How long before it signs a key is announced: more than clocks may differ."""


class KeptKey(Struct, frozen=True):
    """A public key, 32 bytes, that signs from a time until the next one does."""

    number: int
    public: bytes
    valid_from: datetime


class KeyRing(Protocol):
    """Where the servers of a database keep their keys, numbered from 1."""

    async def keys(self) -> Sequence[KeptKey]:
        """The public keys of all times, in the order of their numbers."""

    async def private(self, number: int) -> bytes | None:
        """The private part of a key; None where it was forgotten."""

    async def add(self, key: KeptKey, private: bytes) -> None:
        """Keep a key; where its number is taken, that one stays."""

    async def forget(self, before: int) -> None:
        """Drop the private parts of the keys below that number."""


class Signing(Protocol):
    """Ed25519; a private key is 32 bytes, a signature 64."""

    def new_private(self) -> bytes:
        """A private key that nobody has."""

    def public(self, private: bytes) -> bytes:
        """The public key that belongs to a private one."""

    def sign(self, private: bytes, message: bytes) -> bytes:
        """The signature of a message."""


class Receipts:
    """Signs what this server says of tables."""

    def __init__(self, ring: KeyRing, signing: Signing, outside: Outside) -> None:
        self._ring = ring
        self._signing = signing
        self._outside = outside
        self._private: dict[str, bytes] = {}

    async def keys(self) -> tuple[SigningKey, ...]:
        """The public keys, each with the time in which it signs, the first one first.

        Where there is none yet, one is made.
        """
        kept = await self._ring.keys()
        if not kept:
            await self._add(1, self._outside.now())
            kept = await self._ring.keys()
        ends = [timestamp(key.valid_from) for key in kept[1:]]
        return tuple(
            _public(key, until) for key, until in zip(kept, [*ends, None], strict=True)
        )

    async def sign(self, snapshot: Snapshot) -> SignedReceipt:
        """A receipt of the table as it stands."""
        keys = await self.keys()
        at = max(timestamp(self._outside.now()), keys[0].valid_from)
        number = _signing(keys, at)
        key = keys[number - 1]
        receipt = Receipt(
            format=FORMAT,
            table=snapshot.table.id,
            version=snapshot.table.version,
            head=snapshot.head.hex(),
            at=at,
            key=key.id,
        )
        private = await self._private_of(number, key)
        signature = self._signing.sign(private, signed_bytes(receipt))
        return SignedReceipt(receipt, signature.hex())

    async def rotate(self) -> SigningKey:
        """Announce the next key; who is second with that is answered the same one.

        Keys that have not signed for a while lose their private part.
        """
        keys = await self.keys()
        now = self._outside.now()
        await self._ring.forget(_signing(keys, timestamp(now - NOTICE)))
        since = max(now + NOTICE, moment(keys[-1].valid_from))
        await self._add(len(keys) + 1, since)
        return (await self.keys())[len(keys)]

    async def _add(self, number: int, since: datetime) -> None:
        private = self._signing.new_private()
        key = KeptKey(number, self._signing.public(private), since)
        await self._ring.add(key, private)

    async def _private_of(self, number: int, key: SigningKey) -> bytes:
        if key.id not in self._private:
            private = await self._ring.private(number)
            if private is None:
                msg = "the key that signs now has no private part"
                raise LookupError(msg)
            self._private[key.id] = private
        return self._private[key.id]


def _signing(keys: Sequence[SigningKey], at: str) -> int:
    """The number of the key that signs at that time, of the first one before that."""
    return sum(key.valid_from <= at for key in keys) or 1


def _public(key: KeptKey, until: str | None) -> SigningKey:
    return SigningKey(
        id=key_id(key.public),
        algorithm="Ed25519",
        key=key.public.hex(),
        valid_from=timestamp(key.valid_from),
        valid_until=until,
    )
