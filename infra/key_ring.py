"""The keys that sign receipts, in Postgres."""

from typing import Final

import asyncpg

from infra.database import fetch
from infra.faults import sheltered
from services.receipts import KeptKey

KEYS: Final = """
    SELECT number, public_key, valid_from FROM misere.signing_key ORDER BY number"""

PRIVATE: Final = "SELECT private_key FROM misere.signing_key WHERE number = $1"

ADD: Final = """
    INSERT INTO misere.signing_key (number, public_key, private_key, valid_from)
    VALUES ($1, $2, $3, $4) ON CONFLICT (number) DO NOTHING"""

FORGET: Final = """
    UPDATE misere.signing_key SET private_key = NULL
    WHERE number < $1 AND private_key IS NOT NULL"""


class PostgresKeyRing:
    """`services.receipts.KeyRing` over a pool of connections."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        """Work with connections borrowed from `pool`."""
        self._pool = pool

    @sheltered
    async def keys(self) -> list[KeptKey]:
        """The public keys of all times, in the order of their numbers."""
        return [KeptKey(*row) for row in await fetch(self._pool, KEYS)]

    @sheltered
    async def private(self, number: int) -> bytes | None:
        """The private part of a key; None where it was forgotten."""
        rows = await fetch(self._pool, PRIVATE, number)
        return rows[0]["private_key"] if rows else None

    @sheltered
    async def add(self, key: KeptKey, private: bytes) -> None:
        """Keep a key; where its number is taken, that one stays."""
        await fetch(self._pool, ADD, key.number, key.public, private, key.valid_from)

    @sheltered
    async def forget(self, before: int) -> None:
        """Drop the private parts of the keys below that number."""
        await fetch(self._pool, FORGET, before)
