"""How cards and people are written in a terminal."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from msgspec import UNSET, Struct
from rich.text import Text

from domain.cards import Card, Suit
from domain.ids import Seat
from domain.people import NOBODY, Occupant

SYMBOLS: Final = {
    Suit.CLUBS: "♣",
    Suit.DIAMONDS: "♦",
    Suit.HEARTS: "♥",
    Suit.SPADES: "♠",
}

RED: Final = r"[♦♥][2-9TJQKA]*|[2-9TJQKA][♦♥]"
"""What is red where there are colours."""


class Faces(Struct, frozen=True):
    """Writes cards with the symbols of their suits, or with letters where `plain`."""

    plain: bool = False

    def suit(self, suit: Suit) -> str:
        """A suit: `♠`, or `S`."""
        return suit.value if self.plain else SYMBOLS[suit]

    def card(self, card: Card) -> str:
        """A card: `Q♠`, or `QS`; the Joker is `JK`."""
        if card is Card.JOKER:
            return str(card)
        return _rank(card) + self.suit(card.suit)

    def cards(self, cards: Iterable[Card]) -> str:
        """Cards in their order."""
        return " ".join(map(self.card, cards)) or "-"

    def hand(self, cards: Iterable[Card]) -> str:
        """Cards in pack order by suit, the highest first: `♣AK2 ♠Q`, or `C:AK2 S:Q`."""
        colon = ":" if self.plain else ""
        joker = [str(card) for card in cards if card is Card.JOKER]
        suited = [card for card in cards if card is not Card.JOKER]
        suits = groupby(suited, key=lambda card: card.suit)
        held = [
            self.suit(suit) + colon + "".join(map(_rank, those))[::-1]
            for suit, those in suits
        ]
        return " ".join([*held, *joker]) or "-"


def _rank(card: Card) -> str:
    return str(card)[0]


def coloured(line: str) -> Text:
    """A line in which what is red is red, where the terminal has colours."""
    text = Text(line)
    text.highlight_regex(RED, "red")
    return text


def name(occupant: Occupant) -> str:
    """Who sits: people are in a record by id only, of which the end is shown."""
    if occupant == NOBODY:
        return "nobody"
    if occupant.player is not UNSET:
        return f"player {str(occupant.player)[-6:]}"
    return f"{occupant.bot} bot"


def seats(those: Iterable[Seat]) -> str:
    """Seats by number: `seat 2`, `seats 0 and 3`."""
    numbers = [str(seat) for seat in those]
    if len(numbers) < 2:  # noqa: PLR2004 - two are several
        return f"seat {''.join(numbers)}"
    return f"seats {', '.join(numbers[:-1])} and {numbers[-1]}"
