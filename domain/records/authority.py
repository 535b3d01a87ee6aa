"""Who may have given a command, as far as a record tells.

That it was really them nobody signs; but a record must not have one seat play for
another.
"""

from typing import assert_never

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
from domain.people import By
from domain.table import Table


def may(by: By, command: Command, before: Table | None) -> bool:
    """Whether that may have been by them, at the table as it was `before`."""
    if len(to_builtins(by)) != 1:
        return False
    match command:
        case OpenTable(rematch_of=None, host=host):
            return by.player == host or by.server is True
        case OpenTable():
            return by.player is not UNSET  # it knows not who was at the table before
        case Act(seat=seat):
            played = before is not None and before.is_played(seat)
            return by == (By(seat=seat) if played else By(bot=seat))
        case Resume(seat=seat):
            return by == By(seat=seat)
        case TakeSeat(occupant=occupant) if occupant.player is not UNSET:
            return by == By(player=occupant.player)
        case AdmitObserver(player=player):
            return by == By(player=player)
        case TimeOut() | ExtendDeadlines():
            return by == By(clock=True)
        case AbandonTable():
            return by.player is not UNSET or by.clock is True
        case TakeSeat() | LeaveSeat() | GiveEntropy() | StartMatch():
            return by.player is not UNSET
        case never:
            assert_never(never)
