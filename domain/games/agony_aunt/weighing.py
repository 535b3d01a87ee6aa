"""What playing a card now costs, in counters; the steady player plays what costs least.

The cost is what the trick is likely to bring, less the danger that the card would be if
it were kept, less what it does to an opponent. The weights are rules of thumb, settled
by playing thousands of deals against other weights.
"""

from collections.abc import Iterable
from typing import Final

from domain.cards import Card, Holding, cards_of, holding
from domain.counting import chance_of_winning, height
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

LINE_BEGUN: Final = 0.15
"""What it costs to have two squares of a line that may yet become three."""
GIFT: Final = 0.35
KEPT: Final = 0.8
OVER: Final = 0.5
SQUARES: Final = 9
QUEENS_HELD: Final[Holding] = holding(QUEENS.values())


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
    total = penalty(count, count.seat, squares) + fallout(count, card)
    return total + lead(count) + recovery_lost(count, touched=bool(squares))


def penalty(count: Count, seat: Seat, squares: Iterable[Square]) -> float:
    """What counters on these squares cost a seat: each one, and for lines."""
    total, owners = 0.0, dict(count.owners)
    for square in squares:
        total += 1
        owners[square] = seat
        for line in LINES[count.options.board]:
            if square in line:
                others = [owners.get(it) for it in line if it != square]
                if others == [seat, seat]:
                    total += 1
                elif set(others) == {seat, None}:
                    total += LINE_BEGUN
    return total


def lead(count: Count) -> float:
    """What winning a trick costs beside: the lead, and a step to the most tricks."""
    return 0.2 + 0.6 * (count.won[count.seat] / LAST)


def recovery_lost(count: Count, *, touched: bool) -> float:
    """What this seat gives up of the counters that it hoped to get back.

    All of them with its first trick, half of them with its first counter.
    """
    if count.seat in count.owners.values():
        return 0.0
    done = (count.number / LAST) ** 2
    missing = count.missing(count.seat)
    total = 0.0
    if not count.won[count.seat]:
        total += 0.5 * done * missing
    if touched:
        total += 0.5 * done * (missing // 2)
    return total


def fallout(count: Count, card: Card) -> float:
    """What those behind are likely to add to a trick that this card wins."""
    led = count.trick[0].suit if count.trick else card.suit
    total = 0.0
    for bad in cards_of(count.out & penalty_cards(count.turned)):
        stake = penalty(count, count.seat, squares_of_cards(bad.bit, count.turned))
        holders = count.possible_holders(bad.bit)
        for seat in count.behind:
            if count.voids[seat] & bad.bit:
                continue
            if bad.suit is led:
                falls = 0.8 if bad.rank < card.rank else 0.0
            else:
                falls = count.chance_of_void(seat, led)
            total += falls * stake / holders
    return total


def gift(count: Count, card: Card) -> float:
    """What it is worth that the card goes to somebody else."""
    squares = squares_of_cards(card.bit, count.turned)
    return GIFT * penalty(count, count.winning, squares)


def danger(count: Count, card: Card) -> float:
    """What the card is likely to cost later, if it is kept."""
    stakes = (SQUARES - len(count.owners)) / count.hand.bit_count()
    suit = card.suit.all
    if not count.out & suit:
        return 0.3 * stakes
    length = (count.hand & suit).bit_count()
    guards = (count.hand & suit & (card.bit - 1)).bit_count()
    total = stakes * height(count.out, card) / (0.5 * (1 + length))
    total += 0.2 / length**2
    own = len(squares_of_cards(card.bit, count.turned))
    over = squares_of_cards(count.out & suit & (card.bit - 1), count.turned)
    return total + (KEPT * own + OVER * len(over)) / (1 + guards)


def penalty_cards(turned: Card) -> Holding:
    """The queens and the Joker."""
    return QUEENS_HELD | turned.bit
