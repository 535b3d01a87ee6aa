"""Clean databases for tests, each used by one test at a time.

Copying the template takes a tenth of a second, so databases are wiped and used again.
Wiping the log is what its triggers forbid: it takes the owner, who disables them.
"""

import os
from collections.abc import Callable

import asyncpg

Address = Callable[[str], str]
"""The URL of a database by its name."""

LEAVE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = $1 AND pid <> pg_backend_pid()"""

WIPE = """
    DO $$
    DECLARE
      name text;
    BEGIN
      FOREACH name IN ARRAY ARRAY['append', 'event', 'sealed', 'stream'] LOOP
        EXECUTE format('ALTER TABLE misere.%1$I DISABLE TRIGGER USER;'
                       'DELETE FROM misere.%1$I;'
                       'ALTER TABLE misere.%1$I ENABLE ALWAYS TRIGGER no_rewrite;'
                       'ALTER TABLE misere.%1$I ENABLE ALWAYS TRIGGER no_truncate',
                       name);
      END LOOP;
      UPDATE misere.shard SET position = 0 WHERE position > 0;
      DELETE FROM misere.player;
      DELETE FROM misere.table_note;
      DELETE FROM misere.signing_key;
      DELETE FROM misere.lobby;
      DELETE FROM misere.open_decision;
      DELETE FROM misere.result;
      DELETE FROM misere.standing;
      DELETE FROM misere.ladder;
      DELETE FROM misere.checkpoint WHERE generation > 1;
      INSERT INTO misere.checkpoint
        SELECT 'tables', 1, g, 0 FROM generate_series(0, 15) g
        ON CONFLICT (projection, generation, shard) DO UPDATE SET position = 0;
      UPDATE misere.projection SET generation = 1;
      UPDATE misere.timekeeper SET holder = NULL, seen_at = clock_timestamp();
      DELETE FROM misere.outage;
    END $$"""


class Databases:
    """Copies of a migrated template, lent and taken back."""

    def __init__(
        self, address: Address, administrator: asyncpg.Connection, template: str
    ) -> None:
        """Begin with no copy."""
        self._address = address
        self._administrator = administrator
        self._template = template
        self._made = 0
        self._free: list[str] = []

    async def lend(self) -> str:
        """The name of a clean database that nobody else uses."""
        if self._free:
            return self._free.pop()
        self._made += 1
        name = f"misere_test_{os.getpid()}_{self._made}"
        await self._administrator.execute(
            f"CREATE DATABASE {name} TEMPLATE {self._template}"
        )
        return name

    async def take_back(self, name: str) -> None:
        """Wipe a database, whatever its test left open, and keep it for another."""
        await self._administrator.execute(LEAVE, name)
        connection = await asyncpg.connect(self._address(name))
        try:
            await connection.execute(WIPE)
        finally:
            await connection.close()
        self._free.append(name)

    async def drop(self) -> None:
        """Drop all copies."""
        while self._free:
            await self._administrator.execute(
                f"DROP DATABASE {self._free.pop()} WITH (FORCE)"
            )
