"""The steady player of Agony Aunt: counts cards and squares, ducks, and sheds."""

from typing import TYPE_CHECKING

from domain.cards import Card
from domain.commands import Move, Play
from domain.counting import best, chance_of_winning
from domain.games.agony_aunt.counting import count
from domain.games.agony_aunt.joker import as_played
from domain.games.agony_aunt.weighing import cost, is_sweeping

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
    sweeping = is_sweeping(known)

    def value(card: Card) -> float:
        played = as_played(card, known.turned)
        return chance_of_winning(known, played) if sweeping else -cost(known, played)

    cards = [move.card for move in decision.legal if isinstance(move, Play)]
    return Play(card=best(cards, value, chance))
