"""A table as its events have made it: `evolve` folds one event, `fold` an append.

What nobody may know yet (secrets, hands) is in the state too; `views` says who sees
what of it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct, convert
from msgspec.structs import replace

from domain.events import (
    Answer,
    DealRevealed,
    DealStarted,
    EntropyGiven,
    Event,
    MatchEnded,
    MatchStarted,
    PlayEvent,
    SeatLeft,
    SeatTaken,
    TableAbandoned,
    TableOpened,
)
from domain.game import Game, Result, State
from domain.games import GAMES
from domain.ids import PlayerId, Seat, TableId, Version
from domain.people import NOBODY, Occupant
from domain.seating import at_seat
from domain.shuffle import NO_ENTROPY, Entropy

Status: TypeAlias = Literal["open", "playing", "finished", "abandoned"]


class Table(Struct, frozen=True):
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
    after = evolve_all(table, events)
    decisions = [Version(0)] * len(table.seats)
    if after.status == "playing":
        answered = {event.seat for event in events if isinstance(event, Answer)}
        for seat in after.game.to_act(after.play):
            before = Version(0) if seat in answered else table.decisions[seat]
            decisions[seat] = before or after.version
    return replace(after, decisions=tuple(decisions))


def evolve_all(table: Table, events: Iterable[Event]) -> Table:
    """The table after these events, its decisions left as they were."""
    for event in events:
        table = evolve(table, event)
    return table


def evolve(table: Table, event: Event) -> Table:
    """The table after one more event, its decisions left as they were."""
    version = Version(table.version + 1)
    if isinstance(event, PlayEvent):
        play = table.game.evolve(table.play, event, version)
        if not event.sealed:
            if isinstance(event, DealStarted):
                table = replace(table, started=event, revealed=False)
            return replace(table, version=version, play=play)
        sealed = (*table.sealed, (version, event))
        return replace(table, version=version, play=play, sealed=sealed)
    return replace(_lived(table, event), version=version)


def _lived(table: Table, event: Event) -> Table:
    match event:
        case SeatTaken(seat=seat, occupant=occupant):
            away = tuple(other for other in table.away if other != seat)
            return replace(table, seats=at_seat(table.seats, seat, occupant), away=away)
        case SeatLeft(seat=seat) if table.status == "playing":
            return replace(table, away=(*table.away, seat))
        case SeatLeft(seat=seat):
            return replace(
                table,
                seats=at_seat(table.seats, seat, NOBODY),
                entropy=at_seat(table.entropy, seat, NO_ENTROPY),
            )
        case EntropyGiven(seat=seat, entropy=entropy):
            given = bytes.fromhex(entropy)
            return replace(table, entropy=at_seat(table.entropy, seat, given))
        case MatchStarted():
            return replace(table, status="playing", play=_begin(table))
        case DealRevealed():
            return replace(table, revealed=True, sealed=())
        case MatchEnded(winners=winners, settlement=settlement):
            result = Result(winners=winners, settlement=settlement)
            return replace(table, status="finished", result=result)
        case TableAbandoned():
            return replace(table, status="abandoned")
        case _:
            return table


def _begin(table: Table) -> State:
    arrangement = table.opened.arrangement
    options = convert(table.opened.options, table.game.options)
    scores = arrangement.scores if arrangement else None
    begun: State = table.game.begin(options, len(table.seats), scores)
    return begun
