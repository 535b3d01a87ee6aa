"""Backups in tests: a database with something of everything, out and in again."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import asyncpg

from domain.ids import Hash, PlayerId
from infra.archive import archive, new_archive
from infra.backup import KEPT, back_up, restore
from infra.event_log import PostgresEventLog
from infra.key_ring import PostgresKeyRing
from infra.notes import PostgresNotes
from infra.players import PostgresPlayers
from services.ports import Player
from services.receipts import KeptKey
from tests.fakes import Chain


async def furnished(pool: asyncpg.Pool) -> list[Chain]:
    """Thirty tables of four events, two of them sealed; two people, a note, a key."""
    chains = [Chain() for _ in range(30)]
    for body in (b'{"n":1}', b'{"n":2}'):
        entries = [it.propose(body, b"{}", secrets={0: b"QS"}) for it in chains]
        await PostgresEventLog(pool).append(entries)
        for chain, entry in zip(chains, entries, strict=True):
            chain.follow(entry)
    for name in ("Ada", None):
        player = Player(PlayerId(uuid4()), name, "human")
        await PostgresPlayers(pool).add(player, Hash(os.urandom(32)))
    await PostgresNotes(pool).put(chains[0].table, "Friday", "secret")
    key = KeptKey(1, os.urandom(32), datetime.now(UTC))
    await PostgresKeyRing(pool).add(key, os.urandom(32))
    return chains


async def backed_up(url: str, path: Path) -> Path:
    """Make a backup."""
    with new_archive(path) as file:
        await back_up(url, file)
    return path


async def restored(url: str, path: Path) -> None:
    """Restore a backup."""
    with archive(path) as file:
        await restore(url, file)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection for the length of a block."""
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def contents(url: str) -> dict[str, list[asyncpg.Record]]:
    """All that a backup keeps, and the positions that follow from it."""
    async with connected(url) as connection:
        return {
            name: await connection.fetch(f"SELECT t FROM misere.{name} t ORDER BY t")  # noqa: S608 - our own tables
            for name in (*KEPT, "shard")
        }
