"""The end of a deal of Tetka: revokes, the mark for most tricks, the records."""

from domain.events import CounterPlaced, DealScored, Event
from domain.games.tetka.most_tricks import most_tricks
from domain.games.tetka.revokes import revokes
from domain.games.tetka.rubbers import settled
from domain.games.tetka.state import TetkaState
from domain.seating import at_seat


def score(state: TetkaState) -> list[Event]:
    """What follows when the last trick and its marks have been taken."""
    found = revokes(state.tricks, state.seats)
    payer = most_tricks(state, found)
    marks = tuple(map(len, state.marks))
    points = at_seat(marks, payer, marks[payer] + 1)
    scores = tuple(map(int.__add__, state.scores, points))
    return [
        *found,
        CounterPlaced(payer, "most_tricks", None),
        DealScored(points, scores),
        *settled(state, scores),
    ]
