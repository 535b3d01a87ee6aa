"""How the steady player goes about a deal with the Black Lady, whatever it weighs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from domain.black_lady.counting import Count
from domain.black_lady.moons import Choice
from domain.cards import Card, Holding, cards_of, without
from domain.commands import Move, Pass, Play, SettleMoon
from domain.counting import best
from domain.decisions import PassChoices

if TYPE_CHECKING:
    from random import Random

    from domain.sight import Sight

C = TypeVar("C", bound=Count)


@dataclass(frozen=True, kw_only=True)
class Steady(Generic[C]):
    """A player that counts, and weighs what it may do.

    `burden` is how much better a hand is without a card, `cost` what playing a card is
    likely to cost, `moon` how its moon is to count.
    """

    count: Callable[["Sight"], C]
    burden: Callable[[C, Holding, Card], float]
    cost: Callable[[C, Card], float]
    moon: Callable[["Sight", C], Choice]

    def choose(self, sight: "Sight", chance: "Random") -> Move:
        """A good move at the open decision; `chance` decides between equals."""
        decision = sight.view.decision
        if decision is None:
            raise LookupError("no decision of the seat is open")
        if isinstance(decision.choices, PassChoices):
            return self._pass(self.count(sight), decision.choices, chance)
        if len(decision.legal) == 1:
            return decision.legal[0]
        known = self.count(sight)
        cards = [move.card for move in decision.legal if isinstance(move, Play)]
        if not cards:
            return SettleMoon(how=self.moon(sight, known))
        return Play(card=best(cards, lambda card: -self.cost(known, card), chance))

    def _pass(self, count: C, choices: PassChoices, chance: "Random") -> Pass:
        """The cards that burden the hand most, one after another."""
        kept = count.hand
        passed: list[Card] = []
        while len(passed) < choices.choose:
            burden = partial(self.burden, count, kept)
            passed.append(best(cards_of(kept), burden, chance))
            kept = without(kept, passed[-1])
        return Pass(cards=tuple(passed))
