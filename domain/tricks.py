"""Tricks: going round the table, following suit, and who wins."""

from msgspec import Struct

from domain.cards import Card, Holding, Suit
from domain.errors import RuleViolation
from domain.ids import Seat
from domain.seating import seat_after


class Trick(Struct, frozen=True):
    """A completed trick: its number from 1, the cards in order of play, who won it."""

    number: int
    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None


def following(hand: Holding, led: Suit) -> Holding:
    """What a hand may play to a suit led: that suit, or any card without it (CM-4)."""
    return hand & led.all or hand


def winner(cards: tuple[Card, ...], leader: Seat) -> Seat:
    """Who wins a full trick of one pack: the highest card of the suit led (CM-5)."""
    led = cards[0].suit
    best = 0
    for place in range(1, len(cards)):
        card = cards[place]
        if card.suit is led and card.rank > cards[best].rank:
            best = place
    return seat_after(leader, best, len(cards))


def must_follow(led: Suit) -> RuleViolation:
    """The refusal of a card that does not follow suit (CM-4)."""
    return RuleViolation(
        "CM-4", f"You hold a {led.one}, so you must follow suit.", suit=led.value
    )


def not_held(card: Card) -> RuleViolation:
    """The refusal of a card that is not in the hand (CM-8)."""
    return RuleViolation("CM-8", f"You do not hold {card}.", card=str(card))
