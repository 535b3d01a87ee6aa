"""What may be played in Tetka, and what an honest player plays."""

from domain.cards import Card, Holding, holding
from domain.commands import Move, Play
from domain.games.tetka.state import TetkaState
from domain.ids import Seat
from domain.sight import Sight
from domain.tricks import following, must_follow, not_held


def legal_cards(state: TetkaState, seat: Seat) -> Holding:
    """The cards that a seat whose turn it is may play.

    Where revokes are penalised that is the whole hand, and nothing tells what would be
    one (X-11).
    """
    hand = state.hands[seat]
    if not state.trick or state.options.revokes == "penalised":
        return hand
    return following(hand, state.trick[0].suit)


def check_card(state: TetkaState, seat: Seat, card: Card) -> None:
    """Refuse a card that the seat may not play now, by the rule that forbids it."""
    if not state.hands[seat] & card.bit:
        raise not_held(card)
    if not legal_cards(state, seat) & card.bit:
        raise must_follow(state.trick[0].suit)


def honest(sight: Sight) -> tuple[Move, ...]:
    """The plays that follow suit, where the hand can; bots make no others (X-11)."""
    decision, deal = sight.view.decision, sight.view.deal
    if decision is None or deal is None:
        raise LookupError("no decision of the seat is open")
    if not deal.trick.plays:
        return decision.legal
    may = following(holding(deal.hand or ()), deal.trick.plays[0].card.suit)
    return tuple(
        move
        for move in decision.legal
        if isinstance(move, Play) and move.card.bit & may
    )
