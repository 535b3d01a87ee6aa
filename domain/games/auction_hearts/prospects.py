"""What the pool is worth to a seat, by who is likely to be clear of the suit.

The weights, here and in the other modules of the steady player, are rules of thumb,
settled by playing thousands of deals.
"""

from math import comb
from typing import Final

from domain.games.auction_hearts.counting import Count
from domain.ids import Seat

TOGETHER: Final = 3.2
"""How many cards of the suit go to the same taker at a time, as a rule."""

HEIR: Final = 1.6
"""How much more a jack is worth to the seat that will name the suit again."""


def prospect(count: Count, clear: frozenset[Seat]) -> float:
    """How many chips of the pool the seat can expect if just these seats are clear."""
    if count.options.settlement == "howell":
        return 0.0
    chance = chance_of_staying_clear(count.seats, count.to_come)
    # It takes better care of itself than others do.
    own = chance**0.5 if count.seat in clear else 0.0
    return prize(count) * share(count, own, len(clear - {count.seat}), chance)


def chance_of_staying_clear(seats: int, to_come: int) -> float:
    """How likely a seat takes nothing of the suit, of which so many are to come."""
    return float((1 - 1 / seats) ** (to_come / TOGETHER))


def share(count: Count, own: float, others: int, chance: float) -> float:
    """Which share of the pool the seat can expect.

    `own` is its chance to be clear in the end, and so many others have that `chance`.
    """
    total = 0.0
    for left in range(others + 1):
        likely = comb(others, left) * chance**left * (1 - chance) ** (others - left)
        total += likely * own * _won(count, left + 1, 1 / (left + 1))
        total += likely * (1 - own) * _won(count, left, 0.0)
    return total


def _won(count: Count, clear: int, part: float) -> float:
    """That part of the pool if so few are clear that it is won, else of a jack.

    A jack is worth to the seat its part of a pool that anybody may win later.
    """
    options = count.options
    strict = options.settlement == "sweepstake" or options.jack_strict
    most = min(1 if count.jack and strict else 2, count.seats - 2)
    if 1 <= clear <= most:
        return part
    return (HEIR if count.bidder == count.seat else 1.0) / count.seats


def prize(count: Count) -> int:
    """What is in the pool once the whole suit is paid for."""
    return count.pool + count.to_come + sum(count.taken)
