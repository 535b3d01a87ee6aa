"""What may be played in Agony Aunt, and which rule speaks against the rest."""

from domain.cards import Card, Holding
from domain.errors import RuleViolation
from domain.games.agony_aunt.joker import as_played, exchanged
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat
from domain.tricks import following, must_follow, not_held


def legal_cards(state: AgonyAuntState, seat: Seat) -> Holding:
    """The cards that a seat whose turn it is may play (AA-R11, AA-R12)."""
    hand, turned = state.hands[seat], state.turned
    if not state.trick:
        return hand
    led = as_played(state.trick[0], turned).suit
    return exchanged(following(exchanged(hand, turned), led), turned)


def check_card(state: AgonyAuntState, seat: Seat, card: Card) -> None:
    """Refuse a card that the seat may not play now, by the rule that forbids it."""
    legal = legal_cards(state, seat)
    if legal & card.bit:
        return
    if not state.hands[seat] & card.bit:
        raise not_held(card)
    led = as_played(state.trick[0], state.turned).suit
    if legal == Card.JOKER.bit:
        raise RuleViolation(
            "CM-4",
            f"Your Joker is a {led.one} in this deal, so you must follow suit with it.",
            suit=led.value,
            card=str(Card.JOKER),
        )
    raise must_follow(led)
