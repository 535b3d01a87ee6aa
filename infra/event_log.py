"""The event log in Postgres: one function to append, plain selects to read."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import asyncpg

from domain.chain import shard_of
from domain.ids import CommandId, Hash, Position, Shard, TableId, Version
from domain.log import StoredLine
from infra.database import fetch
from infra.faults import sheltered
from services.ports import Appended, NewAppend, Outcome, Placed

APPEND: Final = """
    SELECT outcome, first_version, last_version, "position", head, request_hash
    FROM misere.append_batch(
      $1::smallint[], $2::uuid[], $3::bigint[], $4::int[], $5::bytea[], $6::bytea[],
      $7::uuid[], $8::bytea[],
      $9::uuid[], $10::bigint[], $11::text[], $12::bytea[], $13::bytea[], $14::bytea[])
    ORDER BY ord"""

READ: Final = """
    SELECT version, type, body, hash FROM misere.event
    WHERE shard = $1 AND table_id = $2 AND version > $3
    ORDER BY version LIMIT $4"""

SECRETS: Final = """
    SELECT version, secret FROM misere.sealed
    WHERE shard = $1 AND table_id = $2 AND version BETWEEN $3 AND $4
    ORDER BY version"""

HEADS: Final = """
    SELECT table_id, version, head FROM misere.stream
    JOIN unnest($1::smallint[], $2::uuid[]) AS asked(shard, table_id)
    USING (shard, table_id)"""

FIND: Final = """
    SELECT first_version, last_version, position, head, request_hash
    FROM misere.append
    WHERE shard = $1 AND table_id = $2 AND command_id = $3"""

POSITIONS: Final = "SELECT position FROM misere.shard ORDER BY shard"

PLACED: Final = """
    SELECT position, table_id, first_version, last_version, command_id
    FROM misere.append
    WHERE shard = $1 AND position > $2
    ORDER BY position LIMIT $3"""


class PostgresEventLog:
    """`services.ports.EventLog` over a pool of connections."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        """Work with connections borrowed from `pool`."""
        self._pool = pool

    @sheltered
    async def append(self, batch: Sequence[NewAppend]) -> Sequence[Outcome]:
        """Store appends of different tables in one statement, which is one commit."""
        rows = await fetch(self._pool, APPEND, *_columns(batch)) if batch else ()
        return tuple(
            Outcome(
                kind=row["outcome"],
                stored=None if row["outcome"] == "conflict" else _appended(row),
            )
            for row in rows
        )

    @sheltered
    async def read(
        self, table: TableId, after: Version, limit: int
    ) -> Sequence[StoredLine]:
        """The events of `table` above version `after`, in order, at most `limit`."""
        rows = await fetch(self._pool, READ, shard_of(table), table, after, limit)
        return tuple(StoredLine(*row) for row in rows)

    @sheltered
    async def secrets(
        self, table: TableId, first: Version, last: Version
    ) -> Mapping[Version, bytes]:
        """What is sealed in the events `first` to `last` of `table`, by version."""
        rows = await fetch(self._pool, SECRETS, shard_of(table), table, first, last)
        return {row["version"]: row["secret"] for row in rows}

    @sheltered
    async def heads(
        self, tables: Sequence[TableId]
    ) -> Mapping[TableId, tuple[Version, Hash]]:
        """The version and head of those of `tables` that are there."""
        rows = await fetch(self._pool, HEADS, [*map(shard_of, tables)], tables)
        return {row["table_id"]: (row["version"], row["head"]) for row in rows}

    @sheltered
    async def find(self, table: TableId, command: CommandId) -> Appended | None:
        """The append that `command` made at `table`, if it did."""
        rows = await fetch(self._pool, FIND, shard_of(table), table, command)
        return _appended(rows[0]) if rows else None

    @sheltered
    async def positions(self) -> Sequence[Position]:
        """The last position of each shard, 16 of them, by shard."""
        return tuple(row["position"] for row in await fetch(self._pool, POSITIONS))

    @sheltered
    async def placed(
        self, shard: Shard, after: Position, limit: int
    ) -> Sequence[Placed]:
        """The appends of `shard` above position `after`, in order, at most `limit`."""
        rows = await fetch(self._pool, PLACED, shard, after, limit)
        return tuple(Placed(*row) for row in rows)


def _columns(batch: Sequence[NewAppend]) -> list[list[Any]]:
    """The batch as `append_batch` takes it: a list for each column."""
    events = [
        (entry.table, entry.expected + place, event)
        for entry in batch
        for place, event in enumerate(entry.events, start=1)
    ]
    return [
        [shard_of(entry.table) for entry in batch],
        [entry.table for entry in batch],
        [entry.expected for entry in batch],
        [len(entry.events) for entry in batch],
        [entry.prev for entry in batch],
        [entry.head for entry in batch],
        [entry.command for entry in batch],
        [entry.request for entry in batch],
        [table for table, _, _ in events],
        [version for _, version, _ in events],
        [event.type for _, _, event in events],
        [event.body for _, _, event in events],
        [event.hash for _, _, event in events],
        [event.kept for _, _, event in events],
    ]


def _appended(row: asyncpg.Record) -> Appended:
    return Appended(
        first=row["first_version"],
        last=row["last_version"],
        position=row["position"],
        head=row["head"],
        request=row["request_hash"],
    )
