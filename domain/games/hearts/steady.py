"""The steady player of Hearts: counts, ducks, sheds its dangers and stops a moon."""

from typing import TYPE_CHECKING, Final

from domain.black_lady.moons import Choice
from domain.black_lady.steady import Steady
from domain.cards import holding
from domain.games.hearts.counting import Count, count
from domain.games.hearts.scoring import sane_choice
from domain.games.hearts.state import HeartsState
from domain.games.hearts.weighing import burden, cost

if TYPE_CHECKING:
    from domain.sight import Sight


def _moon(sight: "Sight", count: Count) -> Choice:
    """Add, but not if that ends the match with this seat not lowest (HE-R20)."""
    taken = [0] * count.seats
    for trick in sight.tricks:
        if trick.winner is not None:
            taken[trick.winner] |= holding(trick.cards)
    state = HeartsState(
        options=count.options,
        seats=count.seats,
        scores=count.scores,
        tricks=sight.tricks,
        taken=tuple(taken),
    )
    return sane_choice(state, count.seat)


choose: Final = Steady(count=count, burden=burden, cost=cost, moon=_moon).choose
