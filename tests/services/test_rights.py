"""Rights to a seat that is kept; the whole table of rights is walked over HTTP."""

from uuid import UUID

import pytest

from domain.commands import OpenTable
from domain.ids import PlayerId, Seat
from domain.people import NOBODY, Occupant
from domain.table import Table
from services import rights
from services.errors import SeatReserved
from services.ports import Player
from services.rights import Caller
from tests.driver import HOST, Driver, person


def table() -> Table:
    """A table whose first seat is kept for person 1."""
    return Driver(
        OpenTable("hearts", {}, (person(1), NOBODY, NOBODY, NOBODY), HOST)
    ).table


def caller(player: PlayerId | Occupant, *, admin: bool = False) -> Caller:
    """Somebody with a token."""
    known = player.player if isinstance(player, Occupant) else player
    assert isinstance(known, UUID)
    return Caller(Player(known, "Ada", "human", admin=admin))


@pytest.mark.parametrize(
    "who",
    [caller(person(1)), caller(HOST), caller(person(2), admin=True)],
    ids=["for whom it is kept", "host", "admin"],
)
def test_who_may_take_a_kept_seat(who: Caller) -> None:
    """It is open to whom it is kept for, to the host and to an admin."""
    rights.sit(Seat(0))(table(), who)


def test_nobody_else_may_take_a_kept_seat() -> None:
    """Others are refused it, though they may have another."""
    with pytest.raises(SeatReserved):
        rights.sit(Seat(0))(table(), caller(person(2)))
    rights.sit(Seat(3))(table(), caller(person(2)))
