"""Who may have given a command, as far as a record tells.

That it was really them nobody signs; but a record must not have one seat play for
another.
"""

from typing import Final, assert_never

from msgspec import UNSET, to_builtins

from domain.commands import (
    AbandonTable,
    Act,
    AdmitObserver,
    Command,
    ExtendDeadlines,
    GiveEntropy,
    LeaveSeat,
    OpenTable,
    Resume,
    StartMatch,
    TakeSeat,
    TimeOut,
)
from domain.ids import Seat
from domain.people import By
from domain.table import Table

NO_ONE: Final = By()


def may(by: By, command: Command, before: Table | None) -> bool:
    """Whether that may have been by them, at the table as it was `before`."""
    if len(to_builtins(by)) != 1:
        return False
    only = _only(command, before) if before else None
    if only is not None:
        return by == only
    match command:
        case OpenTable(rematch_of=None, host=host):
            return by.player == host or by.server is True
        case AbandonTable():
            return by.player is not UNSET or by.clock is True
        case OpenTable() | TakeSeat() | LeaveSeat() | StartMatch():
            return by.player is not UNSET
        case (
            Act()
            | Resume()
            | TimeOut()
            | ExtendDeadlines()
            | GiveEntropy()
            | AdmitObserver()
        ):
            return False  # one alone may, where there is a table
        case never:
            assert_never(never)


def _only(command: Command, table: Table) -> By | None:
    """The only one who may have given it; None where several might."""
    match command:
        case Act(seat=seat):
            return _mover(table, seat)
        case Resume(seat=seat):
            return By(seat=seat)
        case TakeSeat(occupant=occupant) if occupant.player is not UNSET:
            return By(player=occupant.player)
        case LeaveSeat(seat=seat) if table.status == "playing":
            return By(player=table.seats[seat].player)
        case GiveEntropy(seat=seat):
            return By(player=table.seats[seat].player)
        case AdmitObserver(player=player):
            return By(player=player)
        case TimeOut() | ExtendDeadlines():
            return By(clock=True)
        case _:
            return None


def _mover(table: Table, seat: Seat) -> By:
    """Who moves for a seat: no one while its player is away and no bot is there."""
    if not table.is_played(seat):
        return By(bot=seat)
    return NO_ONE if seat in table.away else By(seat=seat)
