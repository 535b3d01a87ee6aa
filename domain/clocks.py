"""The clocks of a table: a decision has its time, and then the reserve of its seat."""

from collections.abc import Container
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from domain.ids import Seat
from domain.seating import at_seat, moved
from domain.terms import Clock


class Clocks(Struct, frozen=True, gc=False):
    """The clocks of all seats.

    `each` is the time that every decision has. `since` is, by seat, when the time of
    its open decision began to run, None where none runs; `bank` what is left of its
    reserve for the match.
    """

    each: timedelta
    since: tuple[datetime | None, ...]
    bank: tuple[timedelta, ...]

    def deadline(self, seat: Seat) -> datetime | None:
        """When the seat's time is up, its reserve with it; None where none runs."""
        began = self.since[seat]
        return None if began is None else began + self.each + self.bank[seat]


def wound(clock: Clock, seats: int) -> Clocks:
    """The clocks before the first decision."""
    return Clocks(
        each=timedelta(seconds=clock.seconds),
        since=(None,) * seats,
        bank=(timedelta(seconds=clock.bank),) * seats,
    )


def stopped(clocks: Clocks, seat: Seat, at: datetime) -> Clocks:
    """The seat's clock is stopped; what it took beyond its time is off its reserve."""
    deadline = clocks.deadline(seat)
    if deadline is None:
        return clocks
    left = max(timedelta(), min(clocks.bank[seat], deadline - at))
    return replace(
        clocks,
        since=at_seat(clocks.since, seat, None),
        bank=at_seat(clocks.bank, seat, left),
    )


def running(clocks: Clocks, seats: Container[int], at: datetime) -> Clocks:
    """The clocks of these seats run, those of others do not."""
    since = tuple(
        (began or at) if seat in seats else None
        for seat, began in enumerate(clocks.since)
    )
    return replace(clocks, since=since)


def extended(clocks: Clocks, seats: Container[int], span: timedelta) -> Clocks:
    """So much of these seats' running times does not count."""
    since = tuple(
        began + span if began and seat in seats else began
        for seat, began in enumerate(clocks.since)
    )
    return replace(clocks, since=since)


def redrawn(clocks: Clocks, seats: tuple[Seat, ...]) -> Clocks:
    """The clocks have gone with their players to these seats."""
    return replace(
        clocks, since=moved(clocks.since, seats), bank=moved(clocks.bank, seats)
    )
