"""What the services need from the world, as protocols that `infra` implements."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from msgspec import Struct

from domain.ids import CommandId, Hash, PlayerId, Position, Shard, TableId, Version
from domain.log import Line, StoredLine


class NewAppend(Struct, frozen=True):
    """All that one accepted command adds to a table, to be stored whole or not at all.

    `expected` is the table's version before it (0 where it opens the table), `prev` the
    head before it, `head` the hash of its last event.
    """

    table: TableId
    expected: Version
    prev: Hash
    head: Hash
    command: CommandId
    request: Hash
    events: tuple[Line, ...]


class Appended(Struct, frozen=True):
    """A stored append, as its idempotency record keeps it."""

    first: Version
    last: Version
    position: Position
    head: Hash
    request: Hash


class Outcome(Struct, frozen=True):
    """What became of a `NewAppend`.

    `duplicate`: its command was stored before, `stored` is that append. `conflict`: the
    table has moved on, nothing was stored.
    """

    kind: Literal["appended", "duplicate", "conflict"]
    stored: Appended | None


class Slice(Struct, frozen=True):
    """Events of a table in order; `before` is its head before the first of them."""

    table: TableId
    before: Hash
    events: tuple[StoredLine, ...]


class Placed(Struct, frozen=True):
    """An append as a projection meets it, in the order of its shard."""

    position: Position
    table: TableId
    first: Version
    last: Version
    command: CommandId


class EventLog(Protocol):
    """The append-only log of every table."""

    async def append(self, batch: Sequence[NewAppend]) -> Sequence[Outcome]:
        """Store appends of different tables at once, each standing or falling alone.

        Answers are in the order of `batch`, and what they call stored is durable.

        Raises:
            BrokenBatch: an append does not follow its chain, or a table stands twice;
                nothing was stored.
            StoreUnavailable: the store did not answer; what was stored is unknown, and
                sending the same batch again is safe.
        """

    async def read(
        self, table: TableId, after: Version, limit: int
    ) -> Sequence[StoredLine]:
        """The events of `table` above version `after`, in order, at most `limit`."""

    async def secrets(
        self, table: TableId, first: Version, last: Version
    ) -> Mapping[Version, bytes]:
        """What is sealed in the events `first` to `last` of `table`, by version."""

    async def heads(
        self, tables: Sequence[TableId]
    ) -> Mapping[TableId, tuple[Version, Hash]]:
        """The version and head of those of `tables` that are there."""

    async def find(self, table: TableId, command: CommandId) -> Appended | None:
        """The append that `command` made at `table`, if it did."""

    async def positions(self) -> Sequence[Position]:
        """The last position of each shard, 16 of them, by shard."""

    async def placed(
        self, shard: Shard, after: Position, limit: int
    ) -> Sequence[Placed]:
        """The appends of `shard` above position `after`, in order, at most `limit`."""


class Hints(Protocol):
    """Tells other processes of new events. A hint may be lost, late or repeated."""

    async def publish(self, news: Sequence[Slice]) -> None:
        """Tell every process that listens for these tables."""

    async def listen_for(self, table: TableId) -> None:
        """From now on receive what is published of the table."""

    async def forget(self, table: TableId) -> None:
        """Receive nothing more of the table."""

    async def receive(self, deliver: Callable[[Slice], None]) -> None:
        """Hand on what is received, until cancelled or the line breaks.

        Raises:
            HintsUnavailable: the line broke; call it again in a while.
        """


class Outage(Struct, frozen=True):
    """A time in which no process kept the time of the tables."""

    since: datetime
    until: datetime


class Lease(Protocol):
    """Which process keeps the time of the tables: one at a time, until it is gone."""

    async def take(self, holder: UUID) -> bool:
        """Take the lease, or keep it; False where a living process has it.

        A holder is alive that came back for it within some seconds. Where nobody had it
        for longer, that is noted as an outage.
        """

    async def leave(self, holder: UUID) -> None:
        """Give the lease back, if this process has it."""

    async def outages(self) -> Sequence[Outage]:
        """Those that have not been made up for, the first ones first."""

    async def settle(self, outage: Outage) -> None:
        """Note that it has been made up for."""


class BrokenBatch(Exception):
    """The store refused a batch whole, for it would break a promise of the log."""


class HintsUnavailable(Exception):
    """Hints cannot be sent or received; followers are late, and lose nothing."""


class StoreUnavailable(Exception):
    """The store could not be reached or did not answer in time."""


class Player(Struct, frozen=True):
    """Somebody who has a token. A forgotten player has no name.

    A `referee` is an administrator who may look at hidden cards, which is logged.
    """

    id: PlayerId
    name: str | None
    kind: Literal["human", "bot"]
    admin: bool = False
    referee: bool = False


class Players(Protocol):
    """Who plays here; kept beside the log, so that a person can be forgotten."""

    async def add(self, player: Player, token_hash: Hash) -> None:
        """Remember a new player, who is known by the token of that hash."""

    async def by_token(self, token_hash: Hash) -> Player | None:
        """The player whose present token has that hash."""

    async def get(self, ids: Sequence[PlayerId]) -> Mapping[PlayerId, Player]:
        """Those of `ids` that are known."""

    async def replace_token(self, player: PlayerId, token_hash: Hash) -> None:
        """Give the player a new token; the old one ends."""

    async def forget(self, player: PlayerId) -> None:
        """Drop the player's name and token; the id stays known."""


class TableNote(Struct, frozen=True):
    """What people call a table, and what lets them into a private one."""

    title: str | None
    invite: str | None


class TableNotes(Protocol):
    """Titles and invites of tables; kept beside the log, as all free text is."""

    async def put(self, table: TableId, title: str | None, invite: str | None) -> None:
        """Note a table's title and invite; where it has a note, that one stays."""

    async def get(self, tables: Sequence[TableId]) -> Mapping[TableId, TableNote]:
        """The notes on those of `tables` that have one."""


class Rating(Struct, frozen=True):
    """How strong a player is held to be, and how far that may be off, in millionths.

    Whole numbers: they are the same on every machine that makes them anew.
    """

    mean: int
    deviation: int

    @property
    def worth(self) -> int:
        """What the player is almost certainly worth: 0 for who has just come."""
        return (self.mean - 3 * self.deviation) // 1_000_000


class Ratings(Protocol):
    """A way to learn from matches of any number of players how strong they are."""

    def newcomer(self) -> Rating:
        """The rating of who has played no match."""

    def after(
        self, before: Sequence[Rating], places: Sequence[int]
    ) -> Sequence[Rating]:
        """The ratings after a match; who has the same place was equally good.

        It depends on what is given alone.
        """
