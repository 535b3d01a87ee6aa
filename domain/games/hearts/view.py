"""What Hearts shows of a deal to a seat, or to the public."""

from domain.black_lady import points
from domain.cards import Card, cards_of
from domain.decisions import Phase
from domain.games.hearts.options import Direction, direction
from domain.games.hearts.play import pass_steps
from domain.games.hearts.state import HeartsState
from domain.ids import Seat
from domain.seating import seat_after
from domain.sight import GameView
from domain.tricks import Trick


class HeartsView(GameView, frozen=True):
    """The part of a view that only Hearts has.

    `pass_to`, `given`, `received` and `captured` are the viewer's own, null for the
    public; `points` are those of the cards taken in this deal so far, by seat.
    """

    hearts_broken: bool
    pass_direction: Direction
    passed: tuple[bool, ...]
    points: tuple[int, ...]
    pass_to: Seat | None
    given: tuple[Card, ...] | None
    received: tuple[Card, ...] | None
    captured: tuple[Card, ...] | None


def view(state: HeartsState, seat: Seat | None) -> HeartsView:
    """What the seat, or the public where it is None, may see."""
    steps = pass_steps(state)
    to = given = received = captured = None
    if seat is not None:
        captured = cards_of(state.taken[seat])
        if steps:
            to = seat_after(seat, steps, state.seats)
        if state.passed[seat]:
            given = cards_of(state.passed[seat])
            giver = seat_after(seat, -steps, state.seats)
            if state.phase is not Phase.PASSING:
                received = cards_of(state.passed[giver])
    return HeartsView(
        hearts_broken=state.broken,
        pass_direction=direction(state.options, state.deal, state.seats),
        passed=tuple(map(bool, state.passed)),
        points=tuple(map(points, state.taken)),
        pass_to=to,
        given=given,
        received=received,
        captured=captured,
    )


def last_tricks(state: HeartsState) -> tuple[Trick, ...]:
    """The tricks that may be looked back at: the last one (CM-9)."""
    return state.tricks[-1:]
