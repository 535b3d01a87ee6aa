"""The event log, the players and the notes on tables, in memory."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.chain import SHARDS, link, origin, shard_of
from domain.ids import (
    CommandId,
    Hash,
    PlayerId,
    Position,
    Shard,
    TableId,
    Version,
)
from domain.log import StoredLine
from services.ports import (
    Appended,
    BrokenBatch,
    NewAppend,
    Outcome,
    Placed,
    Player,
    StoreUnavailable,
    TableNote,
)

Outage = Literal["before", "after"]


class _Stream(Struct):
    events: list[StoredLine]
    secrets: dict[Version, bytes]
    appends: dict[CommandId, Appended]


class MemoryEventLog:
    """`services.ports.EventLog` in memory.

    Put an outage into `outages` to make the next append fail, before or after it was
    stored: its caller cannot tell which.
    """

    def __init__(self) -> None:
        """Begin an empty log."""
        self.outages: deque[Outage] = deque()
        self._streams: dict[TableId, _Stream] = {}
        self._shards: list[list[Placed]] = [[] for _ in range(SHARDS)]

    async def append(self, batch: Sequence[NewAppend]) -> Sequence[Outcome]:
        """Store appends of different tables, each standing or falling alone."""
        outage = self.outages.popleft() if self.outages else None
        if outage == "before":
            raise StoreUnavailable
        if len({entry.table for entry in batch}) < len(batch):
            message = "a table stands twice in one batch"
            raise BrokenBatch(message)
        if not all(map(_follows, batch)):
            message = "an append does not follow its chain"
            raise BrokenBatch(message)
        outcomes = tuple(map(self._store, batch))
        if outage == "after":
            raise StoreUnavailable
        return outcomes

    async def read(
        self, table: TableId, after: Version, limit: int
    ) -> Sequence[StoredLine]:
        """The events of `table` above version `after`, in order, at most `limit`."""
        return tuple(self._stream(table).events[after : after + limit])

    async def secrets(
        self, table: TableId, first: Version, last: Version
    ) -> Mapping[Version, bytes]:
        """What is sealed in the events `first` to `last` of `table`, by version."""
        secrets = self._stream(table).secrets
        return {at: secret for at, secret in secrets.items() if first <= at <= last}

    async def heads(
        self, tables: Sequence[TableId]
    ) -> Mapping[TableId, tuple[Version, Hash]]:
        """The version and head of those of `tables` that are there."""
        last = {table: self._stream(table).events[-1:] for table in tables}
        return {
            table: (event.version, event.hash)
            for table, events in last.items()
            for event in events
        }

    async def find(self, table: TableId, command: CommandId) -> Appended | None:
        """The append that `command` made at `table`, if it did."""
        return self._stream(table).appends.get(command)

    async def positions(self) -> Sequence[Position]:
        """The last position of each shard, 16 of them, by shard."""
        return tuple(Position(len(placed)) for placed in self._shards)

    async def placed(
        self, shard: Shard, after: Position, limit: int
    ) -> Sequence[Placed]:
        """The appends of `shard` above position `after`, in order, at most `limit`."""
        return tuple(self._shards[shard][after : after + limit])

    def _stream(self, table: TableId) -> _Stream:
        return self._streams.get(table) or _Stream([], {}, {})

    def _store(self, entry: NewAppend) -> Outcome:
        stream = self._stream(entry.table)
        if stored := stream.appends.get(entry.command):
            return Outcome(kind="duplicate", stored=stored)
        head = stream.events[-1].hash if stream.events else origin(entry.table)
        if (len(stream.events), head) != (entry.expected, entry.prev):
            return Outcome(kind="conflict", stored=None)

        self._streams[entry.table] = stream
        for version, event in enumerate(entry.events, start=entry.expected + 1):
            at = Version(version)
            stream.events.append(StoredLine(at, event.type, event.body, event.hash))
            if event.kept is not None:
                stream.secrets[at] = event.kept
        placed = self._shards[shard_of(entry.table)]
        stored = Appended(
            first=Version(entry.expected + 1),
            last=Version(entry.expected + len(entry.events)),
            position=Position(len(placed) + 1),
            head=entry.head,
            request=entry.request,
        )
        placed.append(
            Placed(
                stored.position, entry.table, stored.first, stored.last, entry.command
            )
        )
        stream.appends[entry.command] = stored
        return Outcome(kind="appended", stored=stored)


def _follows(entry: NewAppend) -> bool:
    at = entry.prev
    for event in entry.events:
        at = link(at, event.body)
        if event.hash != at:
            return False
    begins_rightly = entry.expected > 0 or entry.prev == origin(entry.table)
    return bool(entry.events) and at == entry.head and begins_rightly


class MemoryPlayers:
    """`services.ports.Players` in memory."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._players: dict[PlayerId, Player] = {}
        self._tokens: dict[PlayerId, Hash] = {}

    async def add(self, player: Player, token_hash: Hash) -> None:
        """Remember a new player; once more changes nothing."""
        if player.id not in self._players:
            self._players[player.id] = player
            self._tokens[player.id] = token_hash

    async def by_token(self, token_hash: Hash) -> Player | None:
        """The player whose present token has that hash."""
        for player, present in self._tokens.items():
            if present == token_hash:
                return self._players[player]
        return None

    async def get(self, ids: Sequence[PlayerId]) -> Mapping[PlayerId, Player]:
        """Those of `ids` that are known."""
        return {each: self._players[each] for each in ids if each in self._players}

    async def replace_token(self, player: PlayerId, token_hash: Hash) -> None:
        """Give the player a new token; the old one ends."""
        if player in self._players:
            self._tokens[player] = token_hash

    async def forget(self, player: PlayerId) -> None:
        """Drop the player's name and token; the id stays known."""
        if player in self._players:
            self._players[player] = replace(self._players[player], name=None)
            self._tokens.pop(player, None)


class MemoryNotes:
    """`services.ports.TableNotes` in memory."""

    def __init__(self) -> None:
        """Begin with no note."""
        self._notes: dict[TableId, TableNote] = {}

    async def put(self, table: TableId, title: str | None, invite: str | None) -> None:
        """Note a table's title and invite; where it has a note, that one stays."""
        self._notes.setdefault(table, TableNote(title=title, invite=invite))

    async def get(self, tables: Sequence[TableId]) -> Mapping[TableId, TableNote]:
        """The notes on those of `tables` that have one."""
        return {each: self._notes[each] for each in tables if each in self._notes}
