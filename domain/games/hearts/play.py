"""The course of a deal of Hearts: what follows from a move, and from each event."""

from typing import Final

from msgspec.structs import replace

from domain import passing
from domain.black_lady import HEARTS, PENALTIES, course
from domain.black_lady.course import not_awaited, to_act
from domain.cards import Card, Holding
from domain.commands import Move, Pass, Play, SettleMoon
from domain.course import after, check_turn, hand_dealt
from domain.decisions import Phase
from domain.events import (
    CardPlayed,
    Event,
    HandDealt,
    HeartsBroken,
    PassesExchanged,
    TrickTaken,
)
from domain.game import Steps
from domain.games.hearts import scoring
from domain.games.hearts.legality import check_card, legal_cards, opening_seat
from domain.games.hearts.state import HeartsState
from domain.ids import Seat, Version
from domain.tricks import winner


def legal(state: HeartsState, seat: Seat) -> tuple[Move, ...]:
    """The moves open to a seat, apart from passes, which are too many to list."""
    return course.legal(state, seat, legal_cards)


def decide(state: HeartsState, seat: Seat, move: Move, version: Version) -> list[Event]:
    """What follows when a seat makes a move at a table of this version."""
    check_turn(seat, to_act(state))
    match state.phase, move:
        case Phase.PLAYING, Play(card=card):
            return _play(state, seat, card, version)
        case Phase.PASSING, Pass(cards=cards):
            return passing.pass_cards(state, seat, cards, version, rule="HE-R8")
        case Phase.SETTLING, SettleMoon(how=how):
            return scoring.settle(state, seat, how)
        case phase, _:
            raise not_awaited(phase, for_passes="HE-R8", for_moons="HE-R20")


def _play(state: HeartsState, seat: Seat, card: Card, version: Version) -> list[Event]:
    check_card(state, seat, card)
    events: list[Event] = [CardPlayed(seat, card)]
    if not state.broken and card.bit & _breakers(state):
        events.append(HeartsBroken(seat, card))
    cards = (*state.trick, card)
    if len(cards) == state.seats:
        number = len(state.tricks) + 1
        events.append(TrickTaken(number, winner(cards, state.leader)))
        if state.hands[seat] == card.bit:
            events += scoring.score(after(state, STEPS, events, version))
    return events


def _breakers(state: HeartsState) -> Holding:
    return PENALTIES if state.options.queen_breaks_hearts else HEARTS


def _dealt(state: HeartsState, event: HandDealt, version: Version) -> HeartsState:
    dealt = hand_dealt(state, event, version)
    if len(dealt.hands) == state.seats and state.phase is Phase.PLAYING:
        return _opening(dealt)
    return dealt


def _exchanged(
    state: HeartsState, event: PassesExchanged, version: Version
) -> HeartsState:
    return _opening(passing.passes_exchanged(state, event, version))


def _opening(state: HeartsState) -> HeartsState:
    opener = opening_seat(state)
    return replace(state, leader=opener, turn=opener)


STEPS: Final[Steps[HeartsState]] = {
    **course.STEPS,
    HandDealt: _dealt,
    PassesExchanged: _exchanged,
}
