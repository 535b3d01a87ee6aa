"""Going round the table, and values that are kept by seat."""

from typing import TypeVar

from domain.ids import Seat

T = TypeVar("T")


def seat_after(seat: Seat, steps: int, seats: int) -> Seat:
    """The seat so many places clockwise, or the other way where `steps` is negative."""
    return Seat((seat + steps) % seats)


def at_seat(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """The same values by seat, with another one for this seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def moved(values: tuple[T, ...], to: tuple[Seat, ...]) -> tuple[T, ...]:
    """The values by seat once each seat's has gone to the seat that `to` names."""
    placed = dict(zip(to, values, strict=True))
    return tuple(placed[Seat(seat)] for seat in range(len(values)))
