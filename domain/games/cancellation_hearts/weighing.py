"""What playing a card now costs, in points; the steady player plays what costs least.

A card that pairs with one on the table wins nothing, and a card whose other copy is
still out may yet be cancelled. Both are weighed beside what any game of the Black Lady
has to weigh: what the trick brings, and what danger the card is if it is kept.
"""

from typing import Final

from domain.black_lady import weighing
from domain.black_lady.weighing import flushing, gift
from domain.cards import Card
from domain.counting import chance_of_holding
from domain.games.cancellation_hearts.cancelling import left_to_win
from domain.games.cancellation_hearts.counting import Count

SAFER: Final = 0.8
"""What is left of a card's danger while its other copy may cancel it."""


def cost(count: Count, card: Card) -> float:
    """What playing this card now is likely to cost."""
    wins = chance_of_winning(count, card)
    return (
        wins * price(count, card)
        - (1 - wins) * gift(count, card)
        - danger(count, card)
        - flushing(count, card)
    )


def chance_of_winning(count: Count, card: Card) -> float:
    """How likely the card takes the trick, if those behind duck when they can."""
    left = left_to_win((*count.trick, card), count.options)
    if card not in left:
        return 0.0
    chance = 1 - count.chance_of_pairing(card)
    for rival in left:
        if rival.rank > card.rank:
            chance *= count.chance_of_pairing(rival)
    return chance * chance_of_holding(count, card)


def price(count: Count, card: Card) -> float:
    """What the trick costs if this card wins it, a kitty that it takes included."""
    return weighing.price(count, card) + count.kitty_points


def danger(count: Count, card: Card) -> float:
    """What the card is likely to cost later, if it is kept."""
    total = weighing.danger(count, card)
    return SAFER * total if total > 0 and count.out & card.bit else total
