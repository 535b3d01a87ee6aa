"""Standings: where players stand in each game, and the results that led there.

Only matches of public tables that were played to their end count, and the server's own
bots stand nowhere. Ratings come of matches at rated tables with two players or more.
"""

from collections.abc import Sequence

from msgspec import Struct

from api import cursors
from api.answers import Answer, answer
from api.calls import Call
from api.cursors import Paged
from api.operations import Operation
from api.presenting import result_shape, standing_shapes
from api.routes.games import check_game
from api.routes.players import known_player
from api.shapes import GameName, ResultShape, StandingShape
from services.read_models import MomentCursor
from services.standings import Standing, StandingCursor


class StandingsQuery(Paged, frozen=True, kw_only=True):
    """Which game's standings to list."""

    game: GameName


class ResultsQuery(Paged, frozen=True, kw_only=True):
    """Which results to list: those of a game, or of all."""

    game: GameName | None = None


class StandingsAnswer(Struct, frozen=True):
    """Where players stand."""

    items: tuple[StandingShape, ...]
    next: str | None


class ResultsAnswer(Struct, frozen=True):
    """A player's results, the newest first."""

    items: tuple[ResultShape, ...]
    next: str | None


async def list_standings(call: Call) -> Answer:
    """List who stands where in a game, the best rating first.

    All who have finished a match of it are listed; who is not rated yet has the rating
    0, with which everybody begins. Equal ratings go by the players' ids.
    """
    query = call.query(StandingsQuery)
    check_game(query.game)
    await call.house.projector.catch_up()
    page = await call.house.standings.standings(
        query.game, query.limit, cursors.read(query.cursor, StandingCursor)
    )
    return await _standings(call, page.items, cursors.written(page.next))


async def list_standings_of_player(call: Call) -> Answer:
    """List where a player stands in each game that he has finished a match of."""
    player = await known_player(call)
    query = call.query(Paged)
    await call.house.projector.catch_up()
    found = await call.house.standings.standings_of(player.id)
    return await _standings(call, *cursors.part(found, query))


async def list_results_of_player(call: Call) -> Answer:
    """List a player's results, the newest first.

    A result is there once its match has ended; a table that was abandoned leaves none.
    """
    player = await known_player(call)
    query = call.query(ResultsQuery)
    check_game(query.game)
    await call.house.projector.catch_up()
    page = await call.house.standings.results_of(
        player.id, query.game, query.limit, cursors.read(query.cursor, MomentCursor)
    )
    shapes = tuple(map(result_shape, page.items))
    return answer(ResultsAnswer(shapes, cursors.written(page.next)))


async def _standings(
    call: Call, found: Sequence[Standing], following: str | None
) -> Answer:
    shapes = await standing_shapes(call.house, found)
    return answer(StandingsAnswer(tuple(shapes), following))


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/standings",
        handler=list_standings,
        query=StandingsQuery,
        answer=StandingsAnswer,
    ),
    Operation(
        method="GET",
        path="/v1/players/{player}/standings",
        handler=list_standings_of_player,
        query=Paged,
        answer=StandingsAnswer,
        problems=("not-found",),
    ),
    Operation(
        method="GET",
        path="/v1/players/{player}/results",
        handler=list_results_of_player,
        query=ResultsQuery,
        answer=ResultsAnswer,
        problems=("not-found",),
    ),
)
