"""The course of a deal of Tetka: what follows from a move, and from each event."""

from typing import Final, cast

from msgspec.structs import replace

from domain import course
from domain.cards import Card, cards_of
from domain.commands import Move, Play
from domain.course import after
from domain.events import (
    CardPlayed,
    CardTurned,
    CounterPlaced,
    DealScored,
    DealStarted,
    Event,
    RubberEnded,
    SeatsDrawn,
    TrickTaken,
)
from domain.game import Steps
from domain.games.tetka.legality import check_card, legal_cards
from domain.games.tetka.marks import marks_on_trick
from domain.games.tetka.scoring import score
from domain.games.tetka.state import Mark, TetkaState
from domain.ids import Seat, Version
from domain.seating import at_seat, moved
from domain.tricks import winner


def legal(state: TetkaState, seat: Seat) -> tuple[Move, ...]:
    """The cards that a seat may play."""
    if seat not in course.to_play(state):
        return ()
    return tuple(Play(card=card) for card in cards_of(legal_cards(state, seat)))


def decide(state: TetkaState, seat: Seat, move: Move, version: Version) -> list[Event]:
    """What follows when a seat makes a move at a table of this version."""
    return _play(state, seat, course.card_of(state, seat, move), version)


def _play(state: TetkaState, seat: Seat, card: Card, version: Version) -> list[Event]:
    check_card(state, seat, card)
    events: list[Event] = [CardPlayed(seat, card)]
    cards = (*state.trick, card)
    if len(cards) == state.seats:
        number = len(state.tricks) + 1
        taker = winner(cards, state.leader)
        events.append(TrickTaken(number, taker))
        marks = marks_on_trick(state, number, cards)
        events += [CounterPlaced(taker, mark, None) for mark in marks]
        if state.hands[seat] == card.bit:
            events += score(after(state, STEPS, events, version))
    return events


def _seats_drawn(state: TetkaState, event: SeatsDrawn, _version: Version) -> TetkaState:
    """The records go where their players go (X-22)."""
    return replace(
        state,
        scores=moved(state.scores, event.seats),
        totals=moved(state.totals, event.seats),
    )


def _started(state: TetkaState, event: DealStarted, version: Version) -> TetkaState:
    """A deal without a mark yet, the first of a new rubber where the last is over."""
    begun = replace(
        course.deal_started(state, event, version),
        photograph=None,
        marks=((),) * state.seats,
    )
    if state.rubber_over:
        return replace(
            begun,
            scores=(0,) * state.seats,
            rubber=state.rubber + 1,
            rubber_over=False,
            opener=event.dealer,
        )
    return begun if state.deal else replace(begun, opener=event.dealer)


def _turned(state: TetkaState, event: CardTurned, _version: Version) -> TetkaState:
    return replace(state, photograph=event.card)


def _marked(state: TetkaState, event: CounterPlaced, _version: Version) -> TetkaState:
    mine = (*state.marks[event.seat], cast(Mark, event.reason))
    return replace(state, marks=at_seat(state.marks, event.seat, mine))


def _scored(state: TetkaState, event: DealScored, version: Version) -> TetkaState:
    totals = tuple(map(int.__add__, state.totals, event.points))
    return replace(course.deal_scored(state, event, version), totals=totals)


def _rubber_ended(
    state: TetkaState, _event: RubberEnded, _version: Version
) -> TetkaState:
    return replace(state, rubber_over=True)


STEPS: Final[Steps[TetkaState]] = {
    **course.STEPS,
    SeatsDrawn: _seats_drawn,
    DealStarted: _started,
    CardTurned: _turned,
    CounterPlaced: _marked,
    DealScored: _scored,
    RubberEnded: _rubber_ended,
}
