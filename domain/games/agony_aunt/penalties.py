"""What costs a counter in Agony Aunt, and on which square it goes (AA-R13).

Cards are as they count here, the Joker being the turned card.
"""

from collections.abc import Mapping
from typing import Final

from domain.cards import Card, Holding, Suit
from domain.events import CounterPlaced, Square
from domain.games.agony_aunt.joker import as_played
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat

QUEENS: Final[Mapping[Suit, Card]] = {suit: Card(f"Q{suit.value}") for suit in Suit}
ACE: Final = Card.ACE_OF_CLUBS.rank
LAST: Final = 13
"""The number of the last trick."""

SQUARE_OF: Final[Mapping[Suit, Square]] = {
    Suit.SPADES: "spades",
    Suit.HEARTS: "hearts",
    Suit.DIAMONDS: "diamonds",
    Suit.CLUBS: "clubs",
}
"""The square of each suit's queen."""

_REASONS: Final[Mapping[Square, str]] = {
    "aunt": "agony_aunt",
    "joker": "joker",
    "spades": "queen",
    "hearts": "queen",
    "diamonds": "queen",
    "clubs": "queen",
    "omega": "last_trick",
    "hash": "dumpth_trick",
    "plus": "most_tricks",
}


def dump_number(turned: Card) -> int:
    """The rank of the turned card, an ace being one (AA-R7, AA-R14)."""
    return 1 if turned.rank == ACE else turned.rank


def squares_of_cards(cards: Holding, turned: Card) -> list[Square]:
    """The squares of these cards: Agony Aunt, the Joker, the queens (AA-R8)."""
    found: list[Square] = []
    if cards & QUEENS[turned.suit].bit:
        found.append("aunt")
    if cards & turned.bit:
        found.append("joker")
    found += (square for suit, square in SQUARE_OF.items() if cards & QUEENS[suit].bit)
    return found


def burden(state: AgonyAuntState, card: Card) -> tuple[int, int]:
    """How many counters the card costs, then its rank."""
    card = as_played(card, state.turned)
    return len(squares_of_cards(card.bit, state.turned)), card.rank


def squares_of_number(number: int, turned: Card) -> list[Square]:
    """The squares of a trick for its number: the last one, the dumpth one."""
    found: list[Square] = []
    if number == LAST:
        found.append("omega")
    if number == dump_number(turned):
        found.append("hash")
    return found


def counter(square: Square, seat: Seat) -> CounterPlaced:
    """A counter of the seat goes on that square."""
    return CounterPlaced(seat, _REASONS[square], square)
