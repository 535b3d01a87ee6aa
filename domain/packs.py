"""Packs from which low cards are left out, so that all can be dealt to any number."""

from collections.abc import Mapping
from typing import Final

from domain.cards import ONE_PACK, Card, Holding, cards_of, holding
from domain.dealing import check_distribution, check_nothing_turned, one_at_a_time
from domain.game import GameOptions, Layout, State
from domain.ids import Seat
from domain.shuffle import Words
from domain.terms import ArrangedDeal

REMOVED: Final[Mapping[int, Holding]] = {
    3: holding([Card.TWO_OF_DIAMONDS]),
    4: 0,
    5: holding([Card.TWO_OF_DIAMONDS, Card.TWO_OF_CLUBS]),
    6: holding(map(Card, ("2D", "2C", "2S", "3C"))),
    7: holding(map(Card, ("2D", "2C", "2S"))),
}
"""Which cards are left out by number of seats (HE-R2, HE-R3, HE-R4)."""

PACK: Final = {seats: ONE_PACK & ~cards for seats, cards in REMOVED.items()}
"""The cards that are dealt, by number of seats."""


def shuffle(state: State, dealer: Seat, words: Words) -> Layout:
    """The cards of a deal, as its stream of words gives them (HE-R5)."""
    order = words.shuffled(cards_of(PACK[state.seats]))
    return one_at_a_time(order, state.seats, dealer)


def check_deal(
    title: str, _options: GameOptions, seats: int, deal: ArrangedDeal
) -> None:
    """Refuse an arranged deal that the game of that title could not have dealt."""
    check_nothing_turned(deal, title)
    check_distribution(deal, cards_of(PACK[seats]), seats)
