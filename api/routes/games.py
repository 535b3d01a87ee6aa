"""The games that are played here: their options, presets and rules."""

from typing import Any

import msgspec
from msgspec import Struct

from api import cursors
from api.answers import Answer, lasting
from api.calls import Call
from api.cursors import Paged
from api.operations import Operation
from api.problems import BadRequest
from domain.game import Game
from domain.games import GAMES
from services.errors import NotFound


class SeatBounds(Struct, frozen=True):
    """How many can play."""

    min: int
    max: int


class GameShape(Struct, frozen=True):
    """A game. `options_schema` is the JSON Schema of a table's `options`."""

    game: str
    rules_version: int
    title: str
    seats: SeatBounds
    usual_seats: int
    default_preset: str
    presets: dict[str, Any]
    options_schema: dict[str, Any]
    commands: tuple[str, ...]


class GamesAnswer(Struct, frozen=True):
    """All games."""

    items: tuple[GameShape, ...]
    next: str | None


class RuleShape(Struct, frozen=True):
    """A rule, by the id that refusals name."""

    id: str
    text: str


class RulesAnswer(Struct, frozen=True):
    """All rules of a game."""

    items: tuple[RuleShape, ...]
    next: str | None


async def list_games(call: Call) -> Answer:
    """List the games that are played here."""
    games, following = cursors.part(tuple(GAMES.values()), call.query(Paged))
    return lasting(GamesAnswer(tuple(map(_shape, games)), following))


async def read_game(call: Call) -> Answer:
    """Read a game: its seats, presets, options and moves."""
    return lasting(_shape(_game(call)))


async def list_rules(call: Call) -> Answer:
    """List the rules of a game, by the ids that refusals name."""
    rules = tuple(_game(call).rules.items())
    shown, following = cursors.part(rules, call.query(Paged))
    return lasting(RulesAnswer(tuple(RuleShape(*rule) for rule in shown), following))


def check_game(name: str | None) -> None:
    """Make sure that the game which a query names, if any, is played here.

    Raises:
        BadRequest: it is not.
    """
    if name is not None and name not in GAMES:
        raise BadRequest(
            "invalid-request", "There is no such game.", field="query.game"
        )


def _game(call: Call) -> Game[Any, Any]:
    game = GAMES.get(call.text("game"))
    if game is None:
        raise NotFound("There is no such game.")
    return game


def _shape(game: Game[Any, Any]) -> GameShape:
    (_, schemas) = msgspec.json.schema_components([game.options])
    return GameShape(
        game=game.name,
        rules_version=game.rules_version,
        title=game.title,
        seats=SeatBounds(game.min_seats, game.max_seats),
        usual_seats=game.usual_seats,
        default_preset=game.default_preset,
        presets={name: msgspec.to_builtins(o) for name, o in game.presets.items()},
        options_schema=schemas["Options"],
        commands=tuple(str(move.__struct_config__.tag) for move in game.moves),
    )


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/games",
        handler=list_games,
        query=Paged,
        answer=GamesAnswer,
    ),
    Operation(
        method="GET",
        path="/v1/games/{game}",
        handler=read_game,
        answer=GameShape,
        problems=("not-found",),
    ),
    Operation(
        method="GET",
        path="/v1/games/{game}/rules",
        handler=list_rules,
        query=Paged,
        answer=RulesAnswer,
        problems=("not-found",),
    ),
)
