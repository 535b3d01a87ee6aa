"""What a seat can work out of a deal of Hearts beside which cards are where."""

from typing import TYPE_CHECKING

from msgspec import convert
from msgspec.structs import asdict

from domain import counting
from domain.black_lady import PENALTIES, points
from domain.cards import Holding, Suit, holding
from domain.games.hearts.options import Options
from domain.games.hearts.state import JACK, QUEEN
from domain.games.hearts.view import HeartsView
from domain.ids import Seat
from domain.packs import PACK

if TYPE_CHECKING:
    from domain.sight import Sight


class Count(counting.Count, frozen=True, kw_only=True):
    """A deal of Hearts as a seat that counts cards knows it.

    `passed_to` was given the cards `given`, and holds them. `points` are, by seat,
    those taken in the deal; `scores` are the match's.
    """

    options: Options
    passed_to: Seat | None
    given: Holding
    points: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def is_clean(self) -> bool:
        """Whether no points can be discarded on this trick (HE-R12)."""
        return self.is_first and not self.options.points_on_first_trick

    @property
    def queen_is_out(self) -> bool:
        """Whether another hand holds the queen of spades."""
        return bool(self.out & QUEEN)

    def chance_of_void(self, seat: Seat, suit: Suit) -> float:
        """How likely a seat has none of a suit, which it has if a card was passed."""
        if seat == self.passed_to and self.given & suit.all:
            return 0.0
        return super().chance_of_void(seat, suit)

    def chance_of_queen(self, seat: Seat) -> float:
        """How likely a seat holds the queen of spades: surely, if it was given her."""
        if not self.queen_is_out or self.voids[seat] & QUEEN:
            return 0.0
        if self.given & QUEEN:
            return float(seat == self.passed_to)
        return 1 / self.possible_holders(QUEEN)


def count(sight: "Sight") -> Count:
    """What the seat that has this sight knows of the deal that is on."""
    deal = sight.view.deal
    if deal is None or not isinstance(deal.game, HeartsView):
        raise TypeError("no deal of Hearts is in sight")
    known = counting.count(sight, PACK[sight.seats])
    return Count(
        **asdict(known),
        options=convert(sight.options, Options),
        passed_to=deal.game.pass_to,
        given=holding(deal.game.given or ()) & known.out,
        points=deal.game.points,
        scores=sight.view.scores,
    )


def worth(count: Count, held: Holding) -> int:
    """What cards cost whoever takes them: their points, less the jack's bonus.

    Where the bonus stops at zero it is only worth the points there are (X-5).
    """
    cost = points(held)
    if held & JACK:
        bonus = -count.options.jack_of_diamonds
        if count.options.jack_floor:
            bonus = min(bonus, cost + count.points[count.seat] + 2)
        cost -= bonus
    return cost


def shooter(count: Count) -> Seat | None:
    """Another seat that has all the points taken so far, where a moon counts."""
    options = count.options
    slam = options.slam_needs_bonus and options.jack_of_diamonds
    if options.moon == "none" and not slam:
        return None
    to_come = count.out | count.hand | holding(count.trick)
    total = sum(count.points)
    if not total or not to_come & PENALTIES or count.points[count.seat]:
        return None
    first = Seat(count.points.index(max(count.points)))
    return first if count.points[first] == total else None
