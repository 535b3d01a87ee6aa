"""The steady player of Agony Aunt: counts cards and squares, ducks, and sheds."""

from typing import TYPE_CHECKING

from domain.commands import Move, Play
from domain.counting import best
from domain.games.agony_aunt.counting import count
from domain.games.agony_aunt.joker import as_played
from domain.games.agony_aunt.weighing import cost

if TYPE_CHECKING:
    from random import Random

    from domain.sight import Sight


def choose(sight: "Sight", chance: "Random") -> Move:
    """A good move at the open decision of the seat; `chance` decides between equals."""
    decision = sight.view.decision
    if decision is None:
        raise LookupError("no decision of the seat is open")
    if len(decision.legal) == 1:
        return decision.legal[0]
    known = count(sight)
    cards = [move.card for move in decision.legal if isinstance(move, Play)]
    return Play(
        card=best(
            cards, lambda card: -cost(known, as_played(card, known.turned)), chance
        )
    )
