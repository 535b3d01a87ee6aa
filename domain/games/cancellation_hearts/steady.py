"""The steady player of Cancellation Hearts: counts copies, ducks, pairs, and sheds."""

from typing import TYPE_CHECKING, Final

from domain.black_lady.moons import Choice
from domain.black_lady.steady import Steady
from domain.black_lady.weighing import burden
from domain.games.cancellation_hearts.counting import Count, count
from domain.games.cancellation_hearts.scoring import sane_choice
from domain.games.cancellation_hearts.weighing import cost

if TYPE_CHECKING:
    from domain.sight import Sight


def _moon(_sight: "Sight", count: Count) -> Choice:
    """Add, but not if that ends the match with this seat not lowest (CH-R29)."""
    return sane_choice(count.options, count.scores, count.seat)


choose: Final = Steady(count=count, burden=burden, cost=cost, moon=_moon).choose
