"""What Auction Hearts shows of a deal to a seat, or to the public."""

from domain.cards import Card, Suit, cards_of
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat
from domain.sight import GameView


class AuctionView(GameView, frozen=True):
    """The part of a view that only Auction Hearts has.

    `pool` are the chips in it, at the end of the match those that nobody gets; `jack`
    says that it was paid into and not won. `bids` are by seat: 0 where it declined,
    null where it has not spoken. `bidder` has offered most, or names the suit again
    after a jack; `suit` is what costs chips. `suit_taken` counts, by seat, the cards
    taken of it; `captured` are all those the viewer took, null for the public.
    """

    pool: int
    jack: bool
    bids: tuple[int | None, ...]
    bidder: Seat | None
    suit: Suit | None
    suit_taken: tuple[int, ...]
    captured: tuple[Card, ...] | None


def view(state: AuctionState, seat: Seat | None) -> AuctionView:
    """What the seat, or the public where it is None, may see."""
    return AuctionView(
        pool=state.pool,
        jack=state.jack,
        bids=state.bids,
        bidder=state.bidder,
        suit=state.suit,
        suit_taken=state.suit_taken(),
        captured=None if seat is None else cards_of(state.taken[seat]),
    )
