"""Deals of Hearts for four: any, and such as bring up what is rare."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from domain import course
from domain.black_lady import PENALTIES
from domain.cards import STANDARD_PACK, Card, Holding, Suit, cards_of, holding
from domain.events import DealStarted, Event, HandDealt
from domain.games.hearts import GAME
from domain.games.hearts.options import Options
from domain.games.hearts.state import HeartsState
from domain.ids import Seat, Secret
from tests.hearts_positions import VERSION

SEATS: Final = 4
SIZE: Final = 13

Hands: TypeAlias = Sequence[Holding]
"""What each of the four seats is dealt."""


def dealt(hands: Hands, options: Options) -> HeartsState:
    """The first deal of a match, these hands dealt and nothing done yet."""
    state = GAME.begin(options, SEATS, None)
    nothing = Secret(bytes(32))
    began = DealStarted(
        1, Seat(SEATS - 1), nothing.hex(), arranged=True, secret=nothing
    )
    events: list[Event] = [began]
    for seat, hand in enumerate(hands):
        events.append(HandDealt(Seat(seat), SIZE, cards_of(hand)))
    return course.after(state, GAME.steps, events, VERSION)


def divided(order: Sequence[Card]) -> Hands:
    """The pack in this order, dealt one card at a time from seat 0 on."""
    return [holding(order[seat::SEATS]) for seat in range(SEATS)]


def any_deal(chance: Random) -> Hands:
    """A deal of which every one is as likely as the others."""
    return divided(chance.sample(STANDARD_PACK, len(STANDARD_PACK)))


def high_cards(card: Card) -> float:
    """A wish for cards that win tricks, so that moons come up."""
    return 14 - card.rank


def penalty_cards(card: Card) -> float:
    """A wish for hearts, the queen of spades and clubs to get the lead with."""
    if card.bit & PENALTIES:
        return 0
    return 14 - card.rank if card.suit is Suit.CLUBS else SIZE


def lopsided_deal(chance: Random, seat: Seat, wish: Callable[[Card], float]) -> Hands:
    """A deal in which a seat gets about the cards that stand lowest by its wish."""
    wished = {card: wish(card) + 3 * chance.random() for card in STANDARD_PACK}
    order = sorted(wished, key=wished.__getitem__)
    mine, rest = order[:SIZE], order[SIZE:]
    chance.shuffle(rest)
    others = [holding(rest[other :: SEATS - 1]) for other in range(SEATS - 1)]
    return [*others[:seat], holding(mine), *others[seat:]]
