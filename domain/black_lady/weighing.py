"""What a card brings and costs in a trick, in points, where the Black Lady is about.

The weights are rules of thumb, settled by playing thousands of deals of Hearts against
other weights.
"""

from typing import Final

from domain.black_lady import HEARTS, PENALTIES, QUEENS, points
from domain.black_lady.counting import Count
from domain.cards import Card, Holding, Suit, holding, merged
from domain.counting import height
from domain.ids import Seat

HIGH_SPADES: Final[Holding] = holding(map(Card, ("KS", "KS", "AS", "AS")))
LOW_SPADES: Final[Holding] = Suit.SPADES.all & ~(HIGH_SPADES | QUEENS)

GUARDS: Final = 3
"""How many low spades make the queen, king and ace of spades safe to keep."""

SHORT: Final = 4
"""A suit with fewer cards than this may be passed until none is left."""


def price(count: Count, card: Card) -> float:
    """What the trick costs if this card wins it."""
    there = merged(count.stakes, card.bit)
    total = count.worth(there) + fallout(count, card)
    if not count.is_clean:
        total += 0.6  # The winner must lead next.
    rival = count.rival
    if rival in (count.winning, *count.behind) and there & PENALTIES:
        total -= threat(count, rival)
    return total


def fallout(count: Count, card: Card) -> float:
    """What those behind are likely to add to a trick that this card wins."""
    led = count.trick[0].suit if count.trick else card.suit
    heart = min((count.out & HEARTS).bit_count() / 4, 0.9)
    total = 0.0
    for seat in count.behind:
        void = count.chance_of_void(seat, led)
        queen = count.chance_of_queen(seat)
        if led is Suit.HEARTS:
            total += 1 - void
        elif card.bit & HIGH_SPADES:
            total += 0.8 * 13 * queen
        if not count.is_clean:
            total += void * (13 * queen + (1 - queen) * heart)
    return total


def gift(count: Count, card: Card) -> float:
    """What it is worth that the card goes to somebody else, best of all to the leader.

    While somebody may be shooting the moon, a point helps them, or stops them where it
    goes to anybody else.
    """
    value = count.worth(card.bit)
    rival = count.rival
    if rival is not None and value > 0:
        if rival == count.winning:
            return -value * threat(count, rival) / 13
        return value / 3 + threat(count, rival) / 2
    others = (score for seat, score in enumerate(count.scores) if seat != count.seat)
    return value * (0.45 if count.scores[count.winning] == min(others) else 0.35)


def threat(count: Count, rival: Seat | None) -> float:
    """What the moon that a rival may be shooting is likely to cost, with this trick."""
    if rival is None:
        return 0.0
    there = count.points[rival] + points(count.stakes)
    share = there / (sum(count.points) + points(count.to_come))
    return 20 * share**3


def flushing(count: Count, card: Card) -> float:
    """What it is worth to lead a low spade that may drive out the queen."""
    if count.trick or card.suit is not Suit.SPADES or not count.out & QUEENS:
        return 0.0
    return 0.0 if count.hand & HIGH_SPADES else 2.0


def danger(count: Count, card: Card) -> float:
    """What the card is likely to cost later, if it is kept."""
    hand, unseen = count.hand, merged(count.hand, count.out)
    if card.suit is Suit.SPADES and unseen & QUEENS:
        return _spade_danger(hand, card)
    stakes = points(unseen) / hand.bit_count()
    if not count.out & card.suit.all:
        return 0.3 * stakes
    beats = height(count.out, card)
    length = (hand & card.suit.all).bit_count()
    guarded = 0.5 * (1 + length)
    if card.suit is Suit.HEARTS:
        total = (stakes + 2) * beats / guarded
    else:
        # A short suit is soon gone, and then there are discards.
        total = stakes * beats / guarded + 1 / length**2
    # What wins late can stop a moon.
    return total - 0.5 * beats * threat(count, count.rival)


def _spade_danger(hand: Holding, card: Card) -> float:
    """The queen and what she falls under are dangers; low spades guard them."""
    guards = (hand & LOW_SPADES).bit_count()
    if card.bit & QUEENS:
        return 4 + 9 / (1 + guards)
    if card.bit & HIGH_SPADES:
        return (3 if hand & QUEENS else 7) / (1 + guards)
    return -1.0 if hand & (QUEENS | HIGH_SPADES) else 0.3


def burden(count: Count, hand: Holding, card: Card) -> float:
    """How much better a hand is without a card, before the first trick."""
    if card.suit is Suit.SPADES:
        return _spade_burden(hand, card)
    length = (hand & card.suit.all).bit_count()
    high = height(count.out, card) / (0.6 + 0.4 * length)
    if card.suit is Suit.HEARTS:
        return 8 * high + 1
    return 7 * high + 2 * max(SHORT - length, 0)


def _spade_burden(hand: Holding, card: Card) -> float:
    """The queen goes first, then ace and king, unless low spades guard them."""
    if card.bit & LOW_SPADES:
        return -10.0
    if (hand & LOW_SPADES).bit_count() >= GUARDS:
        return -5.0
    return 30.0 if card.bit & QUEENS else 20.0
