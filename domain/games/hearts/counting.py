"""What a seat can work out of a deal of Hearts: which cards are out, and where.

All of it follows from the seat's own cards and the public tricks, as any player counts.
"""

from typing import TYPE_CHECKING

from msgspec import Struct, convert

from domain.cards import Card, Holding, Suit, holding
from domain.games.hearts.legality import PACK
from domain.games.hearts.options import Options
from domain.games.hearts.scoring import points
from domain.games.hearts.state import JACK, PENALTIES, QUEEN
from domain.games.hearts.view import HeartsView
from domain.ids import Seat
from domain.seating import seat_after

if TYPE_CHECKING:
    from domain.sight import Sight


class Count(Struct, frozen=True, kw_only=True):
    """A deal as a seat that counts cards knows it.

    `out` are the cards in the other hands. `best` is the card that wins the trick so
    far, `winning` whose it is; `behind` are the seats still to play after this one.
    `voids` are, by seat, the suits that it has failed to follow (all for the seat
    itself, whose hand is known). `passed_to` was given the cards `given`, and holds
    them. `points` and `won` are, by seat, the points and tricks taken.
    """

    seat: Seat
    seats: int
    options: Options
    hand: Holding
    out: Holding
    trick: tuple[Card, ...]
    best: Card | None
    winning: Seat
    behind: tuple[Seat, ...]
    voids: tuple[Holding, ...]
    passed_to: Seat | None
    given: Holding
    points: tuple[int, ...]
    won: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def is_first(self) -> bool:
        """Whether this is the first trick of the deal."""
        return not any(self.won)

    @property
    def is_clean(self) -> bool:
        """Whether no points can be discarded on this trick (HE-R12)."""
        return self.is_first and not self.options.points_on_first_trick

    @property
    def queen_is_out(self) -> bool:
        """Whether another hand holds the queen of spades."""
        return bool(self.out & QUEEN)

    def chance_of_void(self, seat: Seat, suit: Suit) -> float:
        """How likely a seat has none of a suit, if the cards out lie at random."""
        missing = self.out & suit.all
        if not missing or self.voids[seat] & suit.all:
            return 1.0
        if seat == self.passed_to and self.given & suit.all:
            return 0.0
        holders = self.possible_holders(suit.all)
        return float((1 - 1 / holders) ** missing.bit_count())

    def chance_of_queen(self, seat: Seat) -> float:
        """How likely a seat holds the queen of spades: surely, if it was given her."""
        if not self.queen_is_out or self.voids[seat] & QUEEN:
            return 0.0
        if self.given & QUEEN:
            return float(seat == self.passed_to)
        return 1 / self.possible_holders(QUEEN)

    def possible_holders(self, cards: Holding) -> int:
        """How many other seats may hold any of these cards, all of one suit."""
        return sum(not voids & cards for voids in self.voids)


def count(sight: "Sight") -> Count:
    """What the seat that has this sight knows of the deal that is on."""
    deal = sight.view.deal
    if deal is None or not isinstance(deal.game, HeartsView):
        raise TypeError("no deal of Hearts is in sight")
    seat, seats = sight.seat, sight.seats
    leader = seat if deal.trick.leader is None else deal.trick.leader
    trick = tuple(play.card for play in deal.trick.plays)
    hand = holding(deal.hand or ())
    seen = holding(trick) | hand
    voids = [0] * seats
    _note_voids(voids, leader, trick)
    for over in sight.tricks:
        seen |= holding(over.cards)
        _note_voids(voids, over.leader, over.cards)
    voids[seat] = PACK[seats]
    out = PACK[seats] & ~seen
    best = _best(trick)
    return Count(
        seat=seat,
        seats=seats,
        options=convert(sight.options, Options),
        hand=hand,
        out=out,
        trick=trick,
        best=best,
        winning=seat_after(leader, trick.index(best), seats) if best else seat,
        behind=tuple(
            seat_after(seat, steps, seats) for steps in range(1, seats - len(trick))
        ),
        voids=tuple(voids),
        passed_to=deal.game.pass_to,
        given=holding(deal.game.given or ()) & out,
        points=deal.game.points,
        won=deal.tricks_taken,
        scores=sight.view.scores,
    )


def _best(trick: tuple[Card, ...]) -> Card | None:
    """The card that wins an unfinished trick so far."""
    if not trick:
        return None
    followed = [card for card in trick if card.suit is trick[0].suit]
    return max(followed, key=lambda card: card.rank)


def _note_voids(voids: list[Holding], leader: Seat, cards: tuple[Card, ...]) -> None:
    """Add the suit led to the voids of those who did not follow it (CM-4)."""
    for place, card in enumerate(cards):
        if card.suit is not cards[0].suit:
            voids[(leader + place) % len(voids)] |= cards[0].suit.all


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
