"""Deals and positions of Agony Aunt, built without playing up to them."""

from collections.abc import Sequence
from typing import Final

from domain.cards import STANDARD_PACK, Card
from domain.events import ArrangedDeal, Arrangement, Options
from domain.ids import Seat
from tests.driver import Driver, cards, of_bots

PACK: Final = (*STANDARD_PACK, Card.JOKER)


def agony_aunt(
    options: Options | None = None,
    *,
    seed: int = 0,
    arrangement: Arrangement | None = None,
) -> Driver:
    """A table of Agony Aunt with a bot in every seat, so that the match is on."""
    return of_bots("agony-aunt", options, seed=seed, arrangement=arrangement)


def arranged(
    turned: str,
    hands: Sequence[str],
    *,
    first_dealer: int = 0,
    scores: Sequence[int] | None = None,
) -> Arrangement:
    """One chosen deal, its hands given as texts."""
    deal = ArrangedDeal(hands=tuple(map(cards, hands)), turned=Card(turned))
    return Arrangement(
        first_dealer=Seat(first_dealer),
        scores=None if scores is None else tuple(scores),
        deals=(deal,),
    )


STRONG: Final = (
    "TC JC QC KC AC QD KD AD QH KH AH KS AS",
    "2C 3C 4C 5C 6C 7C 8C 9C 2D 3D 4D 5D JK",
    "6D 7D 8D 9D TD JD 2H 3H 4H 5H 6H 7H QS",
    "8H 9H TH JH 3S 4S 5S 6S 7S 8S 9S TS JS",
)
"""With the two of spades turned, seat 0 takes every trick by its highest cards."""
