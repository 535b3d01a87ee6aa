"""The bot `random`: any legal move that is honest, by chance."""

from typing import TYPE_CHECKING

from domain.commands import Move
from domain.games import GAMES
from domain.sight import Sight

if TYPE_CHECKING:
    from random import Random


def choose(sight: Sight, chance: "Random") -> Move:
    """One of the moves at the open decision of the seat.

    Where some are listed and others to be chosen, either kind is as likely.
    """
    decision = sight.view.decision
    if decision is None:
        raise LookupError("no decision of the seat is open")
    choices, listed = decision.choices, GAMES[sight.game].honest(sight)
    if choices is not None and (not listed or chance.getrandbits(1)):
        return choices.at_random(chance)
    return chance.choice(listed)
