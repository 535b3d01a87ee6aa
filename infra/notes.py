"""The notes on tables in Postgres, beside the log."""

from collections.abc import Mapping, Sequence
from typing import Final

import asyncpg

from domain.ids import TableId
from infra.database import fetch
from infra.faults import sheltered
from services.ports import TableNote

PUT: Final = """
    INSERT INTO misere.table_note (table_id, title, invite)
    VALUES ($1, $2, $3) ON CONFLICT (table_id) DO NOTHING"""

GET: Final = """
    SELECT table_id, title, invite FROM misere.table_note
    WHERE table_id = ANY($1::uuid[])"""


class PostgresNotes:
    """`services.ports.TableNotes` over a pool of connections."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        """Work with connections borrowed from `pool`."""
        self._pool = pool

    @sheltered
    async def put(self, table: TableId, title: str | None, invite: str | None) -> None:
        """Note a table's title and invite; where it has a note, that one stays."""
        await fetch(self._pool, PUT, table, title, invite)

    @sheltered
    async def get(self, tables: Sequence[TableId]) -> Mapping[TableId, TableNote]:
        """The notes on those of `tables` that have one."""
        return {
            row["table_id"]: TableNote(title=row["title"], invite=row["invite"])
            for row in await fetch(self._pool, GET, tables)
        }
