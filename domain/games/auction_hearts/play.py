"""The course of a deal of Auction Hearts: what follows from a move, or an event."""

from typing import Final

from domain import course
from domain.cards import Card, Suit, cards_of
from domain.commands import Bid, Decline, Move, NameSuit, Play
from domain.course import after
from domain.decisions import Choices, Phase
from domain.errors import RuleViolation
from domain.events import CardPlayed, Event, SuitNamed, TrickTaken
from domain.game import Steps
from domain.games.auction_hearts import bidding, scoring
from domain.games.auction_hearts.legality import check_card, legal_cards
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat, Version
from domain.tricks import winner

_AWAITED: Final[dict[Phase, tuple[type[Move], str, str]]] = {
    Phase.BIDDING: (Bid, "AU-R4", "It is your turn to bid, or to decline."),
    Phase.NAMING: (NameSuit, "AU-R6", "Name the suit that costs chips in this deal."),
    Phase.PLAYING: (Play, "CM-3", "It is your turn to play a card."),
}
"""The move that each phase waits for, and what to say of any other."""


def dealt(state: AuctionState) -> list[Event]:
    """What follows once the cards are dealt: without an auction, hearts are named."""
    if state.options.settlement == "auction":
        return []
    return [bidding.named_by_the_rules()]


def to_act(state: AuctionState) -> tuple[Seat, ...]:
    """The seat whose decision is open."""
    return () if state.phase is Phase.DONE else (state.turn,)


def legal(state: AuctionState, seat: Seat) -> tuple[Move, ...]:
    """The moves open to a seat, apart from bids, which are too many to list."""
    if seat not in to_act(state):
        return ()
    if state.phase is Phase.BIDDING:
        return (Decline(),)
    if state.phase is Phase.NAMING:
        return tuple(NameSuit(suit=suit) for suit in Suit)
    return tuple(Play(card=card) for card in cards_of(legal_cards(state, seat)))


def choices(state: AuctionState, seat: Seat) -> Choices | None:
    """The bids open to a seat."""
    if state.phase is not Phase.BIDDING or seat not in to_act(state):
        return None
    return bidding.choices(state, seat)


def burden(state: AuctionState, card: Card) -> tuple[int, int]:
    """Whether the card costs a chip, then its rank."""
    return int(card.suit is state.suit), card.rank


def decide(
    state: AuctionState, seat: Seat, move: Move, version: Version
) -> list[Event]:
    """What follows when a seat makes a move at a table of this version."""
    course.check_turn(seat, to_act(state))
    match state.phase, move:
        case Phase.BIDDING, Bid(chips=chips):
            return bidding.bid(state, seat, chips)
        case Phase.BIDDING, Decline():
            return bidding.decline(state, seat)
        case Phase.NAMING, NameSuit(suit=suit):
            return [SuitNamed(seat, suit)]
        case Phase.PLAYING, Play(card=card):
            return _play(state, seat, card, version)
        case phase, _:
            awaited, rule, text = _AWAITED[phase]
            raise RuleViolation(rule, text, awaited=str(awaited.__struct_config__.tag))


def _play(state: AuctionState, seat: Seat, card: Card, version: Version) -> list[Event]:
    check_card(state, seat, card)
    events: list[Event] = [CardPlayed(seat, card)]
    cards = (*state.trick, card)
    if len(cards) == state.seats:
        number = len(state.tricks) + 1
        events.append(TrickTaken(number, winner(cards, state.leader)))
        if state.hands[seat] == card.bit:
            events += scoring.score(after(state, STEPS, events, version), version)
    return events


STEPS: Final[Steps[AuctionState]] = {
    **course.STEPS,
    **bidding.STEPS,
    **scoring.STEPS,
}
