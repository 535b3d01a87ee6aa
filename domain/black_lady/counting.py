"""What a seat can work out of a deal with the Black Lady beside which cards are out."""

from typing import TYPE_CHECKING

from msgspec.structs import asdict

from domain import counting
from domain.black_lady import PENALTIES, QUEENS, points
from domain.black_lady.view import BlackLadyView
from domain.cards import Card, Holding, Suit, holding, merged, without
from domain.ids import Seat

if TYPE_CHECKING:
    from domain.sight import Sight


class Count(counting.Count, frozen=True, kw_only=True):
    """A deal as a seat that counts cards knows it.

    `passed_to` was given the cards `given`, and still holds them. `points` are, by
    seat, those taken in the deal; `scores` are the match's. `moon_counts` says whether
    it matters that one seat takes all the points.
    """

    passed_to: Seat | None
    given: Holding
    points: tuple[int, ...]
    scores: tuple[int, ...]
    moon_counts: bool

    @property
    def is_clean(self) -> bool:
        """Whether no points can be discarded on this trick."""
        return False

    @property
    def stakes(self) -> Holding:
        """The cards on the table that go to whoever wins this trick."""
        return holding(self.trick)

    @property
    def to_come(self) -> Holding:
        """The cards that nobody has taken yet."""
        return merged(merged(self.out, self.hand), self.stakes)

    @property
    def rival(self) -> Seat | None:
        """Another seat that has all the points taken so far, where a moon counts."""
        total = sum(self.points)
        if not self.moon_counts or not total or not self.to_come & PENALTIES:
            return None
        first = Seat(self.points.index(max(self.points)))
        alone = self.points[first] == total and first != self.seat
        return first if alone else None

    def worth(self, held: Holding) -> int:
        """What cards cost whoever takes them."""
        return points(held)

    def chance_of_void(self, seat: Seat, suit: Suit) -> float:
        """How likely a seat has none of a suit, which it has if a card was passed."""
        if seat == self.passed_to and self.given & suit.all:
            return 0.0
        return super().chance_of_void(seat, suit)

    def chance_of_queen(self, seat: Seat) -> float:
        """How likely a seat holds a queen of spades: surely, if it was given one."""
        if not self.out & QUEENS or self.voids[seat] & QUEENS:
            return 0.0
        given = (self.given & QUEENS).bit_count()
        if given and seat == self.passed_to:
            return 1.0
        elsewhere = (self.out & QUEENS).bit_count() - given
        return float(1 - (1 - 1 / self.possible_holders(QUEENS)) ** elsewhere)


def count(sight: "Sight", pack: Holding, *, moon_counts: bool) -> Count:
    """What the seat that has this sight knows of the deal that is on, of this pack."""
    deal = sight.view.deal
    if deal is None or not isinstance(deal.game, BlackLadyView):
        raise TypeError("no deal with the Black Lady is in sight")
    shown = deal.game
    given = holding(shown.given or ())
    if shown.pass_to is not None:
        for card in _played(sight, shown.pass_to):
            given = without(given, card) if given & card.bit else given
    return Count(
        **asdict(counting.count(sight, pack)),
        passed_to=shown.pass_to,
        given=given,
        points=shown.points,
        scores=sight.view.scores,
        moon_counts=moon_counts,
    )


def _played(sight: "Sight", seat: Seat) -> list[Card]:
    """The cards that a seat has played in this deal."""
    deal = sight.view.deal
    plays = deal.trick.plays if deal else ()
    return [
        *(trick.cards[(seat - trick.leader) % sight.seats] for trick in sight.tricks),
        *(play.card for play in plays if play.seat == seat),
    ]
