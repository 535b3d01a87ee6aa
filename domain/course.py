"""The course of a deal as all games have it: dealing, playing to tricks, scoring.

A game takes these steps over, and adds or replaces what is its own.
"""

from typing import Any, Final, TypeVar

from msgspec.structs import replace

from domain.cards import Card, holding, merged, without
from domain.commands import Move, Play
from domain.decisions import Phase
from domain.errors import NotYourTurn, RuleViolation
from domain.events import (
    CardPlayed,
    DealScored,
    DealStarted,
    DealVoided,
    Event,
    HandDealt,
    TrickTaken,
)
from domain.game import State, Steps
from domain.ids import Seat, Version
from domain.tricks import Trick

S = TypeVar("S", bound=State)


def to_play(state: State) -> tuple[Seat, ...]:
    """The seat whose turn it is to play a card, where all that is done is playing."""
    return (state.turn,) if state.phase is Phase.PLAYING else ()


def check_turn(seat: Seat, to_act: tuple[Seat, ...]) -> None:
    """Refuse a seat that is not to act."""
    if seat not in to_act:
        raise NotYourTurn("No decision of this seat is open.", seat=seat)


def card_of(state: State, seat: Seat, move: Move) -> Card:
    """The card that a seat plays, where all that is done is playing.

    Raises:
        Refusal: it is not the seat's turn, or the move plays no card.
    """
    check_turn(seat, to_play(state))
    if not isinstance(move, Play):
        raise RuleViolation("CM-3", "It is your turn to play a card.", awaited="play")
    return move.card


def deal_started(state: S, event: DealStarted, _version: Version) -> S:
    """A deal in which nothing has been dealt yet; the dealer's left is to begin."""
    left = Seat((event.dealer + 1) % state.seats)
    return replace(
        state,
        deal=event.deal,
        dealer=event.dealer,
        phase=Phase.PLAYING,
        hands=(),
        leader=left,
        turn=left,
        trick=(),
        tricks=(),
        taken=(0,) * state.seats,
    )


def hand_dealt(state: S, event: HandDealt, _version: Version) -> S:
    """One seat after another has its cards."""
    return replace(state, hands=(*state.hands, holding(event.cards)))


def card_played(state: S, event: CardPlayed, _version: Version) -> S:
    """The card goes from the hand to the trick, and the turn passes to the left."""
    seat, card = event.seat, event.card
    hands = list(state.hands)
    hands[seat] = without(hands[seat], card)
    return replace(
        state,
        hands=tuple(hands),
        trick=(*state.trick, card),
        turn=(seat + 1) % state.seats,
    )


def trick_taken(state: S, event: TrickTaken, _version: Version) -> S:
    """The winner has the cards of the trick, and leads to the next."""
    winner, cards = event.seat, state.trick
    taken = list(state.taken)
    taken[winner] = merged(taken[winner], holding(cards))
    return replace(
        state,
        leader=winner,
        turn=winner,
        trick=(),
        tricks=(*state.tricks, Trick(event.trick, state.leader, cards, winner)),
        taken=tuple(taken),
    )


def deal_voided(state: S, _event: DealVoided, _version: Version) -> S:
    """The deal is over, and counts for nothing (X-16)."""
    return replace(state, phase=Phase.DONE)


def deal_scored(state: S, event: DealScored, _version: Version) -> S:
    """The deal is over, and the match has new scores."""
    return replace(state, phase=Phase.DONE, scores=event.scores)


STEPS: Final[Steps[Any]] = {
    DealStarted: deal_started,
    HandDealt: hand_dealt,
    CardPlayed: card_played,
    TrickTaken: trick_taken,
    DealVoided: deal_voided,
    DealScored: deal_scored,
}


def after(
    state: S,
    steps: Steps[S],
    events: list[Event],
    version: Version,
) -> S:
    """The state after these events, of which the first follows that version."""
    for at, event in enumerate(events, version + 1):
        step = steps.get(type(event))
        if step is not None:
            state = step(state, event, Version(at))
    return state
