"""Results and standings in memory."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from domain.ids import PlayerId, TableId
from services.ports import Rating
from services.read_models import (
    Finisher,
    Generation,
    Match,
    MomentCursor,
    Page,
    TableSummary,
)
from services.standings import (
    Contest,
    Rated,
    Result,
    Standing,
    StandingCursor,
    Unrated,
)
from tests.fakes.read_models import Build, MemoryReadModels, order


class MemoryStandings:
    """`services.standings.Standings` beside read models in memory."""

    def __init__(self, models: MemoryReadModels) -> None:
        """Answer from what those read models have stored."""
        self._models = models

    async def unrated(self, generation: Generation, limit: int) -> Unrated | None:
        """Some game's matches that wait to be rated."""
        build = self._models.build(generation)
        waiting = [*_waiting(build)] if build else []
        if not build or not waiting:
            return None
        game = min(each.game for each, _ in waiting)
        waiting = [it for it in waiting if it[0].game == game][:limit]
        before: dict[PlayerId, Rating] = {}
        for ended, match in _matches(build):
            for each in match.finishers if ended.game == game else ():
                rating = build.ratings.get((ended.table, each.player))
                if rating:
                    before[each.player] = rating
        contests = tuple(
            Contest(
                ended.table,
                tuple(each.player for each in match.finishers),
                tuple(each.place for each in match.finishers),
            )
            for ended, match in waiting
        )
        players = {player for each in contests for player in each.players}
        before = {who: rating for who, rating in before.items() if who in players}
        return Unrated(game, build.revisions[game], before, contests)

    async def rate(
        self, generation: Generation, work: Unrated, rated: Sequence[Rated]
    ) -> bool:
        """Store what came of `work`, whole or not at all."""
        build = self._models.build(generation)
        if build is None or build.revisions[work.game] != work.revision:
            return False
        build.revisions[work.game] += 1
        build.ratings |= {(each.table, each.player): each.rating for each in rated}
        return True

    async def standings(
        self, game: str, limit: int, cursor: StandingCursor | None = None
    ) -> Page[Standing, StandingCursor]:
        """Who has finished a match of the game, the best first."""
        found = [each for each in self._standings() if each.game == game]
        found.sort(key=_rank)
        if cursor is not None:
            after = -cursor.worth, cursor.player
            found = [each for each in found if _rank(each) > after]
        items = tuple(found[:limit])
        more = len(found) > limit
        return Page(
            items=items,
            next=StandingCursor(items[-1].worth, items[-1].player) if more else None,
        )

    async def standings_of(self, player: PlayerId) -> Sequence[Standing]:
        """Where a player stands in each game that he has played."""
        found = [each for each in self._standings() if each.player == player]
        return sorted(found, key=lambda each: each.game)

    async def results_of(
        self,
        player: PlayerId,
        game: str | None,
        limit: int,
        cursor: MomentCursor | None = None,
    ) -> Page[Result, MomentCursor]:
        """A player's results, the newest first."""
        found = [
            result
            for who, result in self._results()
            if who == player
            and game in (None, result.game)
            and (cursor is None or _age(result) < (cursor.moment, cursor.table))
        ][::-1]
        items = tuple(found[:limit])
        more = len(found) > limit
        return Page(items=items, next=MomentCursor(*_age(items[-1])) if more else None)

    def _results(self) -> Iterator[tuple[PlayerId, Result]]:
        """Every result that is served, and whose it is, the oldest first."""
        build = self._models.served()
        for ended, match in _matches(build):
            for each in match.finishers:
                rating = build.ratings.get((ended.table, each.player))
                yield each.player, _result(ended, match, each, rating)

    def _standings(self) -> list[Standing]:
        mine: dict[tuple[PlayerId, str], list[Result]] = {}
        for player, result in self._results():
            mine.setdefault((player, result.game), []).append(result)
        return [
            Standing(
                player=player,
                game=game,
                games=len(results),
                wins=sum(it.won for it in results),
                shared_wins=sum(it.shared for it in results),
                scores=sum(it.score for it in results),
                places=sum(it.place for it in results),
                rated_games=sum(it.rated for it in results),
                worth=next((it.rating.worth for it in results[::-1] if it.rating), 0),
            )
            for (player, game), results in mine.items()
        ]


def _matches(build: Build) -> Iterator[tuple[TableSummary, Match]]:
    """The matches that have ended, in order."""
    for ended in sorted(build.ended.values(), key=order):
        if ended.match:
            yield ended, ended.match


def _waiting(build: Build) -> Iterator[tuple[TableSummary, Match]]:
    """Those that are to be rated."""
    for ended, match in _matches(build):
        first = (ended.table, match.finishers[0].player) if match.rated else None
        if first and first not in build.ratings:
            yield ended, match


def _result(
    ended: TableSummary, match: Match, each: Finisher, rating: Rating | None
) -> Result:
    return Result(
        table=ended.table,
        game=ended.game,
        ended_at=match.ended_at,
        seats=ended.seats,
        seat=each.seat,
        score=each.score,
        place=each.place,
        won=each.won,
        shared=each.shared,
        rated=match.rated,
        rating=rating,
    )


def _rank(standing: Standing) -> tuple[int, PlayerId]:
    return -standing.worth, standing.player


def _age(result: Result) -> tuple[datetime, TableId]:
    return result.ended_at, result.table
