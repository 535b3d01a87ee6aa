"""What Auction Hearts keeps beside what every game does."""

from domain.cards import Suit
from domain.game import State
from domain.games.auction_hearts.options import Options
from domain.ids import Seat


class AuctionState(State, frozen=True, kw_only=True):
    """A match of Auction Hearts; its scores are the players' chips.

    `before` are the chips with which the deal began. `pool` is a `jack` where a deal
    was paid for and nobody won it. `bids` are, by seat, the chips offered in this deal,
    0 where the seat declined and None before its turn. `bidder` offered most, or did
    before the jack; `suit` is what costs chips. Once the match is over the rest of the
    pool is `shared` by all.
    """

    options: Options
    before: tuple[int, ...] = ()
    pool: int = 0
    jack: bool = False
    bids: tuple[int | None, ...] = ()
    bidder: Seat | None = None
    suit: Suit | None = None
    shared: bool = False

    @property
    def highest_bid(self) -> int:
        """What the next bid must be above."""
        return max(bid or 0 for bid in self.bids)

    def suit_taken(self) -> tuple[int, ...]:
        """How many cards of the named suit each seat has taken; none before that."""
        suit = self.suit
        if suit is None:
            return (0,) * self.seats
        return tuple((taken & suit.all).bit_count() for taken in self.taken)
