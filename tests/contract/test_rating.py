"""Ratings come of the matches and their order, however these are stored and rated."""

import asyncio
from datetime import timedelta
from random import Random
from unittest.mock import patch
from uuid import UUID

import pytest

from domain.chain import shard_of
from domain.ids import PlayerId, Position, TableId
from infra.ratings import OpenSkillRatings
from services import rating
from services.ports import Rating
from services.rating import Rater
from services.read_models import ReadModels, TableSummary
from services.standings import Standings
from tests.fakes import NOON, ended_match, table_summary

PEOPLE = [PlayerId(UUID(int=number)) for number in range(6)]
MATCHES = 60


def some_matches(chance: Random) -> list[TableSummary]:
    """Matches of few people, several at a time at the same moment."""
    return [
        table_summary(
            table=TableId(UUID(int=chance.getrandbits(128))),
            game=chance.choice(["hearts", "tetka"]),
            status="finished",
            match=ended_match(
                *chance.sample(PEOPLE, chance.randint(2, 5)),
                ended_at=NOON + timedelta(minutes=chance.randrange(MATCHES // 2)),
            ),
        )
        for _ in range(MATCHES)
    ]


def in_order(matches: list[TableSummary]) -> dict[tuple[TableId, PlayerId], Rating]:
    """What each match makes of its players' ratings when all go by their order."""
    ratings = OpenSkillRatings()
    now: dict[tuple[str, PlayerId], Rating] = {}
    found = {}
    placed = [(it.match.ended_at, it.table, it) for it in matches if it.match]
    for _, table, it in sorted(placed, key=lambda each: each[:2]):
        finishers = it.match.finishers if it.match else ()
        players = [each.player for each in finishers]
        before = [now.get((it.game, who), ratings.newcomer()) for who in players]
        after = ratings.after(before, [each.place for each in finishers])
        for who, mine in zip(players, after, strict=True):
            now[it.game, who] = found[table, who] = mine
    return found


async def store(models: ReadModels, match: TableSummary) -> None:
    """Store a match in its shard, which nobody else does."""
    generation = await models.serving()
    shard = shard_of(match.table)
    at = (await models.checkpoints(generation))[shard]
    assert await models.store(generation, shard, at, Position(at + 1), [match])


async def stored(standings: Standings) -> dict[tuple[TableId, PlayerId], Rating | None]:
    """The rating of each player after each match."""
    return {
        (result.table, player): result.rating
        for player in PEOPLE
        for result in (await standings.results_of(player, None, 1000)).items
    }


async def check(standings: Standings, matches: list[TableSummary]) -> None:
    """Each match has the ratings of its order, and each standing the last of them."""
    assert await stored(standings) == in_order(matches)
    for player in PEOPLE:
        for standing in await standings.standings_of(player):
            page = await standings.results_of(player, standing.game, 1)
            [newest] = page.items
            assert newest.rating is not None
            assert standing.worth == newest.rating.worth


@pytest.mark.parametrize("batch", [1, 7, 500])
async def test_matches_are_rated_in_order_however_late_they_come(
    models: ReadModels, standings: Standings, batch: int
) -> None:
    """They come in any order and are rated in between, few at once or many."""
    chance = Random(batch)
    matches = some_matches(chance)
    rater = Rater(standings, OpenSkillRatings())
    with patch.object(rating, "BATCH", batch):
        for match in matches:
            await store(models, match)
            if chance.random() < 0.2:
                await rater.catch_up(await models.serving())
        await rater.catch_up(await models.serving())
    await check(standings, matches)


async def test_many_may_rate_the_same_matches_while_more_come(
    models: ReadModels, standings: Standings
) -> None:
    """Of those who are at the same matches one is first; nothing is rated twice."""
    matches = some_matches(Random(0))
    generation = await models.serving()
    by_shard: dict[int, list[TableSummary]] = {}
    for match in matches:
        by_shard.setdefault(shard_of(match.table), []).append(match)

    async def come(mine: list[TableSummary]) -> None:
        for match in mine:
            await store(models, match)
            await Rater(standings, OpenSkillRatings()).catch_up(generation)

    with patch.object(rating, "BATCH", 5):
        await asyncio.gather(*map(come, by_shard.values()))
    assert await standings.unrated(generation, 1) is None
    await check(standings, matches)
