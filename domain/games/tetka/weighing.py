"""What playing a card now costs, in marks; the steady player plays what costs least.

The cost is what the trick is likely to bring, less the danger that the card would be if
it were kept, less what it does to an opponent. The weights are rules of thumb, settled
by playing thousands of deals against other weights.
"""

from domain.cards import Card
from domain.counting import chance_of_winning, falling, height
from domain.games.tetka.counting import Count
from domain.games.tetka.marks import LAST_TRICK


def cost(count: Count, card: Card) -> float:
    """What playing this card now is likely to cost."""
    wins = chance_of_winning(count, card)
    return (
        wins * price(count, card) - (1 - wins) * gift(count, card) - danger(count, card)
    )


def price(count: Count, card: Card) -> float:
    """What the trick costs if this card wins it."""
    there = sum(map(count.marks_on, (*count.trick, card)))
    return there + count.marks_of_number() + fallout(count, card) + burden(count)


def fallout(count: Count, card: Card) -> float:
    """What those behind are likely to add to a trick that this card wins."""
    return sum(
        falling(count, marked, card) * count.marks_on(marked)
        for marked in count.marked(count.out)
    )


def burden(count: Count) -> float:
    """What a trick costs for its own sake: one towards most tricks, and the lead."""
    mine = count.won[count.seat] + 1
    most = max(won for seat, won in enumerate(count.won) if seat != count.seat)
    to_come = LAST_TRICK - count.number
    if mine + to_come < most:
        return 0.02
    if mine > most + to_come:
        return 0.1
    ahead = mine - most
    return 0.3 if ahead >= 0 else 0.3 / (1 - ahead)


def gift(count: Count, card: Card) -> float:
    """What it is worth that the card goes to somebody else, best of all to the first.

    While others are still to play, whose card is the best so far stands for them.
    """
    others = (it for seat, it in enumerate(count.standing) if seat != count.seat)
    first = count.standing[count.winning] == min(others)
    return count.marks_on(card) * (0.45 if first else 0.35)


def danger(count: Count, card: Card) -> float:
    """What the card is likely to cost later, if it is kept."""
    suit = card.suit.all
    hand, out = count.hand & suit, count.out & suit
    length = hand.bit_count()
    if not out:
        return 0.1 + 0.5 * count.marks_on(card)
    exposed = height(count.out, card) / (0.5 * (1 + length))
    below = count.marked(out & (card.bit - 1))
    stakes = 0.5 + sum(map(count.marks_on, below))
    own = count.marks_on(card) * (0.3 + 0.7 * exposed)
    return stakes * exposed + own + 0.08 / length**2
