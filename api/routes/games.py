"""The games that are played here: their options, presets and rules."""

from typing import Any

import msgspec
from litestar import Response
from msgspec import Struct

from api.calls import Call, lasting
from api.operations import Operation
from domain.games import GAMES
from domain.games.game import Game
from services.errors import NotFound


class Seats(Struct, frozen=True):
    """How many can play."""

    min: int
    max: int


class GameShape(Struct, frozen=True):
    """A game. `options_schema` is the JSON Schema of a table's `options`."""

    game: str
    rules_version: int
    title: str
    seats: Seats
    usual_seats: int
    default_preset: str
    presets: dict[str, Any]
    options_schema: dict[str, Any]
    commands: tuple[str, ...]


class GamesAnswer(Struct, frozen=True):
    """All games."""

    items: tuple[GameShape, ...]
    next: None = None


class RuleShape(Struct, frozen=True):
    """A rule, by the id that refusals name."""

    id: str
    text: str


class RulesAnswer(Struct, frozen=True):
    """All rules of a game."""

    items: tuple[RuleShape, ...]
    next: None = None


async def list_games(_call: Call) -> Response[bytes]:
    """List the games that are played here."""
    return lasting(GamesAnswer(tuple(map(_shape, GAMES.values()))))


async def read_game(call: Call) -> Response[bytes]:
    """Read a game: its seats, presets, options and moves."""
    return lasting(_shape(_game(call)))


async def list_rules(call: Call) -> Response[bytes]:
    """List the rules of a game, by the ids that refusals name."""
    rules = _game(call).rules
    return lasting(RulesAnswer(tuple(RuleShape(*rule) for rule in rules.items())))


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
        seats=Seats(game.min_seats, game.max_seats),
        usual_seats=game.usual_seats,
        default_preset=game.default_preset,
        presets={name: msgspec.to_builtins(o) for name, o in game.presets.items()},
        options_schema=schemas["Options"],
        commands=tuple(str(move.__struct_config__.tag) for move in game.moves),
    )


OPERATIONS = (
    Operation(method="GET", path="/v1/games", handler=list_games, answer=GamesAnswer),
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
        answer=RulesAnswer,
        problems=("not-found",),
    ),
)
