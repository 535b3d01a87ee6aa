"""Results and standings in Postgres, in the generations of the read models.

Ratings are worked out without a lock, and stored only if nobody has changed the game's
results meanwhile, as its row in `ladder` tells.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import asyncpg

from domain.chain import shard_of
from domain.ids import PlayerId, TableId
from infra.database import BORROW_SECONDS, fetch
from infra.faults import sheltered
from infra.matches import home
from services.ports import Rating
from services.read_models import Generation, MomentCursor, Page
from services.standings import (
    Contest,
    Rated,
    Result,
    Standing,
    StandingCursor,
    Unrated,
)

# The places before all others, where a list begins: see `infra.read_models.FIRST`.
BEST: Final = StandingCursor(2**31 - 1, PlayerId(UUID(int=0)))
NEWEST: Final = MomentCursor(
    datetime(9999, 12, 31, tzinfo=UTC), TableId(UUID(int=2**128 - 1))
)

WAITING: Final = """
    SELECT game, revision FROM misere.ladder AS one
    WHERE generation = $1 AND EXISTS (
      SELECT FROM misere.result AS it
      WHERE it.generation = one.generation AND it.game = one.game
        AND rated AND mean IS NULL)
    ORDER BY game LIMIT 1"""

CONTESTS: Final = """
    SELECT table_id, array_agg(player ORDER BY place, seat),
      array_agg(place ORDER BY place, seat)
    FROM misere.result
    WHERE generation = $1 AND game = $2 AND rated AND mean IS NULL
    GROUP BY ended_at, table_id
    ORDER BY ended_at, table_id LIMIT $3"""

# Those that wait are later than all that are rated: a player's last rating is the one
# before them.
BEFORE: Final = """
    SELECT player, mean, deviation FROM unnest($3::uuid[]) AS asked (player)
    CROSS JOIN LATERAL (
      SELECT mean, deviation FROM misere.result AS it
      WHERE generation = $1 AND game = $2 AND it.player = asked.player
        AND mean IS NOT NULL
      ORDER BY ended_at DESC, table_id DESC LIMIT 1
    ) AS latest"""

MOVE: Final = """
    UPDATE misere.ladder SET revision = revision + 1
    WHERE generation = $1 AND game = $2 AND revision = $3
    RETURNING revision"""

RATE: Final = """
    UPDATE misere.result AS it SET mean = t.mean, deviation = t.deviation
    FROM unnest($2::smallint[], $3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[])
      AS t (shard, table_id, player, mean, deviation)
    WHERE it.generation = $1 AND it.shard = t.shard AND it.table_id = t.table_id
      AND it.player = t.player"""

RANK: Final = """
    UPDATE misere.standing AS it SET worth = t.worth
    FROM unnest($3::smallint[], $4::uuid[], $5::int[]) AS t (shard, player, worth)
    WHERE it.generation = $1 AND it.game = $2 AND it.shard = t.shard
      AND it.player = t.player"""

STANDINGS: Final = """
    SELECT player, game, games, wins, shared_wins, scores, places, rated_games, worth
    FROM misere.standing
    WHERE game = $1
      AND generation =
        (SELECT generation FROM misere.projection WHERE name = 'tables')
      AND worth <= $2 AND (worth < $2 OR player > $3)
    ORDER BY worth DESC, player LIMIT $4"""

STANDINGS_OF: Final = """
    SELECT player, game, games, wins, shared_wins, scores, places, rated_games, worth
    FROM misere.standing
    WHERE shard = $1 AND player = $2
      AND generation =
        (SELECT generation FROM misere.projection WHERE name = 'tables')
    ORDER BY game"""

RESULTS_OF: Final = """
    SELECT table_id, game, ended_at, seats, seat, score, place, won, shared, rated,
      mean, deviation
    FROM misere.result
    WHERE player = $1
      AND generation =
        (SELECT generation FROM misere.projection WHERE name = 'tables')
      AND ($2::text IS NULL OR game = $2)
      AND (ended_at, table_id) < ($3, $4)
    ORDER BY ended_at DESC, table_id DESC LIMIT $5"""


class PostgresStandings:
    """`services.standings.Standings` over a pool of connections."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        """Work with connections borrowed from `pool`."""
        self._pool = pool

    @sheltered
    async def unrated(self, generation: Generation, limit: int) -> Unrated | None:
        """Some game's matches that wait to be rated.

        The revision is read first: what changes after that fails at `rate`.
        """
        waiting = await fetch(self._pool, WAITING, generation)
        if not waiting:
            return None
        game, revision = waiting[0]
        rows = await fetch(self._pool, CONTESTS, generation, game, limit)
        contests = tuple(Contest(row[0], tuple(row[1]), tuple(row[2])) for row in rows)
        players = sorted({player for each in contests for player in each.players})
        before = await fetch(self._pool, BEFORE, generation, game, players)
        return Unrated(
            game=game,
            revision=revision,
            before={player: Rating(*rating) for player, *rating in before},
            contests=contests,
        )

    @sheltered
    async def rate(
        self, generation: Generation, work: Unrated, rated: Sequence[Rated]
    ) -> bool:
        """Store what came of `work` in one transaction."""
        async with (
            self._pool.acquire(timeout=BORROW_SECONDS) as connection,
            connection.transaction(),
        ):
            moved = await connection.fetchval(
                MOVE, generation, work.game, work.revision
            )
            if moved is None:
                return False
            await connection.execute(
                RATE,
                generation,
                [shard_of(each.table) for each in rated],
                [each.table for each in rated],
                [each.player for each in rated],
                [each.rating.mean for each in rated],
                [each.rating.deviation for each in rated],
            )
            latest = {each.player: each.rating.worth for each in rated}
            await connection.execute(
                RANK,
                generation,
                work.game,
                [*map(home, latest)],
                [*latest],
                [*latest.values()],
            )
            return True

    @sheltered
    async def standings(
        self, game: str, limit: int, cursor: StandingCursor | None = None
    ) -> Page[Standing, StandingCursor]:
        """Who has finished a match of the game, the best first."""
        after = cursor or BEST
        values = (game, after.worth, after.player, limit + 1)
        rows = await fetch(self._pool, STANDINGS, *values)
        items = tuple(Standing(*row) for row in rows[:limit])
        more = len(rows) > limit
        return Page(
            items=items,
            next=StandingCursor(items[-1].worth, items[-1].player) if more else None,
        )

    @sheltered
    async def standings_of(self, player: PlayerId) -> Sequence[Standing]:
        """Where a player stands in each game that he has played."""
        rows = await fetch(self._pool, STANDINGS_OF, home(player), player)
        return tuple(Standing(*row) for row in rows)

    @sheltered
    async def results_of(
        self,
        player: PlayerId,
        game: str | None,
        limit: int,
        cursor: MomentCursor | None = None,
    ) -> Page[Result, MomentCursor]:
        """A player's results, the newest first."""
        after = cursor or NEWEST
        values = (player, game, after.moment, after.table, limit + 1)
        rows = await fetch(self._pool, RESULTS_OF, *values)
        items = tuple(_result(row) for row in rows[:limit])
        more = len(rows) > limit
        return Page(
            items=items,
            next=MomentCursor(items[-1].ended_at, items[-1].table) if more else None,
        )


def _result(row: asyncpg.Record) -> Result:
    *values, mean, deviation = row
    values.append(None if mean is None else Rating(mean, deviation))
    return Result(*values)
