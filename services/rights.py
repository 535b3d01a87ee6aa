"""Who may what at a table. Each right passes in silence or raises `Denied`.

A right is asked of the table as it is; the order of the errors is what keeps a private
table unknown: `NotFound` before `Forbidden`.
"""

from collections.abc import Callable
from hmac import compare_digest
from typing import TypeAlias

from msgspec import Struct

from domain.ids import PlayerId, Seat
from domain.table import Table
from services.errors import Forbidden, NotFound, SeatReserved, Unauthenticated
from services.ports import Player


class Caller(Struct, frozen=True):
    """Who asks: a player or a stranger, and what lets them into a private table.

    `invited` says that the caller showed this table's invite.
    """

    player: Player | None
    invited: bool = False

    @property
    def id(self) -> PlayerId | None:
        """The player's id, None for a stranger."""
        return self.player.id if self.player else None

    @property
    def is_admin(self) -> bool:
        """Whether the caller may act as an administrator."""
        return self.player is not None and self.player.admin

    @property
    def is_referee(self) -> bool:
        """Whether the caller may look at hidden cards, where the log says so."""
        return self.player is not None and self.player.admin and self.player.referee


Right: TypeAlias = Callable[[Table, Caller], None]


def same_invite(shown: str | None, invite: str | None) -> bool:
    """Whether the invite shown is the table's."""
    if shown is None or invite is None:
        return False
    return compare_digest(shown.encode(), invite.encode())


def know(table: Table, caller: Caller) -> None:
    """Know that the table is there: all of a public one, the invited of a private one.

    Those for whom a seat is kept are invited by that. Without a token an invite opens
    nothing.
    """
    if table.opened.visibility == "public" or _belongs(table, caller):
        return
    reserved = any(caller.id == seat.player for seat in table.opened.seats)
    if caller.id is None or not (caller.invited or reserved):
        raise NotFound("There is no such table.")


def watch(table: Table, caller: Caller) -> None:
    """Read the table, its public view, its events, its stream and its record."""
    know(table, caller)
    if table.opened.spectators == "none" and not _belongs(table, caller):
        raise Forbidden("This table takes no spectators.")


def join(table: Table, caller: Caller) -> None:
    """Take part: a token is needed, and to know of the table."""
    know(table, caller)
    player(caller)


def sit(seat: Seat) -> Right:
    """Sit down in this seat; one that is kept, only for whom it is, host and admin."""

    def right(table: Table, caller: Caller) -> None:
        join(table, caller)
        kept = table.kept_for(seat) not in {None, caller.id}
        if kept and not (caller.is_admin or caller.id == table.opened.host):
            raise SeatReserved("The seat is kept for somebody else.")

    return right


def play(table: Table, caller: Caller) -> None:
    """Act from a seat of one's own."""
    own_seat(table, caller)


def own_seat(table: Table, caller: Caller) -> Seat:
    """The seat from which the caller acts."""
    join(table, caller)
    seat = seat_of(table, caller)
    if seat is None:
        raise Forbidden("You have no seat at this table.")
    return seat


def own(seat: Seat) -> Right:
    """Act for this very seat."""

    def right(table: Table, caller: Caller) -> None:
        if own_seat(table, caller) != seat:
            raise Forbidden("That seat is not yours.")

    return right


def manage(table: Table, caller: Caller) -> None:
    """Seat bots, remove occupants, start."""
    join(table, caller)
    if not (caller.is_admin or caller.id == table.opened.host):
        raise Forbidden("Only the host may do that.")


def own_or_manage(seat: Seat) -> Right:
    """Empty this seat: its occupant, or the host."""

    def right(table: Table, caller: Caller) -> None:
        join(table, caller)
        if seat_of(table, caller) != seat:
            manage(table, caller)

    return right


def abandon(table: Table, caller: Caller) -> None:
    """Give the table up: its host an unrated one, an admin any."""
    manage(table, caller)
    if table.opened.rated and not caller.is_admin:
        raise Forbidden("A rated table is abandoned by an admin only.")


def referee(table: Table, caller: Caller) -> None:
    """Be admitted to look at all cards."""
    join(table, caller)
    if not caller.is_referee:
        raise Forbidden("Only a referee may look at all cards.")


def look(table: Table, caller: Caller) -> None:
    """Look at all cards: a referee whom the table has admitted."""
    referee(table, caller)
    if caller.id not in table.observers:
        raise Forbidden("Let the table's log say first that you look.")


def again(table: Table, caller: Caller) -> None:
    """Ask for a rematch."""
    join(table, caller)
    if not _belongs(table, caller):
        raise Forbidden("Only those of the table may ask for a rematch.")


def seat_of(table: Table, caller: Caller) -> Seat | None:
    """The seat through whose eyes the caller sees the table."""
    return table.seat_of(caller.id) if caller.id else None


def player(caller: Caller) -> Player:
    """The player who asks, and no stranger."""
    if caller.player is None:
        raise Unauthenticated("A token is needed for this.")
    return caller.player


def _belongs(table: Table, caller: Caller) -> bool:
    return (
        caller.is_admin
        or (caller.id is not None and caller.id == table.opened.host)
        or seat_of(table, caller) is not None
    )
