"""The bot `steady`: plays each game as the game's own strategy says."""

from typing import TYPE_CHECKING

from domain.commands import Move
from domain.games import GAMES
from domain.sight import Sight

if TYPE_CHECKING:
    from random import Random


def choose(sight: Sight, chance: "Random") -> Move:
    """A good move at the open decision of the seat."""
    return GAMES[sight.game].steady(sight, chance)
