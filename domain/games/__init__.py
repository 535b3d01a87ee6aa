"""The games, each a package of its own; here they are registered."""

from collections.abc import Mapping
from typing import Any, Final

from domain.game import Game
from domain.games import agony_aunt, auction_hearts, cancellation_hearts, hearts, tetka

GAMES: Final[Mapping[str, Game[Any, Any]]] = {
    game.name: game
    for game in (
        hearts.GAME,
        cancellation_hearts.GAME,
        tetka.GAME,
        agony_aunt.GAME,
        auction_hearts.GAME,
    )
}
