"""Which process keeps the time, as a row in Postgres that its holder comes back to."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import asyncpg

from infra.database import fetch
from infra.faults import sheltered
from services.ports import Outage

LAPSE: Final = timedelta(seconds=3)
"""After so long a holder that has not come back is taken to be gone."""

OUTAGE: Final = timedelta(seconds=10)
"""A gap that is longer is made up for; a server may start again within it."""

TAKE: Final = """
    WITH before AS (
      SELECT holder, seen_at, clock_timestamp() AS now
      FROM misere.timekeeper WHERE name = 'tables' FOR UPDATE
    ), taken AS (
      UPDATE misere.timekeeper SET holder = $1, seen_at = before.now FROM before
      WHERE name = 'tables' AND (
        before.holder = $1 OR before.holder IS NULL
        OR before.seen_at < before.now - $2::interval)
      RETURNING before.seen_at, before.now
    ), noted AS (
      INSERT INTO misere.outage (since, until)
      SELECT seen_at, now FROM taken WHERE seen_at < now - $3::interval
    )
    SELECT 1 FROM taken"""

LEAVE: Final = """
    UPDATE misere.timekeeper SET holder = NULL WHERE name = 'tables' AND holder = $1"""

OUTAGES: Final = "SELECT since, until FROM misere.outage ORDER BY since"

SETTLE: Final = "DELETE FROM misere.outage WHERE since = $1"


class PostgresLease:
    """`services.ports.Lease` over a pool of connections."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        """Work with connections borrowed from `pool`."""
        self._pool = pool

    @sheltered
    async def take(self, holder: UUID) -> bool:
        """Take the lease, or keep it; False where a living process has it."""
        return bool(await fetch(self._pool, TAKE, holder, LAPSE, OUTAGE))

    @sheltered
    async def leave(self, holder: UUID) -> None:
        """Give the lease back, if this process has it."""
        await fetch(self._pool, LEAVE, holder)

    @sheltered
    async def outages(self) -> Sequence[Outage]:
        """Those that have not been made up for, the first ones first."""
        rows = await fetch(self._pool, OUTAGES)
        return [Outage(row["since"], row["until"]) for row in rows]

    @sheltered
    async def settle(self, outage: Outage) -> None:
        """Note that it has been made up for."""
        await fetch(self._pool, SETTLE, outage.since)
