"""What a seat can work out of a deal: which cards are out, and who may hold them.

All of it follows from the seat's own cards and the public tricks, as any player counts.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import Struct

from domain.cards import SECOND, Card, Holding, Suit, holding, less, merged
from domain.ids import Seat
from domain.seating import seat_after

if TYPE_CHECKING:
    from random import Random

    from domain.sight import Sight

T = TypeVar("T")

UNDER: Final = 0.8
"""How likely who has a bad card lets it fall under a higher one of its suit."""


class Count(Struct, frozen=True, kw_only=True):
    """A deal as a seat that counts cards knows it.

    `out` are the cards in the other hands, and where else nobody has looked. `trick`
    are the cards on the table, which `leader` led; `behind` are the seats still to play
    after this one. `voids` are, by seat, the suits that it has failed to follow (all
    for the seat itself, whose hand is known); `won` is how many tricks it has taken.
    `is_first` says whether this is the first trick of the deal.
    """

    seat: Seat
    seats: int
    hand: Holding
    out: Holding
    leader: Seat
    trick: tuple[Card, ...]
    behind: tuple[Seat, ...]
    voids: tuple[Holding, ...]
    won: tuple[int, ...]
    is_first: bool

    @property
    def winning(self) -> Seat:
        """Whose card wins the trick so far; the seat itself where nobody's does."""
        best = self.best
        if best is None:
            return self.seat
        return seat_after(self.leader, self.trick.index(best), self.seats)

    @property
    def best(self) -> Card | None:
        """The card that wins the trick so far, if one does."""
        if not self.trick:
            return None
        followed = [card for card in self.trick if card.suit is self.trick[0].suit]
        return max(followed, key=lambda card: card.rank)

    def possible_holders(self, cards: Holding) -> int:
        """How many other seats may hold any of these cards, all of one suit."""
        return sum(not voids & cards for voids in self.voids)

    def chance_of_void(self, seat: Seat, suit: Suit) -> float:
        """How likely a seat has none of a suit, if the cards out lie at random."""
        missing = self.out & suit.all
        if not missing or self.voids[seat] & suit.all:
            return 1.0
        holders = self.possible_holders(suit.all)
        return float((1 - 1 / holders) ** missing.bit_count())


def itself(card: Card) -> Card:
    """The card as which a card counts where each counts as what it is."""
    return card


def count(
    sight: "Sight", pack: Holding, counts_as: Callable[[Card], Card] = itself
) -> Count:
    """What the seat that has this sight knows of the deal that is on, of this pack.

    A Joker that stands for a card of the pack is counted as that card by `counts_as`.
    """
    deal = sight.view.deal
    if deal is None:
        raise LookupError("no deal is in sight")
    seat, seats = sight.seat, sight.seats
    leader = seat if deal.trick.leader is None else deal.trick.leader
    trick = tuple(counts_as(play.card) for play in deal.trick.plays)
    hand = holding(map(counts_as, deal.hand or ()))
    seen = merged(holding(trick), hand)
    voids = [0] * seats
    _note_voids(voids, leader, trick)
    for over in sight.tricks:
        cards = tuple(map(counts_as, over.cards))
        seen = merged(seen, holding(cards))
        _note_voids(voids, over.leader, cards)
    voids[seat] = pack
    return Count(
        seat=seat,
        seats=seats,
        hand=hand,
        out=less(pack, seen),
        leader=leader,
        trick=trick,
        behind=tuple(
            seat_after(seat, steps, seats) for steps in range(1, seats - len(trick))
        ),
        voids=tuple(voids),
        won=deal.tricks_taken,
        is_first=not sight.tricks,
    )


def _note_voids(voids: list[Holding], leader: Seat, cards: tuple[Card, ...]) -> None:
    """Add the suit led to the voids of those who did not follow it (CM-4)."""
    for place, card in enumerate(cards):
        if card.suit is not cards[0].suit:
            voids[(leader + place) % len(voids)] |= cards[0].suit.all


def height(cards: Holding, card: Card) -> float:
    """Which share of these cards of its suit the card beats: all if there are none."""
    of_suit = cards & card.suit.all
    below = (card.bit - 1) * (1 + (1 << SECOND))
    return (of_suit & below).bit_count() / of_suit.bit_count() if of_suit else 1.0


def chance_of_winning(count: Count, card: Card) -> float:
    """How likely the card takes the trick, if those behind duck when they can."""
    best = count.best
    if best and (card.suit is not best.suit or card.rank < best.rank):
        return 0.0
    return chance_of_holding(count, card)


def chance_of_holding(count: Count, card: Card) -> float:
    """How likely a card that is the best stays so, if those behind duck."""
    over = (1 - height(count.out, card)) ** 2.2
    chance = 1.0
    if over:
        for seat in count.behind:
            chance *= 1 - over * (1 - count.chance_of_void(seat, card.suit))
    return chance


def falling(count: Count, bad: Card, card: Card) -> float:
    """How likely those behind play a card that is out to a trick that `card` wins."""
    led = count.trick[0].suit if count.trick else card.suit
    holders = count.possible_holders(bad.bit)
    total = 0.0
    for seat in count.behind:
        if count.voids[seat] & bad.bit:
            continue
        if bad.suit is not led:
            total += count.chance_of_void(seat, led) / holders
        elif bad.rank < card.rank:
            total += UNDER / holders
    return total


def runs(count: Count, suit: Suit) -> bool:
    """Whether the top cards of a suit draw all that is out of it, however it lies."""
    mine, theirs = count.hand & suit.all, count.out & suit.all
    tops = (mine >> theirs.bit_length()).bit_count()
    return tops >= min(mine.bit_count(), theirs.bit_count())


def best(choices: Iterable[T], value: Callable[[T], float], chance: "Random") -> T:
    """The choice of the highest value, or one of those that have it."""
    valued = [(value(choice), choice) for choice in choices]
    highest = max(value for value, _ in valued)
    equals = [choice for value, choice in valued if value == highest]
    return equals[0] if len(equals) == 1 else chance.choice(equals)
