"""What playing a card now costs, in counters; the steady player plays what costs least.

The cost is what the trick is likely to bring, less the danger that the card would be if
it were kept, less what it does to an opponent. The weights are rules of thumb, settled
by playing thousands of deals against other weights.
"""

from collections.abc import Iterable
from typing import Final

from domain.cards import Card, Holding, Suit, cards_of, holding
from domain.counting import chance_of_winning, falling, height, runs
from domain.events import Square
from domain.games.agony_aunt.board import LINES
from domain.games.agony_aunt.counting import Count
from domain.games.agony_aunt.penalties import (
    LAST,
    QUEENS,
    squares_of_cards,
    squares_of_number,
)
from domain.ids import Seat

COUNTERS: Final = 9
"""How many counters a deal puts on the board (AA-R18)."""

LINE_BEGUN: Final = 0.15
"""What it costs to have two squares of a line that may yet become three."""

GIFT: Final = 0.35
"""How much it is worth that an opponent pays a counter."""

LEAD: Final = 0.1
"""What it costs to lead to the next trick."""

MOST: Final = 0.9
"""What a trick may cost as one of the most, once all others are won."""

HOPE: Final = 0.5
"""How much of the counters that would come back is worth counting on."""

HIGH: Final = 2.0
"""The danger of a high card in a short suit, for each counter that a trick costs."""

LOOSE: Final = 0.3
"""The danger of a card whose suit nobody else has: led it wins, but it need not be."""

KEPT: Final = 0.25
"""The danger of a card that costs a counter, with no lower one of its suit beside."""

OVER: Final = 0.5
"""The same of a card that such a one of another hand may fall under."""

SHORT: Final = 0.2
"""What it is worth to be rid of a suit, with one card of it left."""

_QUEENS: Final[Holding] = holding(QUEENS.values())


def cost(count: Count, card: Card) -> float:
    """What playing this card now is likely to cost."""
    wins = chance_of_winning(count, card)
    return (
        wins * price(count, card) - (1 - wins) * gift(count, card) - danger(count, card)
    )


def price(count: Count, card: Card) -> float:
    """What the trick costs if this card wins it."""
    there = holding((*count.trick, card))
    squares = [
        *squares_of_cards(there, count.turned),
        *squares_of_number(count.number, count.turned),
    ]
    return (
        penalty(count, count.seat, squares)
        + fallout(count, card)
        + recovery(count, touched=bool(squares))
        + MOST * count.won[count.seat] / LAST
        + LEAD
    )


def penalty(count: Count, seat: Seat, squares: Iterable[Square]) -> float:
    """What counters on these squares cost a seat: each its own, and lines."""
    total = 0.0
    owners = dict(count.owners)
    for square in squares:
        owners[square] = seat
        total += 1
        for line in LINES[count.options.board]:
            colours = [owners.get(it) for it in line]
            if square in line and set(colours) <= {seat, None}:
                total += (0.0, LINE_BEGUN, 1.0)[colours.count(seat) - 1]
    return total


def recovery(count: Count, *, touched: bool) -> float:
    """What the seat gives up of the counters that it may hope to get back.

    That is all of them with its first trick, half of them with its first counter.
    """
    if count.seat in count.owners.values():
        return 0.0
    missing = count.missing(count.seat)
    back = 0 if count.won[count.seat] else missing
    if touched:
        back += missing // 2
    return HOPE * back * (count.number / LAST) ** 2


def fallout(count: Count, card: Card) -> float:
    """What those behind are likely to add to a trick that this card wins."""
    total = 0.0
    for bad in cards_of(count.out & (_QUEENS | count.turned.bit)):
        stake = penalty(count, count.seat, squares_of_cards(bad.bit, count.turned))
        total += falling(count, bad, card) * stake
    return total


def gift(count: Count, card: Card) -> float:
    """What it is worth that the card goes to somebody else, whose lines may count."""
    squares = squares_of_cards(card.bit, count.turned)
    if not count.trick:
        return GIFT * len(squares)
    return GIFT * penalty(count, count.winning, squares)


def danger(count: Count, card: Card) -> float:
    """What the card is likely to cost later, if it is kept."""
    stakes = (COUNTERS - len(count.owners)) / (LAST + 1 - count.number)
    suit, below = card.suit.all, card.bit - 1
    if not count.out & suit:
        return LOOSE * stakes
    length = (count.hand & suit).bit_count()
    guards = (count.hand & suit & below).bit_count()
    own = len(squares_of_cards(card.bit, count.turned))
    over = len(squares_of_cards(count.out & suit & below, count.turned))
    return (
        HIGH * stakes * height(count.out, card) / (1 + length)
        + (KEPT * own + OVER * over) / (1 + guards)
        + SHORT / length**2
    )


def is_sweeping(count: Count) -> bool:
    """Whether the seat, on lead with all tricks so far, can take all others too."""
    if count.trick or count.won[count.seat] < count.number - 1:
        return False
    return all(runs(count, suit) for suit in Suit if count.hand & suit.all)
