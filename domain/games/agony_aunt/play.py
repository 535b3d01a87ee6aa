"""The course of a deal of Agony Aunt: what follows from a move, and from each event."""

from typing import Final

from msgspec.structs import replace

from domain import course
from domain.cards import Card, cards_of, holding
from domain.commands import Move, Play
from domain.course import after
from domain.events import (
    CardPlayed,
    CardTurned,
    CounterPlaced,
    DealStarted,
    Event,
    TrickTaken,
)
from domain.game import Steps
from domain.games.agony_aunt import scoring
from domain.games.agony_aunt.joker import as_played
from domain.games.agony_aunt.legality import check_card, legal_cards
from domain.games.agony_aunt.penalties import (
    counter,
    squares_of_cards,
    squares_of_number,
)
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat, Version
from domain.tricks import winner


def legal(state: AgonyAuntState, seat: Seat) -> tuple[Move, ...]:
    """The moves open to a seat."""
    if seat not in course.to_play(state):
        return ()
    return tuple(Play(card=card) for card in cards_of(legal_cards(state, seat)))


def decide(
    state: AgonyAuntState, seat: Seat, move: Move, version: Version
) -> list[Event]:
    """What follows when a seat makes a move at a table of this version."""
    return _play(state, seat, course.card_of(state, seat, move), version)


def _play(
    state: AgonyAuntState, seat: Seat, card: Card, version: Version
) -> list[Event]:
    check_card(state, seat, card)
    events: list[Event] = [CardPlayed(seat, card)]
    cards = (*state.trick, card)
    if len(cards) == state.seats:
        events += _trick_won(state, cards)
        if state.hands[seat] == card.bit:
            events += scoring.score(after(state, STEPS, events, version))
    return events


def _trick_won(state: AgonyAuntState, cards: tuple[Card, ...]) -> list[Event]:
    """Who has won the trick, and a counter for each penalty in it (AA-R13)."""
    turned, number = state.turned, len(state.tricks) + 1
    played = tuple(as_played(card, turned) for card in cards)
    taker = winner(played, state.leader)
    squares = (
        *squares_of_cards(holding(played), turned),
        *squares_of_number(number, turned),
    )
    return [
        TrickTaken(number, taker),
        *(counter(square, taker) for square in squares),
    ]


def _started(
    state: AgonyAuntState, event: DealStarted, version: Version
) -> AgonyAuntState:
    return replace(course.deal_started(state, event, version), owners={})


def _turned(
    state: AgonyAuntState, event: CardTurned, _version: Version
) -> AgonyAuntState:
    return replace(state, turned=event.card)


def _placed(
    state: AgonyAuntState, event: CounterPlaced, _version: Version
) -> AgonyAuntState:
    return replace(state, owners={**state.owners, event.square: event.seat})


STEPS: Final[Steps[AgonyAuntState]] = {
    **course.STEPS,
    DealStarted: _started,
    CardTurned: _turned,
    CounterPlaced: _placed,
}
