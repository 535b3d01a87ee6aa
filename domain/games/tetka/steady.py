"""The steady player of Tetka: counts, ducks, and sheds what costs marks on others."""

from typing import TYPE_CHECKING

from domain.commands import Move, Play
from domain.counting import best
from domain.games.tetka.counting import count
from domain.games.tetka.legality import honest
from domain.games.tetka.weighing import cost

if TYPE_CHECKING:
    from random import Random

    from domain.sight import Sight


def choose(sight: "Sight", chance: "Random") -> Move:
    """A good play at the open decision of the seat; `chance` decides between equals."""
    moves = honest(sight)
    if len(moves) == 1:
        return moves[0]
    known = count(sight)
    cards = [move.card for move in moves if isinstance(move, Play)]
    return Play(card=best(cards, lambda card: -cost(known, card), chance))
