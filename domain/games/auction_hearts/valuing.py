"""Which suit a seat would least mind to be named, and what naming it is worth."""

from math import exp
from typing import Final

from domain.cards import Suit, cards_of
from domain.counting import height
from domain.games.auction_hearts.counting import Count
from domain.games.auction_hearts.prospects import chance_of_staying_clear, share

WHOLE: Final = 13
"""About how many cards there are of a suit."""


def worth_of_naming(count: Count) -> float:
    """The highest bid with which naming is no worse than leaving it to another.

    What is bid goes into the pool, so that a part of it may come back.
    """
    others, usual = count.seats - 1, chance_of_staying_clear(count.seats, WHOLE)
    own = max(chance_of_clear(count, suit) for suit in Suit)
    named = share(count, own, others, usual)
    gain = (named - share(count, usual, others, usual)) * (count.pool + WHOLE)
    return gain / (1 - named)


def chance_of_clear(count: Count, suit: Suit) -> float:
    """How likely the seat takes nothing of a suit that it names."""
    return 1 / (1 + exp((2 - count.seats) / 2 - lightness(count, suit)))


def lightness(count: Count, suit: Suit) -> float:
    """How little the hand minds the suit.

    None of it is best; low cards are safe, and high ones are not. High cards of other
    suits, unless low ones guard them, win tricks on which it is discarded.
    """
    total = 0.0 if count.hand & suit.all else 1.7
    for each in Suit:
        heights = [height(count.out, card) for card in cards_of(count.hand & each.all)]
        if each is suit:
            total += 0.95 * len(heights) - 1.5 * sum(heights)
        else:
            total -= 2.7 * sum(heights) / (1 + len(heights))
    return total
