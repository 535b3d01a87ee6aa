"""The auction: who names the suit that costs chips, and for how much."""

from typing import Final

from msgspec.structs import replace

from domain import course
from domain.cards import Suit
from domain.commands import Decline, NameSuit
from domain.decisions import BidChoices, Phase
from domain.errors import RuleViolation
from domain.events import (
    BidDeclined,
    BidMade,
    ChipsPaid,
    DealStarted,
    Event,
    SuitNamed,
)
from domain.game import Steps
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat, Version
from domain.seating import at_seat, seat_after

LEAST: Final = 1
"""The lowest bid (AU-R5)."""


def choices(state: AuctionState, seat: Seat) -> BidChoices | None:
    """The bids that a seat can pay for; None where it can only decline."""
    least, most = state.highest_bid + 1, state.scores[seat]
    return BidChoices(min=least, max=most) if least <= most else None


def bid(state: AuctionState, seat: Seat, chips: int) -> list[Event]:
    """What follows when a seat bids so many chips.

    Raises:
        RuleViolation: it has not so many, or an earlier bid is as high.
    """
    if chips < LEAST:
        raise RuleViolation("AU-R5", "A bid is one chip or more.", min=LEAST)
    if chips > (held := state.scores[seat]):
        raise RuleViolation(
            "AU-R5", f"You cannot pay {chips} chips: you have {held}.", max=held
        )
    if chips <= (highest := state.highest_bid):
        raise RuleViolation(
            "AU-R4", f"A bid must be higher than {highest}.", highest=highest
        )
    return [BidMade(seat, chips), *_closed(state, seat, seat, chips)]


def decline(state: AuctionState, seat: Seat) -> list[Event]:
    """What follows when a seat makes no bid."""
    closed = _closed(state, seat, state.bidder, state.highest_bid)
    return [BidDeclined(seat), *closed]


def _closed(
    state: AuctionState, seat: Seat, bidder: Seat | None, chips: int
) -> list[Event]:
    """How the auction ends when the dealer, whose turn is last, has spoken."""
    if seat != state.dealer:
        return []
    if bidder is None:
        return [named_by_the_rules()]
    return [ChipsPaid(bidder, chips, "bid")]


def named_by_the_rules() -> SuitNamed:
    """Hearts cost chips where nobody names a suit (AU-R7, X-24)."""
    return SuitNamed(None, Suit.HEARTS)


def otherwise(state: AuctionState, seat: Seat) -> Decline | NameSuit:
    """No bid, for one who does not speak; the suit that is shortest in the hand."""
    if state.phase is Phase.BIDDING:
        return Decline()
    hand = state.hands[seat]
    return NameSuit(suit=min(Suit, key=lambda suit: (hand & suit.all).bit_count()))


def deal_started(
    state: AuctionState, event: DealStarted, version: Version
) -> AuctionState:
    """A deal that begins with bidding, or by naming after a bidder's jack (AU-R13)."""
    begun = replace(
        course.deal_started(state, event, version),
        before=state.scores,
        bids=(None,) * state.seats,
        suit=None,
    )
    heir = state.bidder
    if state.jack and heir is not None:
        return replace(begun, phase=Phase.NAMING, leader=heir, turn=heir)
    return replace(begun, phase=Phase.BIDDING, bidder=None)


def bid_made(state: AuctionState, event: BidMade, _version: Version) -> AuctionState:
    """The seat has offered most so far, and its left neighbour is to bid."""
    return replace(_spoken(state, event.seat, event.chips), bidder=event.seat)


def bid_declined(
    state: AuctionState, event: BidDeclined, _version: Version
) -> AuctionState:
    """The seat's left neighbour is to bid."""
    return _spoken(state, event.seat, 0)


def _spoken(state: AuctionState, seat: Seat, chips: int) -> AuctionState:
    bids = at_seat(state.bids, seat, chips)
    return replace(state, bids=bids, turn=seat_after(seat, 1, state.seats))


def suit_named(
    state: AuctionState, event: SuitNamed, _version: Version
) -> AuctionState:
    """It is known what costs chips, and the first trick is led."""
    return replace(state, suit=event.suit, phase=Phase.PLAYING)


STEPS: Final[Steps[AuctionState]] = {
    DealStarted: deal_started,
    BidMade: bid_made,
    BidDeclined: bid_declined,
    SuitNamed: suit_named,
}
