"""The lobby and the open decisions in Postgres, in generations."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import Any, Final, Literal
from uuid import UUID

import asyncpg

from domain.chain import SHARDS
from domain.ids import PlayerId, Position, Shard, TableId
from infra.database import BORROW_SECONDS, fetch
from infra.faults import sheltered
from infra.matches import add_matches
from services.read_models import (
    Generation,
    LobbyFilter,
    LobbyRow,
    MomentCursor,
    OpenDecision,
    Page,
    TableSummary,
    Turn,
    TurnCursor,
)

# Where a list begins is a place, too, before any there is: a query for "this place, or
# none" may have a plan that reads all that comes before the place.
FIRST: Final = TableId(UUID(int=0))

SERVING: Final = "SELECT generation FROM misere.projection WHERE name = 'tables'"

CHECKPOINTS: Final = """
    SELECT position FROM misere.checkpoint
    WHERE projection = 'tables' AND generation = $1 ORDER BY shard"""

# The row stays locked to the commit: of two projectors one waits here, and then finds
# that the checkpoint has moved, or that a switch has dropped it.
MOVE: Final = """
    UPDATE misere.checkpoint SET position = $4
    WHERE projection = 'tables' AND generation = $1 AND shard = $2 AND position = $3
    RETURNING position"""

UPSERT: Final = """
    INSERT INTO misere.lobby AS old (
      generation, shard, table_id, version, game, status, visibility, host, created_at,
      seats, free_seats, rated, rematch_of, facts, players, last_at, due_at, clocked)
    SELECT $1::int, $2::smallint, a, b, c, d, e, f, g, h, i, j, k, l, m::uuid[], n, o, p
    FROM unnest(
      $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::uuid[],
      $9::timestamptz[], $10::int[], $11::int[], $12::bool[], $13::uuid[],
      $14::bytea[], $15::text[], $16::timestamptz[], $17::timestamptz[], $18::bool[]
    ) AS t (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    ON CONFLICT (shard, table_id, generation) DO UPDATE SET
      version = excluded.version, game = excluded.game, status = excluded.status,
      visibility = excluded.visibility, host = excluded.host,
      created_at = excluded.created_at, seats = excluded.seats,
      free_seats = excluded.free_seats, rated = excluded.rated,
      rematch_of = excluded.rematch_of, facts = excluded.facts,
      players = excluded.players, last_at = excluded.last_at,
      due_at = excluded.due_at, clocked = excluded.clocked
    WHERE old.version < excluded.version
    RETURNING table_id"""

CLOSE: Final = """
    DELETE FROM misere.open_decision
    WHERE generation = $1 AND shard = $2 AND table_id = ANY($3::uuid[])"""

OPEN: Final = """
    INSERT INTO misere.open_decision (
      generation, shard, table_id, seat, player, version, kind)
    SELECT $1::int, $2::smallint, * FROM unnest(
      $3::uuid[], $4::smallint[], $5::uuid[], $6::bigint[], $7::text[])"""

# Whoever begins or switches a generation holds this row to the commit.
HOLD: Final = """
    SELECT generation FROM misere.projection WHERE name = 'tables' FOR UPDATE"""

BEGIN: Final = """
    WITH new AS (
      SELECT max(generation) + 1 AS generation
      FROM misere.checkpoint WHERE projection = 'tables'
    )
    INSERT INTO misere.checkpoint (projection, generation, shard, position)
    SELECT 'tables', new.generation, shard, 0 FROM new, generate_series(0, 15) shard
    RETURNING generation"""

SERVE: Final = """
    UPDATE misere.projection SET generation = $1 WHERE name = 'tables'"""

# A projector that is storing rows of an old generation holds its checkpoint, and who is
# storing ratings a row of its ladders. Once these are gone nobody adds to it.
RETIRE: Final = (
    "DELETE FROM misere.checkpoint WHERE projection = 'tables' AND generation < $1",
    "DELETE FROM misere.ladder WHERE generation < $1",
)

# So many rows that nobody could wait for them, a shard at a time.
CLEAR: Final = (
    "DELETE FROM misere.lobby WHERE generation < $1 AND shard = $2",
    "DELETE FROM misere.open_decision WHERE generation < $1 AND shard = $2",
    "DELETE FROM misere.result WHERE generation < $1 AND shard = $2",
    "DELETE FROM misere.standing WHERE generation < $1 AND shard = $2",
)

CLEAR_SECONDS: Final = 3600.0

LOBBY: Final = """
    SELECT table_id, version, game, status, visibility, host, created_at, seats,
      free_seats, rated, rematch_of, facts
    FROM misere.lobby
    WHERE visibility = 'public'
      AND generation =
        (SELECT generation FROM misere.projection WHERE name = 'tables')"""

IN_PLAY: Final = """
    SELECT table_id FROM misere.lobby
    WHERE status = 'playing'
      AND generation =
        (SELECT generation FROM misere.projection WHERE name = 'tables')
      AND table_id > $1 AND (clocked OR NOT $2)
    ORDER BY table_id LIMIT 1000"""

DUE: Final = """
    SELECT table_id FROM misere.lobby
    WHERE due_at <= $1
      AND generation =
        (SELECT generation FROM misere.projection WHERE name = 'tables')
    ORDER BY due_at LIMIT $2"""

# With the status in so many words: a plan for any of them reads all tables there were.
IDLE: Final = """
    SELECT table_id FROM misere.lobby
    WHERE status = '{}' AND last_at < $1
      AND generation =
        (SELECT generation FROM misere.projection WHERE name = 'tables')
    LIMIT $2"""

NEWEST_FIRST: Final = "ORDER BY created_at DESC, table_id DESC LIMIT $1"

DECISIONS_OF: Final = """
    SELECT table_id, seat, player, version, kind
    FROM misere.open_decision
    WHERE player = $1
      AND generation =
        (SELECT generation FROM misere.projection WHERE name = 'tables')
      AND (table_id, seat) > ($2, $3::smallint)
    ORDER BY table_id, seat LIMIT $4"""


LIVE_TABLES: Final = """
    SELECT count(*) FROM (
      SELECT FROM misere.lobby
      WHERE host = $1 AND status IN ('open', 'playing')
        AND generation =
          (SELECT generation FROM misere.projection WHERE name = 'tables')
      LIMIT $2
    ) AS live"""

TABLES_OF: Final = """
    SELECT player, table_id
    FROM (
      SELECT player, table_id, row_number() OVER (
        PARTITION BY player ORDER BY created_at DESC, table_id DESC) AS place
      FROM misere.lobby, unnest(players) AS player
      WHERE players && $1::uuid[] AND players <> '{}'
        AND generation =
          (SELECT generation FROM misere.projection WHERE name = 'tables')
        AND player = ANY($1::uuid[])
    ) AS found
    WHERE place <= $2
    ORDER BY player, place"""


class PostgresReadModels:
    """`services.read_models.ReadModels` over a pool of connections."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        """Work with connections borrowed from `pool`."""
        self._pool = pool

    @sheltered
    async def serving(self) -> Generation:
        """The generation that is served."""
        return Generation((await fetch(self._pool, SERVING))[0]["generation"])

    @sheltered
    async def checkpoints(self, generation: Generation) -> Sequence[Position]:
        """How far a generation has followed each shard, by shard."""
        rows = await fetch(self._pool, CHECKPOINTS, generation)
        return tuple(row["position"] for row in rows)

    @sheltered
    async def store(
        self,
        generation: Generation,
        shard: Shard,
        expected: Position,
        reached: Position,
        rows: Sequence[TableSummary],
    ) -> bool:
        """Move a shard's checkpoint and store `rows` in one transaction."""
        async with (
            self._pool.acquire(timeout=BORROW_SECONDS) as connection,
            connection.transaction(),
        ):
            moved = await connection.fetchval(
                MOVE, generation, shard, expected, reached
            )
            if moved is None:
                return False
            stored = await connection.fetch(
                UPSERT, generation, shard, *_lobby_columns(rows)
            )
            fresh = {row["table_id"] for row in stored}
            await connection.execute(CLOSE, generation, shard, list(fresh))
            decisions = _decision_columns([row for row in rows if row.table in fresh])
            await connection.execute(OPEN, generation, shard, *decisions)
            await add_matches(connection, generation, shard, rows)
            return True

    @sheltered
    async def begin_rebuild(self) -> Generation:
        """Begin a generation above all there are."""
        async with (
            self._pool.acquire(timeout=BORROW_SECONDS) as connection,
            connection.transaction(),
        ):
            await connection.fetchval(HOLD)
            return Generation(await connection.fetchval(BEGIN))

    @sheltered
    async def switch(self, generation: Generation) -> bool:
        """Serve `generation`, then clear away the rows of all older ones.

        What a clearing that was cut off leaves, the next one takes along.
        """
        async with self._pool.acquire(timeout=BORROW_SECONDS) as connection:
            async with connection.transaction():
                await connection.fetchval(HOLD)
                if not await connection.fetch(CHECKPOINTS, generation):
                    return False
                await connection.execute(SERVE, generation)
                for statement in RETIRE:
                    await connection.execute(statement, generation)
            for statement, shard in product(CLEAR, range(SHARDS)):
                async with connection.transaction():
                    await connection.execute("SET LOCAL statement_timeout = 0")
                    await connection.execute(
                        statement, generation, shard, timeout=CLEAR_SECONDS
                    )
            return True

    async def in_play(self, *, clocked: bool = False) -> AsyncIterator[TableId]:
        """The tables whose matches are on: all, or with clocks."""
        after = FIRST
        while tables := await self._tables(IN_PLAY, after, clocked):
            for after in tables:
                yield after

    async def due(self, now: datetime, limit: int) -> Sequence[TableId]:
        """The tables that have a seat to act for, the longest due first."""
        return await self._tables(DUE, now, limit)

    async def idle(
        self, status: Literal["open", "playing"], since: datetime, limit: int
    ) -> Sequence[TableId]:
        """The tables of that status to which nothing has happened since then."""
        return await self._tables(IDLE.format(status), since, limit)

    @sheltered
    async def _tables(self, query: str, *values: object) -> Sequence[TableId]:
        return [row["table_id"] for row in await fetch(self._pool, query, *values)]

    @sheltered
    async def lobby(
        self, which: LobbyFilter, limit: int, cursor: MomentCursor | None = None
    ) -> Page[LobbyRow, MomentCursor]:
        """Public tables, the newest first."""
        values: list[object] = [limit + 1]
        query = [LOBBY]
        for condition, value in (
            ("AND game =", which.game),
            ("AND status =", which.status),
            ("AND host =", which.host),
        ):
            if value is not None:
                values.append(value)
                query.append(f"{condition} ${len(values)}")
        if which.has_free_seat is not None:
            # In so many words: they are the index's.
            query.append(f"AND free_seats {'>' if which.has_free_seat else '='} 0")
        if cursor is not None:
            query.append(f"AND (created_at, table_id) < (${len(values) + 1}")
            query.append(f", ${len(values) + 2})")
            values += (cursor.moment, cursor.table)
        query.append(NEWEST_FIRST)
        rows = await fetch(self._pool, "\n".join(query), *values)
        items = tuple(LobbyRow(*row) for row in rows[:limit])
        more = len(rows) > limit
        return Page(
            items=items,
            next=MomentCursor(items[-1].created_at, items[-1].table) if more else None,
        )

    @sheltered
    async def decisions_of(
        self, player: PlayerId, limit: int, cursor: TurnCursor | None = None
    ) -> Page[Turn, TurnCursor]:
        """The decisions that wait for a player, by table and seat."""
        after = (cursor.table, cursor.seat) if cursor else (FIRST, -1)
        rows = await fetch(self._pool, DECISIONS_OF, player, *after, limit + 1)
        items = tuple(Turn(row[0], OpenDecision(*row[1:])) for row in rows[:limit])
        more = len(rows) > limit
        return Page(
            items=items,
            next=TurnCursor(items[-1].table, items[-1].decision.seat) if more else None,
        )

    @sheltered
    async def live_tables(self, host: PlayerId, limit: int) -> int:
        """How many of a host's tables are open or in play, up to `limit`."""
        return int((await fetch(self._pool, LIVE_TABLES, host, limit))[0]["count"])

    @sheltered
    async def tables_of(
        self, players: Collection[PlayerId], limit: int
    ) -> Mapping[PlayerId, Sequence[TableId]]:
        """The tables not over at which players sit, the newest first."""
        found: dict[PlayerId, list[TableId]] = {}
        for player, table in await fetch(self._pool, TABLES_OF, list(players), limit):
            found.setdefault(player, []).append(table)
        return found


def _lobby_columns(rows: Sequence[TableSummary]) -> list[list[Any]]:
    names = LobbyRow.__struct_fields__
    plain = [[getattr(row, name) for row in rows] for name in names]
    players = [f"{{{','.join(map(str, row.players))}}}" for row in rows]
    last, due = [row.last_at for row in rows], [row.due_at for row in rows]
    return [*plain, players, last, due, [row.clocked for row in rows]]


def _decision_columns(rows: Sequence[TableSummary]) -> list[list[Any]]:
    decisions = [(row.table, decision) for row in rows for decision in row.decisions]
    return [
        [table for table, _ in decisions],
        [decision.seat for _, decision in decisions],
        [decision.player for _, decision in decisions],
        [decision.version for _, decision in decisions],
        [decision.kind for _, decision in decisions],
    ]
