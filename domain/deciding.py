"""`decide`: the events that follow from a command, or the refusal of it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import UNSET, Struct

from domain import match
from domain.absence import due, move_for
from domain.chain import timestamp
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
from domain.errors import (
    AlreadySeated,
    MatchHasNotStarted,
    MatchHasStarted,
    NotYourTurn,
    Observes,
    SeatIsEmpty,
    SeatIsTaken,
    SeatsNotFilled,
    StaleDecision,
    TableIsOver,
    UnknownSeat,
)
from domain.events import (
    DeadlineExtended,
    DealScored,
    EntropyGiven,
    Event,
    ObserverAdmitted,
    SeatLeft,
    SeatProxied,
    SeatResumed,
    SeatTaken,
    SeatTimedOut,
)
from domain.ids import Seat, Secret, TableId
from domain.opening import opening
from domain.people import NOBODY, Occupant
from domain.table import Table, evolve, opened
from domain.views import decision_id


class Given(Struct, frozen=True):
    """What the outside supplies to a decision: the time, bytes that nobody foresees.

    `match` becomes the secret of a match, `deal` that of a deal that is arranged.
    """

    now: datetime
    match: Secret
    deal: Secret


def open_table(table: TableId, command: OpenTable, given: Given) -> list[Event]:
    """The first append of a table; where bots fill it, the match begins in it too.

    Raises:
        InvalidTable: the table cannot be made as asked.
    """
    event = opening(table, command, given.match)
    bots: list[Event] = [
        SeatTaken(Seat(seat), occupant)
        for seat, occupant in enumerate(command.seats)
        if occupant.bot is not UNSET
    ]
    return [event, *bots, *_autostart(evolve(opened(table, event), bots), given)]


def decide(table: Table, command: Command, given: Given) -> list[Event]:
    """What follows from a command at a table that is there.

    Raises:
        Refusal: the command is refused; nothing follows.
    """
    if table.is_over():
        raise TableIsOver("This table is over.", status=table.status)
    events: list[Event] = _DECIDED[type(command)](table, command, given)
    return events


def _act(table: Table, act: Act, given: Given) -> list[Event]:
    _seat(table, act.seat)
    if table.status == "open":
        raise MatchHasNotStarted("The match has not started.")
    named = act.move.decision
    if named is not UNSET and named != decision_id(table, act.seat):
        raise StaleDecision("That decision is not open.", decision=named)
    game = table.game
    events: list[Event] = game.decide(table.play, act.seat, act.move, table.version)
    for event in events:
        if isinstance(event, DealScored):
            over = evolve(table, events)
            return events + match.end_deal(over, given.deal)
    return events


def _resume(table: Table, command: Resume, given: Given) -> list[Event]:
    seat = command.seat
    if seat not in (*table.away, *table.proxied):
        raise NotYourTurn("The seat is played by its player.", seat=seat)
    return _after(table, SeatResumed(seat), Act(seat, command.move), given)


def _time_out(table: Table, command: TimeOut, given: Given) -> list[Event]:
    """What the table has agreed on for a seat that does not act (X-21)."""
    seat = command.seat
    _seat(table, seat)
    until = due(table, seat)
    if until is None or given.now < until:
        raise NotYourTurn("The seat's time is not up.", seat=seat)
    cause = SeatTimedOut(seat)
    if table.opened.absence == "bot":
        return [cause, SeatProxied(seat)]
    if table.opened.absence == "abandon":
        return [cause, *match.abandon(evolve(table, [cause]))]
    return _after(table, cause, Act(seat, move_for(table, seat)), given)


def _after(table: Table, cause: Event, act: Act, given: Given) -> list[Event]:
    """An event and the move that it brings about."""
    return [cause, *_act(evolve(table, [cause]), act, given)]


def _extend(table: Table, command: ExtendDeadlines, _given: Given) -> list[Event]:
    """Those who waited when the server was back get the time that it was away.

    Who came to decide in its last moments does too: when those were is not known.
    """
    if command.until <= command.since:
        raise NotYourTurn("No time went by then.")
    began = table.clocks.since if table.clocks else ()
    seats = tuple(
        Seat(seat)
        for seat, since in enumerate(began)
        if since is not None and since < command.until
    )
    if not seats:
        raise NotYourTurn("Nobody's time ran then.")
    since, until = timestamp(command.since), timestamp(command.until)
    return [DeadlineExtended(seats, since, until)]


def _take_seat(table: Table, command: TakeSeat, given: Given) -> list[Event]:
    seat, occupant = command.seat, command.occupant
    present = _seat(table, seat)
    taken: list[Event] = [SeatTaken(seat, occupant)]
    if present == occupant and seat in table.proxied:
        return [*taken, SeatResumed(seat)]
    if present == occupant and seat in table.away:
        return taken
    _must_be_open(table)
    if not occupant.is_one():
        raise SeatIsTaken("A seat is one player's, or a bot's.", seat=seat)
    if present != NOBODY:
        raise SeatIsTaken("The seat is taken.", seat=seat)
    if occupant.player is not UNSET and table.seat_of(occupant.player) is not None:
        raise AlreadySeated("You have another seat here.")
    if occupant.player in table.observers:
        raise Observes("You look at all cards of this table.")
    if command.entropy is not None:
        taken.append(EntropyGiven(seat, command.entropy))
    return [*taken, *_autostart(evolve(table, taken), given)]


def _leave_seat(table: Table, command: LeaveSeat, _given: Given) -> list[Event]:
    _occupied(table, command.seat)
    if command.seat in table.away:
        raise SeatIsEmpty("The player has left already.", seat=command.seat)
    return [SeatLeft(command.seat)]


def _give_entropy(table: Table, command: GiveEntropy, _given: Given) -> list[Event]:
    _must_be_open(table)
    _occupied(table, command.seat)
    return [EntropyGiven(command.seat, command.entropy)]


def _start_match(table: Table, _command: StartMatch, given: Given) -> list[Event]:
    _must_be_open(table)
    if not table.is_full():
        raise SeatsNotFilled("Some seats are still free.", free=_free(table))
    return match.start(table, given.deal)


def _abandon(table: Table, _command: AbandonTable, _given: Given) -> list[Event]:
    return match.abandon(table)


def _admit(table: Table, command: AdmitObserver, _given: Given) -> list[Event]:
    """Nobody both plays and knows all cards."""
    if table.seat_of(command.player) is not None:
        raise AlreadySeated("You have a seat here.")
    if command.player in table.observers:
        raise Observes("You look at all cards of this table already.")
    return [ObserverAdmitted(command.player)]


def _open_again(_table: Table, _command: OpenTable, _given: Given) -> list[Event]:
    raise MatchHasStarted("This table is open already.")


def _autostart(table: Table, given: Given) -> list[Event]:
    ready = table.opened.autostart and table.is_full()
    return match.start(table, given.deal) if ready else []


def _seat(table: Table, seat: Seat) -> Occupant:
    if not 0 <= seat < len(table.seats):
        raise UnknownSeat("The table has no such seat.", seats=len(table.seats))
    return table.seats[seat]


def _occupied(table: Table, seat: Seat) -> None:
    if _seat(table, seat) == NOBODY:
        raise SeatIsEmpty("Nobody has that seat.", seat=seat)


def _must_be_open(table: Table) -> None:
    if table.status != "open":
        raise MatchHasStarted("The match has started.", status=table.status)


def _free(table: Table) -> int:
    return table.seats.count(NOBODY)


_DECIDED: Final[Mapping[type[Command], Callable[[Table, Any, Given], list[Event]]]] = {
    OpenTable: _open_again,
    TakeSeat: _take_seat,
    LeaveSeat: _leave_seat,
    GiveEntropy: _give_entropy,
    StartMatch: _start_match,
    AbandonTable: _abandon,
    Act: _act,
    Resume: _resume,
    TimeOut: _time_out,
    ExtendDeadlines: _extend,
    AdmitObserver: _admit,
}
"""What each kind of command leads to."""
