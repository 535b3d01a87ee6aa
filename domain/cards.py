"""Cards, suits and holdings of cards.

A card's value is its two-letter text, rank then suit: `Card("QS")`. The members stand
in pack order: clubs, diamonds, hearts, spades, each from two to ace, then the Joker.

A *holding* is a bag of cards as one integer: bit `card.index` says that it is held, bit
`64 + card.index` that a second copy is held too (games with two packs). Copies of a
card cannot be told apart. Sets of cards become single machine operations that way,
which is what the speed of the rules rests on.
"""

from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import Final, TypeAlias

Rank: TypeAlias = int
"""2 to 10, then 11 jack, 12 queen, 13 king, 14 ace: the order in which cards win."""

Holding: TypeAlias = int
"""A bag of cards as bits; see the module's text."""

SECOND: Final = 64
"""How far the bit of a second copy lies above that of the first."""


class Suit(Enum):
    """A suit, by its letter."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    all: Holding
    """Every card of the suit, both copies."""

    def __init__(self, _letter: str) -> None:
        first_copies = 0b1_1111_1111_1111 << 13 * len(type(self).__members__)
        self.all = first_copies | first_copies << SECOND

    @property
    def word(self) -> str:
        """The suit's name in a sentence: `hearts`."""
        return self.name.lower()

    @property
    def one(self) -> str:
        """A card of the suit in a sentence: `heart`."""
        return self.word.removesuffix("s")


_SUITS = tuple(Suit)


class Card(Enum):
    """A playing card, by its text. The Joker has neither suit nor rank of its own."""

    TWO_OF_CLUBS = "2C"
    THREE_OF_CLUBS = "3C"
    FOUR_OF_CLUBS = "4C"
    FIVE_OF_CLUBS = "5C"
    SIX_OF_CLUBS = "6C"
    SEVEN_OF_CLUBS = "7C"
    EIGHT_OF_CLUBS = "8C"
    NINE_OF_CLUBS = "9C"
    TEN_OF_CLUBS = "TC"
    JACK_OF_CLUBS = "JC"
    QUEEN_OF_CLUBS = "QC"
    KING_OF_CLUBS = "KC"
    ACE_OF_CLUBS = "AC"
    TWO_OF_DIAMONDS = "2D"
    THREE_OF_DIAMONDS = "3D"
    FOUR_OF_DIAMONDS = "4D"
    FIVE_OF_DIAMONDS = "5D"
    SIX_OF_DIAMONDS = "6D"
    SEVEN_OF_DIAMONDS = "7D"
    EIGHT_OF_DIAMONDS = "8D"
    NINE_OF_DIAMONDS = "9D"
    TEN_OF_DIAMONDS = "TD"
    JACK_OF_DIAMONDS = "JD"
    QUEEN_OF_DIAMONDS = "QD"
    KING_OF_DIAMONDS = "KD"
    ACE_OF_DIAMONDS = "AD"
    TWO_OF_HEARTS = "2H"
    THREE_OF_HEARTS = "3H"
    FOUR_OF_HEARTS = "4H"
    FIVE_OF_HEARTS = "5H"
    SIX_OF_HEARTS = "6H"
    SEVEN_OF_HEARTS = "7H"
    EIGHT_OF_HEARTS = "8H"
    NINE_OF_HEARTS = "9H"
    TEN_OF_HEARTS = "TH"
    JACK_OF_HEARTS = "JH"
    QUEEN_OF_HEARTS = "QH"
    KING_OF_HEARTS = "KH"
    ACE_OF_HEARTS = "AH"
    TWO_OF_SPADES = "2S"
    THREE_OF_SPADES = "3S"
    FOUR_OF_SPADES = "4S"
    FIVE_OF_SPADES = "5S"
    SIX_OF_SPADES = "6S"
    SEVEN_OF_SPADES = "7S"
    EIGHT_OF_SPADES = "8S"
    NINE_OF_SPADES = "9S"
    TEN_OF_SPADES = "TS"
    JACK_OF_SPADES = "JS"
    QUEEN_OF_SPADES = "QS"
    KING_OF_SPADES = "KS"
    ACE_OF_SPADES = "AS"
    JOKER = "JK"

    index: int
    """The card's place in pack order, 0 to 52."""
    bit: Holding
    """The holding of one copy of this card."""
    second: Holding
    """The bit that says that a second copy is held."""
    suit: Suit
    rank: Rank

    def __init__(self, text: str) -> None:
        self.index = len(type(self).__members__)
        self.bit = 1 << self.index
        self.second = self.bit << SECOND
        if text != "JK":
            self.suit = _SUITS[self.index // 13]
            self.rank = self.index % 13 + 2

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f'Card("{self.value}")'


_BY_INDEX: Final = tuple(Card)
_SUIT: Final = 0b1_1111_1111_1111

FIRST_COPIES: Final = (1 << SECOND) - 1

STANDARD_PACK: Final = _BY_INDEX[:52]
"""The 52 ordinary cards in pack order."""


def holding(cards: Iterable[Card]) -> Holding:
    """The bag of `cards`, of which none may stand more than twice."""
    held = 0
    for card in cards:
        held |= card.second if held & card.bit else card.bit
    return held


ONE_PACK: Final[Holding] = holding(STANDARD_PACK)
"""One copy of each ordinary card."""


def cards_of(held: Holding) -> tuple[Card, ...]:
    """The cards of a holding in pack order, equal ones side by side."""
    if held >> SECOND:
        both = cards_of(held & FIRST_COPIES) + cards_of(held >> SECOND)
        return tuple(sorted(both, key=lambda card: card.index))
    return (
        _in_suit(0, held & _SUIT)
        + _in_suit(13, held >> 13 & _SUIT)
        + _in_suit(26, held >> 26 & _SUIT)
        + _in_suit(39, held >> 39 & _SUIT)
        + _in_suit(52, held >> 52)
    )


@cache
def _in_suit(base: int, bits: int) -> tuple[Card, ...]:
    """The cards whose bits are set, counted from the place `base` of pack order."""
    return tuple(_BY_INDEX[base + rank] for rank in range(13) if bits >> rank & 1)


def without(held: Holding, card: Card) -> Holding:
    """The holding less one copy of a card that is in it."""
    return held ^ (card.second if held & card.second else card.bit)


def merged(one: Holding, other: Holding) -> Holding:
    """Both holdings together, which hold no card more than twice."""
    return one | other | (one & other & FIRST_COPIES) << SECOND


def less(whole: Holding, part: Holding) -> Holding:
    """The cards of `whole` that are left once those of `part`, all in it, are gone."""
    either = (part & FIRST_COPIES) * (1 + (1 << SECOND))
    return whole & ~either | whole >> SECOND & ~(part >> SECOND)


def within(part: Holding, whole: Holding) -> bool:
    """Whether every card of `part` is in `whole`, as often as it stands in `part`."""
    return part & ~whole == 0


def lowest(held: Holding) -> Card:
    """The first card, in pack order, of a holding that is not empty."""
    first = held & FIRST_COPIES
    return _BY_INDEX[(first & -first).bit_length() - 1]
