"""Shooting the moon, and the end of a match to a target that the lowest score wins."""

from typing import Final, Literal, TypeAlias

from domain.events import DealScored
from domain.game import State
from domain.ids import Seat

MOON: Final = 26
"""What a moon counts unless something else is agreed."""

Choice: TypeAlias = Literal["add", "subtract"]

Agreed: TypeAlias = Literal["add", "subtract", "choice", "auto", "none"]
"""How a table has agreed that moons count; see `settled`."""


def settled(agreed: Agreed, sane: Choice) -> Choice | None:
    """How a moon counts that was shot; None where the shooter is to choose.

    `sane` is the better choice, which `auto` makes.
    """
    if agreed == "auto":
        return sane
    if agreed == "subtract":
        return "subtract"
    return "add" if agreed == "add" else None


def points(seats: int, shooter: Seat, how: Choice, size: int) -> tuple[int, ...]:
    """What a moon of this size does to each seat's score."""
    if how == "subtract":
        return tuple(-size if seat == shooter else 0 for seat in range(seats))
    return tuple(0 if seat == shooter else size for seat in range(seats))


def sane_choice(shooter: Seat, added: tuple[int, ...], *, over: bool) -> Choice:
    """Add, but not if that ends the match without the shooter being lowest (X-1).

    `added` are the scores that adding brings about; `over` whether they end the match.
    """
    return "subtract" if over and added[shooter] > min(added) else "add"


def scored(state: State, dealt: tuple[int, ...]) -> DealScored:
    """The deal is scored with these points."""
    scores = tuple(map(int.__add__, state.scores, dealt))
    return DealScored(points=dealt, scores=scores)


def lowest(
    scores: tuple[int, ...], target: int, *, tiebreak_deal: bool
) -> tuple[Seat, ...]:
    """Who has won once a score has reached the target; nobody while the match goes on.

    Those tied for lowest win jointly, or play on where a tie is played off.
    """
    if max(scores) < target:
        return ()
    first = tuple(Seat(seat) for seat, mine in enumerate(scores) if mine == min(scores))
    return () if tiebreak_deal and len(first) > 1 else first
