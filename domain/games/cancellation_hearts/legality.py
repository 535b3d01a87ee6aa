"""What may be played in Cancellation Hearts, and which rule speaks against the rest."""

from domain.black_lady import PENALTIES, leads
from domain.cards import Card, Holding
from domain.errors import RuleViolation
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat
from domain.tricks import following, must_follow, not_held


def legal_cards(state: CancellationState, seat: Seat) -> Holding:
    """The cards that a seat whose turn it is may play."""
    hand = state.hands[seat]
    if state.trick:
        return following(hand, state.trick[0].suit)
    either = state.options.lead_hearts_instead_of_qs
    if state.tricks:
        return leads(hand, broken=state.broken, either=either)
    return hand & ~PENALTIES or leads(hand, broken=False, either=either)


def check_card(state: CancellationState, seat: Seat, card: Card) -> None:
    """Refuse a card that the seat may not play now, by the rule that forbids it."""
    if not legal_cards(state, seat) & card.bit:
        raise _refusal(state, state.hands[seat], card)


def _refusal(state: CancellationState, hand: Holding, card: Card) -> RuleViolation:
    if not hand & card.bit:
        return not_held(card)
    if state.trick:
        return must_follow(state.trick[0].suit)
    first = not state.tricks
    if not hand & ~PENALTIES:
        return RuleViolation(
            "CH-R11" if first else "CH-R16",
            "Hearts are not broken, and you hold the queen of spades: lead her.",
        )
    if first:
        return RuleViolation(
            "CH-R10",
            "No heart and no queen of spades may be led to the first trick.",
            card=str(card),
        )
    return RuleViolation(
        "CH-R15", "Hearts are not broken, and you hold other cards to lead."
    )
