"""What projections derive from the log, as a protocol that `infra` implements.

A read model has generations. One is served; a rebuild fills a new one from the start of
the log, beside the old, and switches to it when it has caught up.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Generic, Literal, NewType, Protocol, TypeVar

from msgspec import Meta, Struct

from domain.ids import PlayerId, Position, Seat, Shard, TableId, Version

Generation = NewType("Generation", int)
"""One build of the read models from the log; a higher one is newer."""


class LobbyRow(Struct, frozen=True):
    """A table at a glance, as it was at `version`; `facts` describes it in JSON.

    `free_seats` are those that anybody may take.
    """

    table: TableId
    version: Version
    game: str
    status: str
    visibility: Literal["public", "private"]
    host: PlayerId | None
    created_at: datetime
    seats: int
    free_seats: int
    rated: bool
    rematch_of: TableId | None
    facts: bytes


class OpenDecision(Struct, frozen=True):
    """A decision that waits for a player.

    `version` is that of the append that opened it.
    """

    seat: Seat
    player: PlayerId
    version: Version
    kind: str


class Finisher(Struct, frozen=True):
    """How a player came off a match; `shared` says that others won it too."""

    player: PlayerId
    seat: Seat
    score: int
    place: int
    won: bool
    shared: bool


class Match(Struct, frozen=True):
    """A match that has ended, and its players, best first.

    `rated` says that it moves their ratings.
    """

    ended_at: datetime
    rated: bool
    finishers: tuple[Finisher, ...]


class TableSummary(LobbyRow, frozen=True):
    """All that the read models keep of a table; a seat has one decision at most.

    `players` are those who sit there while it is not over. `last_at` is the time of its
    last event, `due_at` when it acts for a seat that lets its time run out, `clocked`
    whether its decisions have a time at all. `match` is there once it has ended at a
    public table.
    """

    players: tuple[PlayerId, ...]
    last_at: datetime
    due_at: datetime | None
    clocked: bool
    decisions: tuple[OpenDecision, ...]
    match: Match | None


class Turn(Struct, frozen=True):
    """A decision that waits for a player, and its table."""

    table: TableId
    decision: OpenDecision


class LobbyFilter(Struct, frozen=True):
    """Which tables to list: those that are so in every point that is given."""

    game: str | None = None
    status: str | None = None
    host: PlayerId | None = None
    has_free_seat: bool | None = None


class MomentCursor(Struct, frozen=True):
    """Where a list that goes back in time goes on: after this table of that moment.

    The time is in UTC.
    """

    moment: Annotated[datetime, Meta(tz=True)]
    table: TableId

    def __post_init__(self) -> None:
        if self.moment.utcoffset():
            raise ValueError("The time is not in UTC.")


class TurnCursor(Struct, frozen=True):
    """Where a list of decisions goes on: after this one."""

    table: TableId
    seat: Annotated[Seat, Meta(ge=0, lt=100)]


Item = TypeVar("Item")
Cursor = TypeVar("Cursor")


class Page(Struct, Generic[Item, Cursor], frozen=True):
    """A part of a list, and the cursor of the next part where there is one."""

    items: tuple[Item, ...]
    next: Cursor | None


class ReadModels(Protocol):
    """The lobby and the open decisions, in generations."""

    async def serving(self) -> Generation:
        """The generation that `lobby` and `decisions_of` answer from."""

    async def checkpoints(self, generation: Generation) -> Sequence[Position]:
        """How far a generation has followed each shard: 16 positions, by shard.

        Empty where the generation is gone.
        """

    async def store(
        self,
        generation: Generation,
        shard: Shard,
        expected: Position,
        reached: Position,
        rows: Sequence[TableSummary],
    ) -> bool:
        """Move a shard's checkpoint from `expected` to `reached` and store `rows`.

        Whole or not at all: False, and nothing is stored, where the checkpoint is not
        at `expected` or the generation is gone. `rows` are tables of the shard, each
        once; one that is older than what is stored of its table is passed over.
        """

    async def begin_rebuild(self) -> Generation:
        """Begin a new, empty generation; what is served stays as it is."""

    async def switch(self, generation: Generation) -> bool:
        """Serve `generation`, and drop all older ones.

        False, and nothing changes, where it is gone, for a newer one is served.
        """

    def in_play(self, *, clocked: bool = False) -> AsyncIterator[TableId]:
        """The tables, public or private, whose matches are on: all, or with clocks."""

    async def due(self, now: datetime, limit: int) -> Sequence[TableId]:
        """The tables that have a seat to act for, the longest due first."""

    async def idle(
        self, status: Literal["open", "playing"], since: datetime, limit: int
    ) -> Sequence[TableId]:
        """The tables of that status to which nothing has happened since then."""

    async def lobby(
        self, which: LobbyFilter, limit: int, cursor: MomentCursor | None = None
    ) -> Page[LobbyRow, MomentCursor]:
        """Public tables, the newest first."""

    async def decisions_of(
        self, player: PlayerId, limit: int, cursor: TurnCursor | None = None
    ) -> Page[Turn, TurnCursor]:
        """The decisions that wait for a player, by table and seat."""

    async def live_tables(self, host: PlayerId, limit: int) -> int:
        """How many of a host's tables are open or in play, counted up to `limit`."""

    async def tables_of(
        self, players: Collection[PlayerId], limit: int
    ) -> Mapping[PlayerId, Sequence[TableId]]:
        """The tables at which players sit, the newest first, while they are not over.

        At most `limit` for each; who sits nowhere is not there.
        """
