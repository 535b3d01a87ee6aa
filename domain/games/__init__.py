"""The games, each a package of its own; here they are registered."""

from collections.abc import Mapping
from typing import Any, Final

from domain.games import hearts
from domain.games.game import Game

GAMES: Final[Mapping[str, Game[Any, Any]]] = {
    game.name: game for game in (hearts.GAME,)
}
