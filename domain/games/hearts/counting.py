"""What a seat can work out of a deal of Hearts beside which cards are where."""

from typing import TYPE_CHECKING

from msgspec import convert
from msgspec.structs import asdict

from domain.black_lady import counting, points
from domain.cards import Holding
from domain.games.hearts.options import Options
from domain.games.hearts.state import JACK
from domain.packs import PACK

if TYPE_CHECKING:
    from domain.sight import Sight


class Count(counting.Count, frozen=True, kw_only=True):
    """A deal of Hearts as a seat that counts cards knows it."""

    options: Options

    @property
    def is_clean(self) -> bool:
        """Whether no points can be discarded on this trick (HE-R12)."""
        return self.is_first and not self.options.points_on_first_trick

    def worth(self, held: Holding) -> int:
        """What cards cost whoever takes them: their points, less the jack's bonus.

        Where the bonus stops at zero it is only worth the points there are (X-5).
        """
        cost = points(held)
        if held & JACK:
            bonus = -self.options.jack_of_diamonds
            if self.options.jack_floor:
                bonus = min(bonus, cost + self.points[self.seat] + 2)
            cost -= bonus
        return cost


def count(sight: "Sight") -> Count:
    """What the seat that has this sight knows of the deal that is on."""
    options = convert(sight.options, Options)
    slam = options.slam_needs_bonus and options.jack_of_diamonds != 0
    moon_counts = options.moon != "none" or slam
    known = counting.count(sight, PACK[sight.seats], moon_counts=moon_counts)
    return Count(**asdict(known), options=options)
