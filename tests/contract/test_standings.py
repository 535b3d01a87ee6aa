"""What results and standings promise to the projector and to those who list them."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain.chain import shard_of
from domain.ids import PlayerId, Position, Shard, TableId
from services.ports import Rating
from services.read_models import Generation, Match, ReadModels, TableSummary
from services.standings import Contest, Rated, Result, Standing, Standings, Unrated
from tests.fakes import NOON, ended_match, table_summary

ADA, BEN, CLEO = (PlayerId(UUID(int=number)) for number in range(3))
MILLION = 1_000_000
SHARD = 3


def ended(
    *players: PlayerId,
    minute: int = 0,
    rated: bool = True,
    game: str = "hearts",
    shard: int = SHARD,
) -> TableSummary:
    """A table whose match ended so many minutes past noon, its players best first."""
    ids = iter(uuid4, None)
    moment = NOON + timedelta(minutes=minute)
    return table_summary(
        table=next(TableId(it) for it in ids if shard_of(TableId(it)) == shard),
        game=game,
        status="finished",
        rated=rated,
        match=ended_match(*players, ended_at=moment, rated=rated),
    )


def match_of(table: TableSummary) -> Match:
    """The match of a table that has one."""
    assert table.match is not None
    return table.match


async def fill(
    models: ReadModels,
    *tables: TableSummary,
    shard: int = SHARD,
    generation: Generation | None = None,
) -> None:
    """Store tables in a generation, or the one that is served."""
    generation = generation or await models.serving()
    at = (await models.checkpoints(generation))[shard]
    assert await models.store(generation, Shard(shard), at, Position(at + 1), tables)


async def waiting(
    models: ReadModels, standings: Standings, limit: int = 100
) -> Unrated:
    """What is to be rated."""
    work = await standings.unrated(await models.serving(), limit)
    assert work is not None
    return work


def contest(table: TableSummary) -> Contest:
    """The match of a table as it is given out to be rated."""
    finishers = match_of(table).finishers
    return Contest(
        table.table,
        tuple(it.player for it in finishers),
        tuple(it.place for it in finishers),
    )


def each_at(work: Unrated, mean: int) -> list[Rated]:
    """All players of the matches at the same rating."""
    return [
        Rated(it.table, player, Rating(mean * MILLION, 0))
        for it in work.contests
        for player in it.players
    ]


async def rate(
    models: ReadModels, standings: Standings, mean: int, limit: int = 100
) -> Unrated:
    """Rate what waits, and say what it was."""
    work = await waiting(models, standings, limit)
    assert await standings.rate(await models.serving(), work, each_at(work, mean))
    return work


async def results(
    standings: Standings, player: PlayerId, game: str | None = None
) -> Sequence[Result]:
    """All results of a player."""
    return (await standings.results_of(player, game, 100)).items


async def test_a_match_is_a_result_for_each_of_its_players(
    models: ReadModels, standings: Standings
) -> None:
    """All that is known of it, the time to the microsecond."""
    table = ended(ADA, BEN, rated=False)
    await fill(models, table, table_summary())
    assert await results(standings, ADA) == (
        Result(
            table=table.table,
            game="hearts",
            ended_at=NOON,
            seats=4,
            seat=match_of(table).finishers[0].seat,
            score=10,
            place=1,
            won=True,
            shared=False,
            rated=False,
            rating=None,
        ),
    )
    [second] = await results(standings, BEN)
    assert (second.score, second.place, second.won) == (20, 2, False)
    assert await results(standings, CLEO) == ()


async def test_a_match_of_bots_leaves_nothing(
    models: ReadModels, standings: Standings
) -> None:
    """Nobody has a result of it or stands anywhere."""
    await fill(models, ended(rated=False))
    assert (await standings.standings("hearts", 10)).items == ()
    assert await standings.unrated(await models.serving(), 10) is None


async def test_matches_sum_up_to_a_standing_in_each_game(
    models: ReadModels, standings: Standings
) -> None:
    """Wins, joint ones among them, scores and places; by the game's name."""
    first, second = ended(ADA, BEN, minute=1), ended(BEN, ADA, minute=2, rated=False)
    joint = match_of(second)
    both = tuple(
        replace(each, place=1, won=True, shared=True) for each in joint.finishers
    )
    await fill(models, first, replace(second, match=replace(joint, finishers=both)))
    await fill(models, ended(ADA, BEN, rated=False, game="agony-aunt"))
    [aunt, hearts] = await standings.standings_of(ADA)
    assert hearts == Standing(
        player=ADA,
        game="hearts",
        games=2,
        wins=2,
        shared_wins=1,
        scores=30,
        places=2,
        rated_games=1,
        worth=0,
    )
    assert (aunt.game, aunt.games, aunt.wins) == ("agony-aunt", 1, 1)
    assert list(await standings.standings_of(CLEO)) == []


async def test_a_match_that_is_stored_again_counts_once(
    models: ReadModels, standings: Standings
) -> None:
    """A table that is met in two steps has one match; its rating stays."""
    table = ended(ADA, BEN)
    await fill(models, table)
    await rate(models, standings, 7)
    await fill(models, table, ended(ADA, BEN, minute=1))
    [standing] = await standings.standings_of(ADA)
    assert standing.games == 2
    assert [it.rating is None for it in await results(standings, ADA)] == [True, False]


async def test_what_is_not_stored_leaves_no_match(
    models: ReadModels, standings: Standings
) -> None:
    """Where the checkpoint has moved, nothing of the step is there."""
    await fill(models)
    generation = await models.serving()
    assert not await models.store(
        generation, Shard(SHARD), Position(0), Position(1), [ended(ADA, BEN)]
    )
    assert await results(standings, ADA) == ()
    assert await standings.unrated(generation, 10) is None


async def test_matches_wait_in_their_games_order_whatever_their_shards(
    models: ReadModels, standings: Standings
) -> None:
    """By the time of their end, then by table; unrated ones do not wait."""
    tables = [
        ended(ADA, BEN, minute=minute, shard=shard)
        for minute, shard in ((5, SHARD), (3, SHARD), (3, 7), (4, 7))
    ]
    await fill(models, *tables[:2], ended(ADA, BEN, minute=1, rated=False))
    await fill(models, *tables[2:], shard=7)
    expected = sorted(tables, key=lambda it: (match_of(it).ended_at, it.table))
    work = await waiting(models, standings)
    assert work.game == "hearts"
    assert work.before == {}
    assert work.contests == tuple(map(contest, expected))
    some = await waiting(models, standings, limit=3)
    assert some.contests == work.contests[:3]


async def test_a_rating_is_what_the_next_match_begins_with(
    models: ReadModels, standings: Standings
) -> None:
    """The latest of each player, where there is one; in that game alone."""
    for minute in range(2):
        await fill(models, ended(ADA, BEN, minute=minute))
        await rate(models, standings, 1000 + minute)
    await fill(models, ended(BEN, CLEO, minute=3), ended(CLEO, ADA, game="tetka"))
    work = await rate(models, standings, 2000)
    assert work.before == {BEN: Rating(1001 * MILLION, 0)}
    other = await waiting(models, standings)
    assert (other.game, other.before) == ("tetka", {})
    worths = [it.worth for it in await standings.standings_of(ADA)]
    assert worths == [1001, 0]
    assert [it.rating for it in await results(standings, ADA, "hearts")] == [
        Rating(1001 * MILLION, 0),
        Rating(1000 * MILLION, 0),
    ]


async def test_a_match_that_comes_late_takes_back_the_ratings_after_it(
    models: ReadModels, standings: Standings
) -> None:
    """It waits with all that follow it in its game; what was before stays."""
    early, later, last = (ended(ADA, BEN, minute=minute) for minute in (1, 3, 4))
    other = ended(ADA, BEN, minute=4, game="tetka")
    await fill(models, early, later, last, other)
    await rate(models, standings, 1000, limit=1)
    await rate(models, standings, 2000)
    await rate(models, standings, 3000)
    late = ended(CLEO, ADA, minute=2, shard=9)
    await fill(models, late, shard=9)
    work = await rate(models, standings, 4000)
    assert work.contests == tuple(map(contest, (late, later, last)))
    assert work.before == {
        ADA: Rating(1000 * MILLION, 0),
        BEN: Rating(1000 * MILLION, 0),
    }
    assert await standings.unrated(await models.serving(), 10) is None
    assert [it.worth for it in await standings.standings_of(BEN)] == [4000, 3000]


async def test_ratings_of_what_has_changed_meanwhile_are_not_stored(
    models: ReadModels, standings: Standings
) -> None:
    """Neither where a match came in, nor where another process was first."""
    generation = await models.serving()
    await fill(models, ended(ADA, BEN, minute=2))
    overtaken = await waiting(models, standings)
    await fill(models, ended(CLEO, ADA, minute=1))
    assert not await standings.rate(generation, overtaken, each_at(overtaken, 1))
    work = await waiting(models, standings)
    assert await standings.rate(generation, work, each_at(work, 2))
    assert not await standings.rate(generation, work, each_at(work, 3))
    assert [it.worth for it in await standings.standings_of(ADA)] == [2]


async def test_a_match_of_another_game_is_in_nobodys_way(
    models: ReadModels, standings: Standings
) -> None:
    """Ratings of one game are stored while matches of another come in."""
    await fill(models, ended(ADA, BEN))
    work = await waiting(models, standings)
    await fill(models, ended(ADA, BEN, game="tetka"))
    assert await standings.rate(await models.serving(), work, each_at(work, 1))


async def test_a_rebuild_has_results_and_ratings_of_its_own(
    models: ReadModels, standings: Standings
) -> None:
    """They are unseen until it is switched to; then the old ones are gone."""
    table = ended(ADA, BEN)
    await fill(models, table)
    await rate(models, standings, 1000)
    old = await models.serving()
    rebuilt = await models.begin_rebuild()
    await fill(models, table, generation=rebuilt)
    work = await standings.unrated(rebuilt, 10)
    assert work is not None
    assert work.before == {}
    assert await standings.rate(rebuilt, work, each_at(work, 2000))
    [before] = await standings.standings_of(ADA)
    assert (before.games, before.worth) == (1, 1000)

    await fill(models, ended(BEN, ADA, minute=1))
    gone = await waiting(models, standings)
    assert await models.switch(rebuilt)
    [after] = await standings.standings_of(ADA)
    assert (after.games, after.worth) == (1, 2000)
    assert len(await results(standings, ADA)) == 1
    assert (await standings.standings("hearts", 1)).items == (after,)
    assert await standings.unrated(old, 10) is None
    assert not await standings.rate(old, gone, each_at(gone, 1))


@pytest.mark.parametrize("size", [1, 2, 4, 5])
async def test_pages_of_standings_hold_each_player_once(
    models: ReadModels, standings: Standings, size: int
) -> None:
    """The best rating first, by id where it is equal; below zero too."""
    players = [PlayerId(uuid4()) for _ in range(5)]
    await fill(models, ended(*players), ended(CLEO, game="tetka", rated=False))
    work = await waiting(models, standings)
    worths = dict(zip(players, (5, -3, 5, 0, -3), strict=True))
    rated = [
        Rated(work.contests[0].table, who, Rating(worth * MILLION, 0))
        for who, worth in worths.items()
    ]
    assert await standings.rate(await models.serving(), work, rated)
    seen: list[PlayerId] = []
    cursor = None
    while True:
        page = await standings.standings("hearts", size, cursor)
        seen += [it.player for it in page.items]
        if (cursor := page.next) is None:
            break
    assert seen == sorted(players, key=lambda who: (-worths[who], who))


@pytest.mark.parametrize("game", [None, "hearts"])
@pytest.mark.parametrize("size", [1, 2, 5])
async def test_pages_of_results_hold_each_once(
    models: ReadModels, standings: Standings, size: int, game: str | None
) -> None:
    """The newest first, then by table; of one game or of all."""
    tables = [ended(ADA, minute=minute, rated=False) for minute in (1, 1, 3, 2)]
    tables.append(ended(ADA, minute=2, rated=False, game="tetka"))
    await fill(models, *tables)
    seen: list[TableId] = []
    cursor = None
    while True:
        page = await standings.results_of(ADA, game, size, cursor)
        seen += [it.table for it in page.items]
        if (cursor := page.next) is None:
            break
    newest = sorted(
        (it for it in tables if game in (None, it.game)),
        key=lambda it: (match_of(it).ended_at, it.table),
        reverse=True,
    )
    assert seen == [it.table for it in newest]
