"""The bot `random`: any legal move that is honest, each as likely as the others."""

from typing import TYPE_CHECKING

from domain.commands import Move
from domain.games import GAMES
from domain.sight import Sight

if TYPE_CHECKING:
    from random import Random


def choose(sight: Sight, chance: "Random") -> Move:
    """One of the moves at the open decision of the seat."""
    decision = sight.view.decision
    if decision is None:
        raise LookupError("no decision of the seat is open")
    if decision.choices is not None:
        return decision.choices.at_random(chance)
    return chance.choice(GAMES[sight.game].honest(sight))
