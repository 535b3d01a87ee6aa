"""Hearts and the Black Lady: what the games share in which those are the penalties.

The holdings here have both copies of a card, for the games with two packs. What stands
in the other modules follows a deal: its course, its moon, what is shown of it.
"""

from typing import Final

from domain.cards import Card, Holding, Suit

HEARTS: Final[Holding] = Suit.HEARTS.all
QUEENS: Final[Holding] = Card.QUEEN_OF_SPADES.bit | Card.QUEEN_OF_SPADES.second
PENALTIES: Final[Holding] = HEARTS | QUEENS


def points(taken: Holding) -> int:
    """One for each heart, 13 for each queen of spades (HE-R18, CH-R24)."""
    return (taken & HEARTS).bit_count() + 13 * (taken & QUEENS).bit_count()


def leads(hand: Holding, *, broken: bool, either: bool) -> Holding:
    """What a hand may lead once any first lead is over.

    Unbroken hearts only if there is nothing else (HE-R16, CH-R16); beside the queen of
    spades alone, `either` lets hearts be led too (HE-R17, X-8).
    """
    if broken:
        return hand
    others = hand & ~HEARTS
    if not others or (either and not others & ~QUEENS):
        return hand
    return others
