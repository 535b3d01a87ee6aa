"""The steady player of Auction Hearts: bids for its best suit and stays clear of it.

Once it is not clear, it sees to it that nobody else is clear alone.
"""

from functools import partial
from typing import TYPE_CHECKING

from domain.commands import Bid, Decline, Move, NameSuit, Play
from domain.counting import best
from domain.decisions import BidChoices
from domain.games.auction_hearts.counting import Count, count
from domain.games.auction_hearts.valuing import lightness, worth_of_naming
from domain.games.auction_hearts.weighing import cost

if TYPE_CHECKING:
    from random import Random

    from domain.sight import Sight


def choose(sight: "Sight", chance: "Random") -> Move:
    """A good move at the open decision of the seat; `chance` decides between equals."""
    decision = sight.view.decision
    if decision is None:
        raise LookupError("no decision of the seat is open")
    if isinstance(decision.choices, BidChoices):
        return _bid(count(sight), decision.choices)
    if len(decision.legal) == 1:
        return decision.legal[0]
    known = count(sight)
    suits = [move.suit for move in decision.legal if isinstance(move, NameSuit)]
    if suits:
        return NameSuit(suit=best(suits, partial(lightness, known), chance))
    cards = [move.card for move in decision.legal if isinstance(move, Play)]
    return Play(card=best(cards, lambda card: -cost(known, card), chance))


def _bid(count: Count, offer: BidChoices) -> Move:
    """As little as it takes where nobody bids after; else halfway to what it is worth.

    No bid is so high that nothing is left.
    """
    limit = min(int(worth_of_naming(count)), offer.max - 1)
    if limit < offer.min:
        return Decline()
    is_last = count.seat == count.dealer
    return Bid(chips=offer.min if is_last else (offer.min + limit) // 2)
