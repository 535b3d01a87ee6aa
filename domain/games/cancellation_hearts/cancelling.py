"""Identical cards in a trick cancel each other, and who wins what is left."""

from domain.cards import Card
from domain.games.cancellation_hearts.options import Options
from domain.ids import Seat
from domain.seating import seat_after


def left_to_win(cards: tuple[Card, ...], options: Options) -> list[Card]:
    """The cards that may win of these, in order of play.

    They are those of the suit led that no other cancels (CH-R17 to CH-R20).
    """
    pairs = len(cards) - len(set(cards))
    if options.two_pairs_void and pairs > 1:
        return []
    return [
        card for card in cards if card.suit is cards[0].suit and cards.count(card) == 1
    ]


def best(cards: tuple[Card, ...], options: Options) -> Card | None:
    """The card that wins of these, in order of play; None where none does."""
    left = left_to_win(cards, options)
    return max(left, key=lambda card: card.rank, default=None)


def winner(cards: tuple[Card, ...], leader: Seat, options: Options) -> Seat | None:
    """Who wins a full trick; None where it is set aside."""
    winning = best(cards, options)
    if winning is None:
        return None
    return seat_after(leader, cards.index(winning), len(cards))
