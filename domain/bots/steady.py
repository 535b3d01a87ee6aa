"""The bot `steady`: plays each game as the game's own strategy says."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, get_type_hints

from domain.commands import Move
from domain.games import GAMES
from domain.games.game import GameView
from domain.sight import Sight

if TYPE_CHECKING:
    from random import Random

_STRATEGIES: Final[Mapping[type[GameView], Callable[[Sight, "Random"], Move]]] = {
    get_type_hints(game.view)["return"]: game.steady for game in GAMES.values()
}
"""How to play, by what a seat is shown: each game has a view of its own."""


def choose(sight: Sight, chance: "Random") -> Move:
    """A good move at the open decision of the seat."""
    if sight.view.deal is None:
        raise LookupError("no deal is on")
    return _STRATEGIES[type(sight.view.deal.game)](sight, chance)
