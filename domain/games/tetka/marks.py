"""What costs a mark: queens, the photograph, and tricks of certain numbers."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.cards import Card, Suit
from domain.games.tetka.options import Options
from domain.games.tetka.state import Mark, TetkaState

QUEENS: Final = {
    Suit.CLUBS: Card.QUEEN_OF_CLUBS,
    Suit.DIAMONDS: Card.QUEEN_OF_DIAMONDS,
    Suit.HEARTS: Card.QUEEN_OF_HEARTS,
    Suit.SPADES: Card.QUEEN_OF_SPADES,
}

LAST_TRICK: Final = 13


def counting_trick(photograph: Card) -> int:
    """The number of the trick that costs a mark, the ace being one (TK-R10)."""
    return (photograph.rank - 1) % LAST_TRICK + 1


def marks_on_card(options: Options, photograph: Card, card: Card) -> Iterator[Mark]:
    """The marks that come with a card, to whoever takes it (TK-R7, TK-R9)."""
    if card in QUEENS.values():
        yield "queen"
    if options.suit_queen_mark and card is QUEENS[photograph.suit]:
        yield "suit_queen"
    if card is photograph:
        yield "photograph"


def burden(state: TetkaState, card: Card) -> tuple[int, int]:
    """How many marks come with the card, then its rank."""
    marks = marks_on_card(state.options, state.photographed(), card)
    return sum(1 for _ in marks), card.rank


def marks_on_number(options: Options, photograph: Card, number: int) -> Iterator[Mark]:
    """The marks that come with the trick of that number, whatever is in it."""
    if number == counting_trick(photograph):
        yield "counting_trick"
    if options.last_trick_mark and number == LAST_TRICK:
        yield "last_trick"


def marks_on_trick(
    state: TetkaState, number: int, cards: Iterable[Card]
) -> Iterator[Mark]:
    """All marks of a trick: card by card as they were played, then for its number."""
    options, photograph = state.options, state.photographed()
    for card in cards:
        yield from marks_on_card(options, photograph, card)
    yield from marks_on_number(options, photograph, number)
