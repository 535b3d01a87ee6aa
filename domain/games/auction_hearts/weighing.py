"""What playing a card now costs, in chips; the steady player plays what costs least.

The cost is what the trick is likely to bring to the seat, or else to another that may
be clear of the suit, less the danger that the card would be if it were kept.
"""

from domain.cards import Card, holding
from domain.counting import chance_of_winning, height
from domain.games.auction_hearts.counting import Count
from domain.games.auction_hearts.prospects import prize, prospect
from domain.ids import Seat


def cost(count: Count, card: Card) -> float:
    """What playing this card now is likely to cost."""
    wins = chance_of_winning(count, card)
    there = (holding((*count.trick, card)) & count.costly).bit_count()
    more = discards(count, card)
    some = 1.0 if there else min(more, 1.0)
    taking = some * loss(count, count.seat) + (there + more) * price(count)
    takers = [seat for seat in _takers(count) if seat != count.seat]
    giving = some * sum(loss(count, seat) for seat in takers) / max(len(takers), 1)
    return wins * taking + (1 - wins) * giving - danger(count, card)


def loss(count: Count, taker: Seat) -> float:
    """What a first card of the suit costs this seat in the pool, whoever takes it.

    It is below zero where it is good that the taker is no longer clear.
    """
    return prospect(count, count.clear) - prospect(count, count.clear - {taker})


def price(count: Count) -> float:
    """What each card of the suit costs its taker beside that.

    Where the fewest win the pool, each card makes that less likely.
    """
    options = count.options
    if options.settlement == "howell":
        return count.seats
    if options.settlement == "auction" and options.fewest_wins:
        return 1 + prize(count) / 20
    return 1


def discards(count: Count, card: Card) -> float:
    """How many cards of the suit those behind are likely to add to the trick."""
    led = (count.trick[0] if count.trick else card).suit
    heap = min((count.out & count.costly).bit_count() / 4, 0.9)
    total = 0.0
    for seat in count.behind:
        void = count.chance_of_void(seat, led)
        if led.all & count.costly:
            total += 1 - void
        elif not count.voids[seat] & count.costly:
            total += void * heap
    return total


def _takers(count: Count) -> tuple[Seat, ...]:
    """Who may take the trick beside the seat itself."""
    return (count.winning, *count.behind) if count.trick else count.behind


def danger(count: Count, card: Card) -> float:
    """What the card is likely to cost later, if it is kept."""
    hand = count.hand
    left = ((hand | count.out) & count.costly).bit_count()
    if not left:
        return 0.0
    lost = max(loss(count, count.seat), 0.0)
    stakes = (lost + left / count.seats * price(count)) / hand.bit_count()
    if not count.out & card.suit.all:
        return 0.3 * stakes
    beats = height(count.out, card)
    length = (hand & card.suit.all).bit_count()
    guarded = 0.5 * (1 + length)
    if card.bit & count.costly:
        return (lost / 8 + 2 * stakes + price(count)) * beats / guarded + 0.1
    # A short suit is soon gone, and then there are discards.
    return 2.4 * stakes * beats / guarded + 0.6 / length**2
