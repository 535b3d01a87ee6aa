"""What playing a card now costs, in points; the steady player plays what costs least.

The cost is what the trick is likely to bring, less the danger that the card would be if
it were kept, less what it does to an opponent. The weights are rules of thumb, settled
by playing thousands of deals against other weights.
"""

from domain.black_lady import weighing
from domain.black_lady.weighing import flushing, gift
from domain.cards import Card, Holding, Suit
from domain.counting import chance_of_winning, runs
from domain.games.hearts.counting import Count
from domain.games.hearts.state import JACK


def cost(count: Count, card: Card) -> float:
    """What playing this card now is likely to cost; less, the surer a moon wins it."""
    wins = chance_of_winning(count, card)
    if is_running(count):
        return -wins
    return (
        wins * price(count, card)
        - (1 - wins) * gift(count, card)
        - danger(count, card)
        - flushing(count, card)
    )


def price(count: Count, card: Card) -> float:
    """What the trick costs if this card wins it."""
    total = weighing.price(count, card)
    if not count.won[count.seat]:
        total -= 0.3 * count.options.no_trick_bonus
    return total


def danger(count: Count, card: Card) -> float:
    """What the card is likely to cost later, if it is kept."""
    total = weighing.danger(count, card)
    others = count.out & card.suit.all
    if card.suit is Suit.DIAMONDS and others and (count.hand | others) & JACK:
        total -= _hope_of_jack(count, card)
    return total


def _hope_of_jack(count: Count, card: Card) -> float:
    """What a diamond is worth for taking the jack's bonus later."""
    bonus = -count.worth(JACK)
    if card.bit == JACK:
        return 0.6 * bonus
    if card.bit < JACK:
        return 0.0
    return (0.1 if count.hand & JACK else 0.3) * bonus


def burden(count: Count, hand: Holding, card: Card) -> float:
    """How much better a hand is without a card, before the first trick."""
    total = weighing.burden(count, hand, card)
    if card.bit == JACK:
        return total + 1.5 * count.options.jack_of_diamonds
    if card.suit is Suit.DIAMONDS and card.bit > JACK:
        return total + count.options.jack_of_diamonds / 2
    return total


def is_running(count: Count) -> bool:
    """Whether the seat, on lead with all points so far, can take every other trick."""
    options = count.options
    if count.trick or options.moon == "none" or options.slam_needs_bonus:
        return False
    if sum(count.points) > count.points[count.seat]:
        return False
    return all(runs(count, suit) for suit in Suit if count.hand & suit.all)
