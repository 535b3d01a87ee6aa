"""A table as its events have made it: `evolve` folds events, `fold` a whole append.

What nobody may know yet (secrets, hands) is in the state too; `views` says who sees
what of it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, convert
from msgspec.structs import replace

from domain.events import (
    TYPE_OF,
    Answer,
    DealRevealed,
    DealStarted,
    EntropyGiven,
    Event,
    MatchEnded,
    MatchStarted,
    SeatLeft,
    SeatsDrawn,
    SeatTaken,
    TableAbandoned,
    TableOpened,
)
from domain.game import Game, Result, State
from domain.games import GAMES
from domain.ids import PlayerId, Seat, TableId, Version
from domain.people import NOBODY, Occupant
from domain.seating import at_seat, moved
from domain.shuffle import NO_ENTROPY, Entropy

Status: TypeAlias = Literal["open", "playing", "finished", "abandoned"]


class Table(Struct, frozen=True, gc=False):
    """A table after `version` events.

    `decisions` is by seat: the version at which its open decision opened, 0 for none.
    `sealed` are the deal's events that hold something hidden, with their versions.
    `started` is how the latest deal began, `revealed` whether its cards lie open;
    `away` are the seats whose players left during the match.
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


def fold(table: Table, events: Sequence[Event]) -> Table:
    """The table after the events of one append, with the decisions that it opened."""
    after, version, play = _followed(table, events)
    decisions = [Version(0)] * len(table.seats)
    if after.status == "playing":
        first = events[0]
        answered = first.seat if isinstance(first, Answer) else None
        for seat in after.game.to_act(play):
            before = Version(0) if seat == answered else table.decisions[seat]
            decisions[seat] = before or version
    return replace(after, version=version, play=play, decisions=tuple(decisions))


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


def _seat_taken(table: Table, event: SeatTaken) -> Table:
    away = tuple(seat for seat in table.away if seat != event.seat)
    seats = at_seat(table.seats, event.seat, event.occupant)
    return replace(table, seats=seats, away=away)


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
    return replace(table, status="playing", play=begun(table.opened))


def _seats_drawn(table: Table, event: SeatsDrawn) -> Table:
    away = tuple(event.seats[seat] for seat in table.away)
    return replace(table, seats=moved(table.seats, event.seats), away=away)


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


SEALED: Final = {kind for kind in TYPE_OF if kind.sealed} - {TableOpened}
"""The events that hide something until their deal is over."""

_LIFE: Final[Mapping[type[Event], Callable[[Table, Any], Table]]] = {
    SeatTaken: _seat_taken,
    SeatLeft: _seat_left,
    EntropyGiven: _entropy_given,
    MatchStarted: _match_started,
    SeatsDrawn: _seats_drawn,
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
