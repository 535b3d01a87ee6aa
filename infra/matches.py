"""Matches that have ended, as they come into the results and standings of a generation.

Whoever changes a game's results or ratings takes its row in `ladder` first, and leaves
it with another revision.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from asyncpg.pool import PoolConnectionProxy

from domain.chain import shard_of
from domain.ids import PlayerId, Shard, TableId
from services.read_models import Finisher, Generation, TableSummary

# In order, so that two never wait for each other.
TAKE: Final = """
    INSERT INTO misere.ladder AS taken (generation, game, revision)
    SELECT $1::int, game, 1 FROM unnest($2::text[]) AS t (game) ORDER BY game
    ON CONFLICT (generation, game) DO UPDATE SET revision = taken.revision + 1"""

ADD: Final = """
    INSERT INTO misere.result (
      generation, shard, table_id, game, ended_at, seats, rated, player, seat, score,
      place, won, shared)
    SELECT $1::int, $2::smallint, * FROM unnest(
      $3::uuid[], $4::text[], $5::timestamptz[], $6::int[], $7::bool[], $8::uuid[],
      $9::smallint[], $10::int[], $11::smallint[], $12::bool[], $13::bool[])
    ON CONFLICT DO NOTHING
    RETURNING table_id"""

COUNT: Final = """
    INSERT INTO misere.standing AS old (
      generation, shard, player, game, games, wins, shared_wins, scores, places,
      rated_games, worth)
    SELECT $1::int, shard, player, game, count(*), count(*) FILTER (WHERE won),
      count(*) FILTER (WHERE shared), sum(score), sum(place),
      count(*) FILTER (WHERE rated), 0
    FROM unnest($2::smallint[], $3::uuid[], $4::text[], $5::int[], $6::int[],
      $7::bool[], $8::bool[], $9::bool[])
      AS t (shard, player, game, score, place, won, shared, rated)
    GROUP BY shard, player, game
    ON CONFLICT (shard, player, game, generation) DO UPDATE SET
      games = old.games + excluded.games, wins = old.wins + excluded.wins,
      shared_wins = old.shared_wins + excluded.shared_wins,
      scores = old.scores + excluded.scores, places = old.places + excluded.places,
      rated_games = old.rated_games + excluded.rated_games"""

TAKE_BACK: Final = """
    UPDATE misere.result SET mean = NULL, deviation = NULL
    WHERE generation = $1 AND game = $2 AND mean IS NOT NULL
      AND (ended_at, table_id) > ($3, $4)"""


async def add_matches(
    connection: PoolConnectionProxy,
    generation: Generation,
    shard: Shard,
    rows: Sequence[TableSummary],
) -> None:
    """Store the matches of a shard's tables that have ended, each once.

    It is part of a transaction that holds the shard's checkpoint.
    """
    ended = [(row, row.match) for row in rows if row.match and row.match.finishers]
    if not ended:
        return
    games = sorted({row.game for row, _ in ended})
    await connection.execute(TAKE, generation, games)
    lines = [(row, match, each) for row, match in ended for each in match.finishers]
    added = await connection.fetch(
        ADD,
        generation,
        shard,
        [row.table for row, _, _ in lines],
        [row.game for row, _, _ in lines],
        [match.ended_at for _, match, _ in lines],
        [row.seats for row, _, _ in lines],
        [match.rated for _, match, _ in lines],
        *(
            [getattr(each, name) for _, _, each in lines]
            for name in Finisher.__struct_fields__
        ),
    )
    fresh = {row["table_id"] for row in added}
    lines = [line for line in lines if line[0].table in fresh]
    await connection.execute(
        COUNT,
        generation,
        [home(each.player) for _, _, each in lines],
        [each.player for _, _, each in lines],
        [row.game for row, _, _ in lines],
        [each.score for _, _, each in lines],
        [each.place for _, _, each in lines],
        [each.won for _, _, each in lines],
        [each.shared for _, _, each in lines],
        [match.rated for _, match, _ in lines],
    )
    rated = sorted(
        (row.game, match.ended_at, row.table) for row, match, _ in lines if match.rated
    )
    for _, first in groupby(rated, key=lambda it: it[0]):
        await connection.execute(TAKE_BACK, generation, *next(first))


def home(player: PlayerId) -> Shard:
    """The shard that a player's standings are kept in."""
    return shard_of(TableId(player))
