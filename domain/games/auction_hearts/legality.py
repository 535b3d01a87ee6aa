"""What may be played in Auction Hearts, and which rule speaks against the rest."""

from domain.cards import Card, Holding
from domain.errors import RuleViolation
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat
from domain.tricks import must_follow, not_held


def legal_cards(state: AuctionState, seat: Seat) -> Holding:
    """The cards that a seat whose turn it is may play."""
    hand = state.hands[seat]
    suited = hand & state.trick[0].suit.all if state.trick else 0
    return suited or hand & ~_kept_back(state) or hand


def _kept_back(state: AuctionState) -> Holding:
    """What may be neither led nor discarded now, unless there is nothing else.

    By option that is the named suit on the first trick (AU-R8); but where nobody has
    bid, it may be led (X-13).
    """
    if state.tricks or state.suit is None or not state.options.strict_first_trick:
        return 0
    is_free_lead = not state.trick and state.bidder is None
    return 0 if is_free_lead else state.suit.all


def check_card(state: AuctionState, seat: Seat, card: Card) -> None:
    """Refuse a card that the seat may not play now, by the rule that forbids it."""
    if not legal_cards(state, seat) & card.bit:
        raise _refusal(state, state.hands[seat], card)


def _refusal(state: AuctionState, hand: Holding, card: Card) -> RuleViolation:
    if not hand & card.bit:
        return not_held(card)
    if state.trick and hand & state.trick[0].suit.all:
        return must_follow(state.trick[0].suit)
    word = "discarded on" if state.trick else "led to"
    return RuleViolation(
        "AU-R8",
        f"No {card.suit.one} may be {word} the first trick.",
        suit=card.suit.value,
    )
