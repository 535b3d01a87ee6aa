"""What is shown of a deal with the Black Lady to a seat, or to the public."""

from collections.abc import Callable
from typing import Any, TypeVar

from domain.black_lady import points
from domain.black_lady.course import BlackLadyState
from domain.cards import Card, Holding, cards_of
from domain.ids import Seat
from domain.passing import Direction
from domain.seating import seat_after
from domain.sight import GameView


class BlackLadyView(GameView, frozen=True):
    """What the games of the Black Lady show.

    `pass_to`, `given`, `received` and `captured` are the viewer's own, null for the
    public; `points` are those of the hearts and queens taken in this deal so far, by
    seat: bonuses and moons are counted when it is over.
    """

    hearts_broken: bool
    pass_direction: Direction
    passed: tuple[bool, ...]
    points: tuple[int, ...]
    pass_to: Seat | None
    given: tuple[Card, ...] | None
    received: tuple[Card, ...] | None
    captured: tuple[Card, ...] | None


V = TypeVar("V", bound=BlackLadyView)


def shown(
    kind: Callable[..., V],
    state: BlackLadyState,
    seat: Seat | None,
    taken: tuple[Holding, ...],
    **own: Any,  # noqa: ANN401 - whatever the game has fields for
) -> V:
    """What the seat, or the public where it is None, may see, as a view of that kind.

    `taken` are the captured cards that the viewer knows of; `own` are the fields that
    only this game has.
    """
    steps = state.pass_steps
    to = given = received = captured = None
    if seat is not None:
        captured = cards_of(taken[seat])
        if steps:
            to = seat_after(seat, steps, state.seats)
        if state.passed[seat]:
            given = cards_of(state.passed[seat])
            giver = seat_after(seat, -steps, state.seats)
            if all(state.passed):  # in a void deal some may not have come to it
                received = cards_of(state.passed[giver])
    return kind(
        hearts_broken=state.broken,
        pass_direction=state.direction,
        passed=tuple(map(bool, state.passed)),
        points=tuple(map(points, taken)),
        pass_to=to,
        given=given,
        received=received,
        captured=captured,
        **own,
    )
