"""What people do at a table that is there, as plans for `Tables.execute`.

A plan asks for the right anew, at the table as it is when the command is decided.
"""

from domain.commands import (
    Act,
    Command,
    GiveEntropy,
    LeaveSeat,
    Move,
    Resume,
    TakeSeat,
)
from domain.errors import MatchHasStarted
from domain.ids import Seat
from domain.people import BotName, By, Occupant
from domain.table import Table
from domain.terms import Hex
from services import rights
from services.rights import Caller, Right
from services.tables import Plan


def move(caller: Caller, wanted: Move) -> Plan:
    """Make a move from the caller's own seat, which is theirs again by that."""

    def plan(table: Table) -> tuple[By, Command]:
        seat = rights.own_seat(table, caller)
        kind = Resume if _is_left(table, seat) else Act
        return By(seat=seat), kind(seat, wanted)

    return plan


def sit(caller: Caller, seat: Seat, entropy: Hex | None) -> Plan:
    """Sit down, or give entropy where the caller sits there already.

    Who comes back to a match may send entropy as ever; the shuffle does without it.
    """
    right = rights.sit(seat)

    def plan(table: Table) -> tuple[By, Command]:
        right(table, caller)
        player = rights.player(caller).id
        sits = table.seat_of(player) == seat and not _is_left(table, seat)
        if sits and entropy is not None:
            return By(player=player), GiveEntropy(seat, entropy)
        return By(player=player), TakeSeat(seat, Occupant(player=player), entropy)

    return plan


def seat_bot(caller: Caller, seat: Seat, bot: BotName) -> Plan:
    """Let a bot sit down."""
    return command(caller, rights.manage, TakeSeat(seat, Occupant(bot=bot)))


def leave(caller: Caller, seat: Seat) -> Plan:
    """Leave a seat, or remove its occupant before the match."""
    right = rights.own_or_manage(seat)

    def plan(table: Table) -> tuple[By, Command]:
        right(table, caller)
        player = rights.player(caller).id
        if table.status == "playing" and table.seat_of(player) != seat:
            raise MatchHasStarted("Nobody is removed during a match.")
        return By(player=player), LeaveSeat(seat)

    return plan


def give_entropy(caller: Caller, seat: Seat, entropy: Hex) -> Plan:
    """Add to the shuffle for the caller's own seat."""
    return command(caller, rights.own(seat), GiveEntropy(seat, entropy))


def command(caller: Caller, right: Right, wanted: Command) -> Plan:
    """Carry out any command for which that right is enough."""

    def plan(table: Table) -> tuple[By, Command]:
        right(table, caller)
        return By(player=rights.player(caller).id), wanted

    return plan


def _is_left(table: Table, seat: Seat) -> bool:
    """Whether the seat's player has left the match, or a bot plays in their place."""
    return seat in table.away or seat in table.proxied
