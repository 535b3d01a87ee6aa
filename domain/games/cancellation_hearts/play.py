"""The course of a deal of Cancellation Hearts: what follows from moves and events."""

from typing import Final

from msgspec.structs import replace

from domain import passing
from domain.black_lady import PENALTIES, course
from domain.black_lady.course import not_awaited, to_act
from domain.cards import Card, holding, merged
from domain.commands import Move, Pass, Play, SettleMoon
from domain.course import after, check_turn, trick_taken
from domain.decisions import Phase
from domain.events import (
    CardPlayed,
    DealStarted,
    Event,
    HeartsBroken,
    KittyDealt,
    KittyTaken,
    TrickCancelled,
    TrickTaken,
)
from domain.game import Steps
from domain.games.cancellation_hearts import scoring
from domain.games.cancellation_hearts.cancelling import winner
from domain.games.cancellation_hearts.legality import check_card, legal_cards
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat, Version
from domain.seating import at_seat
from domain.tricks import Trick


def legal(state: CancellationState, seat: Seat) -> tuple[Move, ...]:
    """The moves open to a seat, apart from passes, which are too many to list."""
    return course.legal(state, seat, legal_cards)


def decide(
    state: CancellationState, seat: Seat, move: Move, version: Version
) -> list[Event]:
    """What follows when a seat makes a move at a table of this version."""
    check_turn(seat, to_act(state))
    match state.phase, move:
        case Phase.PLAYING, Play(card=card):
            return _play(state, seat, card, version)
        case Phase.PASSING, Pass(cards=cards):
            return passing.pass_cards(state, seat, cards, version, rule="CH-R7")
        case Phase.SETTLING, SettleMoon(how=how):
            return scoring.settle(state, seat, how)
        case phase, _:
            raise not_awaited(phase, for_passes="CH-R7", for_moons="CH-R25")


def _play(
    state: CancellationState, seat: Seat, card: Card, version: Version
) -> list[Event]:
    check_card(state, seat, card)
    events: list[Event] = [CardPlayed(seat, card)]
    if not state.broken and card.bit & PENALTIES:
        events.append(HeartsBroken(seat, card))
    cards = (*state.trick, card)
    if len(cards) == state.seats:
        last = state.hands[seat] == card.bit
        events += _trick_over(state, cards, last=last)
        if last:
            events += scoring.score(after(state, STEPS, events, version))
    return events


def _trick_over(
    state: CancellationState, cards: tuple[Card, ...], *, last: bool
) -> list[Event]:
    """Who takes a full trick and perhaps the kitty, or that it is set aside."""
    number = len(state.tricks) + 1
    taker = winner(cards, state.leader, state.options)
    if taker is None and last and state.options.last_trick_cancelled == "leader":
        taker = state.leader
    if taker is None:
        return [TrickCancelled(number)]
    taken = TrickTaken(number, taker)
    if state.kitty_waits and (last or state.options.kitty == "first_trick"):
        size = state.kitty.bit_count()
        return [taken, KittyTaken(taker, size, state.kitty_version)]
    return [taken]


def _started(
    state: CancellationState, event: DealStarted, version: Version
) -> CancellationState:
    begun = course.deal_started(state, event, version)
    return replace(begun, aside=0, kitty=0, kitty_taker=None)


def _kitty_dealt(
    state: CancellationState, event: KittyDealt, version: Version
) -> CancellationState:
    return replace(state, kitty=holding(event.cards), kitty_version=version)


def _taken(
    state: CancellationState, event: TrickTaken, version: Version
) -> CancellationState:
    """What was set aside goes with the trick (CH-R22)."""
    over = trick_taken(state, event, version)
    mine = merged(over.taken[event.seat], state.aside)
    return replace(over, taken=at_seat(over.taken, event.seat, mine), aside=0)


def _cancelled(
    state: CancellationState, event: TrickCancelled, _version: Version
) -> CancellationState:
    """The cards wait for a winner; the turn is the leader's again (CH-R21)."""
    over = Trick(event.trick, state.leader, state.trick, None)
    return replace(
        state,
        trick=(),
        tricks=(*state.tricks, over),
        aside=merged(state.aside, holding(state.trick)),
    )


def _kitty_taken(
    state: CancellationState, event: KittyTaken, _version: Version
) -> CancellationState:
    seat = event.seat
    mine = merged(state.taken[seat], state.kitty)
    return replace(state, taken=at_seat(state.taken, seat, mine), kitty_taker=seat)


STEPS: Final[Steps[CancellationState]] = {
    **course.STEPS,
    DealStarted: _started,
    KittyDealt: _kitty_dealt,
    TrickTaken: _taken,
    TrickCancelled: _cancelled,
    KittyTaken: _kitty_taken,
}
