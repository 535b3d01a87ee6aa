"""A table as its events have made it: `evolve` folds events, `fold` a whole append.

What nobody may know yet (secrets, hands) is in the state too; `views` says who sees
what of it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, Struct, convert
from msgspec.structs import replace

from domain import clocks as ticking
from domain.chain import moment
from domain.clocks import Clocks
from domain.events import (
    TYPE_OF,
    Answer,
    DeadlineExtended,
    DealRevealed,
    DealStarted,
    EntropyGiven,
    Event,
    MatchEnded,
    MatchStarted,
    ObserverAdmitted,
    SeatLeft,
    SeatProxied,
    SeatResumed,
    SeatsDrawn,
    SeatTaken,
    SeatTimedOut,
    TableAbandoned,
    TableOpened,
)
from domain.game import Game, Result, State
from domain.games import GAMES
from domain.ids import PlayerId, Seat, TableId, Version
from domain.people import NOBODY, Occupant
from domain.seating import at_seat, moved
from domain.shuffle import NO_ENTROPY, Entropy

IN_FRONT: Final = (SeatTimedOut, SeatResumed)
"""What may stand before the answer to a decision: why it is given just now."""

Status: TypeAlias = Literal["open", "playing", "finished", "abandoned"]


class Table(Struct, frozen=True, gc=False):
    """A table after `version` events.

    `decisions` is by seat: the version at which its open decision opened, 0 for none.
    `sealed` are the deal's events that hold something hidden, with their versions.
    `started` is how the latest deal began, `revealed` whether its cards lie open;
    `away` are the seats whose players left during the match, `proxied` those that bots
    play until their players are back. `observers` have no seat and may look at all
    cards. `clocks` run from the start of the match on, where the table has any.
    """

    id: TableId
    game: Game[Any, Any]
    opened: TableOpened
    seats: tuple[Occupant, ...]
    entropy: tuple[Entropy, ...]
    decisions: tuple[Version, ...]
    version: Version = Version(1)
    status: Status = "open"
    away: tuple[Seat, ...] = ()
    proxied: tuple[Seat, ...] = ()
    observers: frozenset[PlayerId] = frozenset()
    clocks: Clocks | None = None
    play: State | None = None
    started: DealStarted | None = None
    revealed: bool = True
    sealed: tuple[tuple[Version, Event], ...] = ()
    result: Result | None = None

    def seat_of(self, player: PlayerId) -> Seat | None:
        """Where the player sits, if at all."""
        for seat, occupant in enumerate(self.seats):
            if occupant.player == player:
                return Seat(seat)
        return None

    def kept_for(self, seat: Seat) -> PlayerId | None:
        """For whom a seat is kept, until the match starts; None where for nobody.

        Later on seats are their occupants', who may have drawn for new ones.
        """
        if self.status != "open" or not 0 <= seat < len(self.seats):
            return None
        return self.opened.seats[seat].player or None

    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return NOBODY not in self.seats

    def is_over(self) -> bool:
        """Whether nothing more can happen here."""
        return self.status in {"finished", "abandoned"}

    def is_played(self, seat: Seat) -> bool:
        """Whether the seat's player plays it, be the player here or away."""
        return self.seats[seat].player is not UNSET and seat not in self.proxied

    def deal_on(self) -> DealStarted | None:
        """How the deal that is on began; None where none is."""
        return None if self.revealed else self.started


def opened(table: TableId, event: TableOpened) -> Table:
    """The table after its first event."""
    count = len(event.seats)
    return Table(
        id=table,
        game=GAMES[event.game],
        opened=event,
        seats=(NOBODY,) * count,
        entropy=(NO_ENTROPY,) * count,
        decisions=(Version(0),) * count,
    )


def fold(table: Table, events: Sequence[Event], at: datetime) -> Table:
    """The table after the events of one append, with the decisions that it opened.

    `at` is when the append was made.
    """
    table = _with_clock_stopped(table, events[0], at)
    after, version, play = _followed(table, events)
    decisions = [Version(0)] * len(table.seats)
    if after.status == "playing":
        first = events[1] if isinstance(events[0], IN_FRONT) else events[0]
        answered = first.seat if isinstance(first, Answer) else None
        for seat in after.game.to_act(play):
            before = Version(0) if seat == answered else table.decisions[seat]
            decisions[seat] = before or version
    after = replace(after, version=version, play=play, decisions=tuple(decisions))
    return _with_clocks_running(after, at)


def evolve(table: Table, events: Iterable[Event]) -> Table:
    """The table after these events, its decisions left as they were."""
    after, version, play = _followed(table, events)
    return replace(after, version=version, play=play)


def _followed(
    table: Table, events: Iterable[Event]
) -> tuple[Table, Version, State | None]:
    """The table after these events, with its version and the state of its game apart.

    They change with every event, and the table about them hardly ever.
    """
    version, play, steps = table.version, table.play, table.game.steps
    for event in events:
        version = Version(version + 1)
        kind = type(event)
        step = steps.get(kind)
        if step is not None:
            play = step(play, event, version)
        lived = _LIFE.get(kind)
        if lived is not None:
            table = lived(replace(table, version=version, play=play), event)
            play = table.play
    return table, version, play


def _with_clock_stopped(table: Table, cause: Event, at: datetime) -> Table:
    """The table with the clock stopped whose seat acts, or runs out of time."""
    if table.clocks is None or not isinstance(cause, (Answer, *IN_FRONT)):
        return table
    if cause.seat is None:
        return table
    return replace(table, clocks=ticking.stopped(table.clocks, cause.seat, at))


def _with_clocks_running(table: Table, at: datetime) -> Table:
    """The table with the clocks running of all whose decisions are open."""
    if table.clocks is None:
        return table
    seats = {
        seat
        for seat, opened_at in enumerate(table.decisions)
        if opened_at and table.is_played(Seat(seat))
    }
    return replace(table, clocks=ticking.running(table.clocks, seats, at))


def _seat_taken(table: Table, event: SeatTaken) -> Table:
    seats = at_seat(table.seats, event.seat, event.occupant)
    return replace(table, seats=seats, away=_without(table.away, event.seat))


def _seat_left(table: Table, event: SeatLeft) -> Table:
    if table.status == "playing":
        return replace(table, away=(*table.away, event.seat))
    return replace(
        table,
        seats=at_seat(table.seats, event.seat, NOBODY),
        entropy=at_seat(table.entropy, event.seat, NO_ENTROPY),
    )


def _entropy_given(table: Table, event: EntropyGiven) -> Table:
    given = bytes.fromhex(event.entropy)
    return replace(table, entropy=at_seat(table.entropy, event.seat, given))


def _match_started(table: Table, _event: MatchStarted) -> Table:
    clock = table.opened.clock
    clocks = ticking.wound(clock, len(table.seats)) if clock else None
    return replace(table, status="playing", play=begun(table.opened), clocks=clocks)


def _seats_drawn(table: Table, event: SeatsDrawn) -> Table:
    return replace(
        table,
        seats=moved(table.seats, event.seats),
        away=tuple(event.seats[seat] for seat in table.away),
        proxied=tuple(event.seats[seat] for seat in table.proxied),
        clocks=table.clocks and ticking.redrawn(table.clocks, event.seats),
    )


def _seat_proxied(table: Table, event: SeatProxied) -> Table:
    return replace(table, proxied=(*table.proxied, event.seat))


def _seat_resumed(table: Table, event: SeatResumed) -> Table:
    return replace(
        table,
        away=_without(table.away, event.seat),
        proxied=_without(table.proxied, event.seat),
    )


def _observer_admitted(table: Table, event: ObserverAdmitted) -> Table:
    return replace(table, observers=table.observers | {event.player})


def _deadline_extended(table: Table, event: DeadlineExtended) -> Table:
    if table.clocks is None:
        return table
    span = moment(event.until) - moment(event.since)
    clocks = ticking.extended(table.clocks, event.seats, span)
    return replace(table, clocks=clocks)


def _deal_started(table: Table, event: DealStarted) -> Table:
    return replace(table, started=event, revealed=False)


def _sealed(table: Table, event: Event) -> Table:
    return replace(table, sealed=(*table.sealed, (table.version, event)))


def _deal_revealed(table: Table, _event: DealRevealed) -> Table:
    return replace(table, revealed=True, sealed=())


def _match_ended(table: Table, event: MatchEnded) -> Table:
    result = Result(winners=event.winners, settlement=event.settlement)
    return replace(table, status="finished", result=result)


def _table_abandoned(table: Table, _event: TableAbandoned) -> Table:
    return replace(table, status="abandoned")


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)


SEALED: Final = {kind for kind in TYPE_OF if kind.sealed} - {TableOpened}
"""The events that hide something until their deal is over."""

_LIFE: Final[Mapping[type[Event], Callable[[Table, Any], Table]]] = {
    SeatTaken: _seat_taken,
    SeatLeft: _seat_left,
    EntropyGiven: _entropy_given,
    MatchStarted: _match_started,
    SeatsDrawn: _seats_drawn,
    SeatProxied: _seat_proxied,
    SeatResumed: _seat_resumed,
    DeadlineExtended: _deadline_extended,
    ObserverAdmitted: _observer_admitted,
    DealStarted: _deal_started,
    **dict.fromkeys(SEALED, _sealed),
    DealRevealed: _deal_revealed,
    MatchEnded: _match_ended,
    TableAbandoned: _table_abandoned,
}
"""What events change of the table beside its game."""


def begun(event: TableOpened) -> State:
    """A match at this table before its first deal."""
    game = GAMES[event.game]
    options = convert(event.options, game.options)
    scores = event.arrangement.scores if event.arrangement else None
    state: State = game.begin(options, len(event.seats), scores)
    return state
