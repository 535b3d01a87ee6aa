"""What playing a card now costs, in points; the steady player plays what costs least.

The cost is what the trick is likely to bring, less the danger that the card would be if
it were kept, less what it does to an opponent. The weights are rules of thumb, settled
by playing thousands of deals against other weights.
"""

from typing import Final

from domain.black_lady import HEARTS, PENALTIES, points
from domain.black_lady.moons import MOON
from domain.cards import Card, Holding, Suit, holding
from domain.counting import chance_of_winning, height, runs
from domain.games.hearts.counting import Count, shooter, worth
from domain.games.hearts.state import JACK, QUEEN
from domain.ids import Seat

HIGH_SPADES: Final[Holding] = Card.KING_OF_SPADES.bit | Card.ACE_OF_SPADES.bit
LOW_SPADES: Final[Holding] = Suit.SPADES.all & (QUEEN - 1)


def cost(count: Count, card: Card) -> float:
    """What playing this card now is likely to cost."""
    wins = chance_of_winning(count, card)
    return (
        wins * price(count, card)
        - (1 - wins) * gift(count, card)
        - danger(count, card)
        - flushing(count, card)
    )


def price(count: Count, card: Card) -> float:
    """What the trick costs if this card wins it."""
    there = holding((*count.trick, card))
    total = worth(count, there) + fallout(count, card)
    if not count.is_clean:
        total += 0.6  # The winner must lead next.
    if not count.won[count.seat]:
        total -= 0.3 * count.options.no_trick_bonus
    rival = shooter(count)
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
    value = worth(count, card.bit)
    rival = shooter(count)
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
    share = (count.points[rival] + points(holding(count.trick))) / MOON
    return 20 * share**3


def flushing(count: Count, card: Card) -> float:
    """What it is worth to lead a low spade that may drive out the queen."""
    if count.trick or card.suit is not Suit.SPADES or not count.out & QUEEN:
        return 0.0
    return 0.0 if count.hand & HIGH_SPADES else 2.0


def danger(count: Count, card: Card) -> float:
    """What the card is likely to cost later, if it is kept."""
    hand, unseen = count.hand, count.hand | count.out
    if card.suit is Suit.SPADES and unseen & QUEEN:
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
    if card.suit is Suit.DIAMONDS and unseen & JACK:
        total -= _hope_of_jack(count, card)
    # What wins late can stop a moon.
    return total - 0.5 * beats * threat(count, shooter(count))


def _spade_danger(hand: Holding, card: Card) -> float:
    """The queen and what she falls under are dangers; low spades guard them."""
    guards = (hand & LOW_SPADES).bit_count()
    if card.bit == QUEEN:
        return 4 + 9 / (1 + guards)
    if card.bit & HIGH_SPADES:
        return (3 if hand & QUEEN else 7) / (1 + guards)
    return -1.0 if hand & (QUEEN | HIGH_SPADES) else 0.3


def _hope_of_jack(count: Count, card: Card) -> float:
    """What a diamond is worth for taking the jack's bonus later."""
    bonus = -worth(count, JACK)
    if card.bit == JACK:
        return 0.6 * bonus
    if card.bit < JACK:
        return 0.0
    return (0.1 if count.hand & JACK else 0.3) * bonus


def is_running(count: Count) -> bool:
    """Whether the seat, on lead with all points so far, can take every other trick."""
    options = count.options
    if count.trick or options.moon == "none" or options.slam_needs_bonus:
        return False
    if sum(count.points) > count.points[count.seat]:
        return False
    return all(runs(count, suit) for suit in Suit if count.hand & suit.all)
