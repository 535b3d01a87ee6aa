"""The lobby and the open decisions, in memory."""

from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from domain.chain import SHARDS
from domain.ids import PlayerId, Position, Seat, Shard, TableId
from services.ports import Rating
from services.read_models import (
    Generation,
    LobbyFilter,
    LobbyRow,
    MomentCursor,
    Page,
    TableSummary,
    Turn,
    TurnCursor,
)


class Build(Struct):
    """A generation: how far it is, its tables, and those whose matches have ended."""

    positions: list[Position]
    tables: dict[TableId, TableSummary]
    ended: dict[TableId, TableSummary]
    ratings: dict[tuple[TableId, PlayerId], Rating]
    revisions: Counter[str]


class MemoryReadModels:
    """`services.read_models.ReadModels` in memory."""

    def __init__(self) -> None:
        """Begin with one generation that has seen nothing."""
        self._serving = Generation(1)
        self._builds = {self._serving: _empty()}

    def build(self, generation: Generation) -> Build | None:
        """A generation, if it is there."""
        return self._builds.get(generation)

    def served(self) -> Build:
        """The generation that is served."""
        return self._builds[self._serving]

    async def serving(self) -> Generation:
        """The generation that is served."""
        return self._serving

    async def checkpoints(self, generation: Generation) -> Sequence[Position]:
        """How far a generation has followed each shard, by shard."""
        build = self._builds.get(generation)
        return tuple(build.positions) if build else ()

    async def store(
        self,
        generation: Generation,
        shard: Shard,
        expected: Position,
        reached: Position,
        rows: Sequence[TableSummary],
    ) -> bool:
        """Move a shard's checkpoint and store `rows`, whole or not at all."""
        build = self._builds.get(generation)
        if build is None or build.positions[shard] != expected:
            return False
        build.positions[shard] = reached
        for row in rows:
            old = build.tables.get(row.table)
            if old is None or old.version < row.version:
                build.tables[row.table] = row
            if row.match and row.table not in build.ended:
                _end(build, row)
        return True

    async def begin_rebuild(self) -> Generation:
        """Begin a generation above all there are."""
        generation = Generation(max(self._builds) + 1)
        self._builds[generation] = _empty()
        return generation

    async def switch(self, generation: Generation) -> bool:
        """Serve `generation` and drop all older ones."""
        if generation not in self._builds:
            return False
        self._serving = generation
        self._builds = {g: b for g, b in self._builds.items() if g >= generation}
        return True

    async def in_play(self, *, clocked: bool = False) -> AsyncIterator[TableId]:
        """The tables whose matches are on: all, or with clocks."""
        for table in list(self.served().tables.values()):
            if table.status == "playing" and (table.clocked or not clocked):
                yield table.table

    async def due(self, now: datetime, limit: int) -> Sequence[TableId]:
        """The tables that have a seat to act for, the longest due first."""
        due = [
            (table.due_at, table.table)
            for table in self.served().tables.values()
            if table.due_at is not None and table.due_at <= now
        ]
        return [table for _, table in sorted(due)][:limit]

    async def idle(
        self, status: Literal["open", "playing"], since: datetime, limit: int
    ) -> Sequence[TableId]:
        """The tables of that status to which nothing has happened since then."""
        return [
            table.table
            for table in self.served().tables.values()
            if table.status == status and table.last_at < since
        ][:limit]

    async def lobby(
        self, which: LobbyFilter, limit: int, cursor: MomentCursor | None = None
    ) -> Page[LobbyRow, MomentCursor]:
        """Public tables, the newest first."""
        rows = [
            LobbyRow(*(getattr(table, name) for name in LobbyRow.__struct_fields__))
            for table in self.served().tables.values()
            if table.visibility == "public"
            and which.game in (None, table.game)
            and which.status in (None, table.status)
            and which.host in (None, table.host)
            and which.has_free_seat in (None, table.free_seats > 0)
            and (cursor is None or _age(table) < (cursor.moment, cursor.table))
        ]
        rows.sort(key=_age, reverse=True)
        items = tuple(rows[:limit])
        more = len(rows) > limit
        return Page(items=items, next=MomentCursor(*_age(items[-1])) if more else None)

    async def decisions_of(
        self, player: PlayerId, limit: int, cursor: TurnCursor | None = None
    ) -> Page[Turn, TurnCursor]:
        """The decisions that wait for a player, by table and seat."""
        turns = [
            Turn(table.table, decision)
            for table in self.served().tables.values()
            for decision in table.decisions
            if decision.player == player
        ]
        turns.sort(key=_place)
        if cursor is not None:
            after = cursor.table, cursor.seat
            turns = [each for each in turns if _place(each) > after]
        items = tuple(turns[:limit])
        more = len(turns) > limit
        return Page(items=items, next=TurnCursor(*_place(items[-1])) if more else None)

    async def live_tables(self, host: PlayerId, limit: int) -> int:
        """How many of a host's tables are open or in play, up to `limit`."""
        tables = self._builds[self._serving].tables.values()
        live = [it for it in tables if it.status in {"open", "playing"}]
        return min(limit, sum(it.host == host for it in live))

    async def tables_of(
        self, players: Collection[PlayerId], limit: int
    ) -> Mapping[PlayerId, Sequence[TableId]]:
        """The tables not over at which players sit, the newest first."""
        found: dict[PlayerId, list[TableId]] = {}
        tables = self.served().tables.values()
        for each in sorted(tables, key=_age, reverse=True):
            for player in {*players} & {*each.players}:
                found.setdefault(player, []).append(each.table)
        return {player: mine[:limit] for player, mine in found.items()}


def order(ended: TableSummary) -> tuple[datetime, TableId]:
    """Where a match stands among those of its game."""
    return ended.match.ended_at if ended.match else ended.created_at, ended.table


def _end(build: Build, row: TableSummary) -> None:
    """Take a match in; ratings after it are as good as never made."""
    build.ended[row.table] = row
    build.revisions[row.game] += 1
    if row.match and row.match.rated:
        build.ratings = {
            (table, player): rating
            for (table, player), rating in build.ratings.items()
            if build.ended[table].game != row.game
            or order(build.ended[table]) < order(row)
        }


def _empty() -> Build:
    return Build([Position(0)] * SHARDS, {}, {}, {}, Counter())


def _age(row: LobbyRow) -> tuple[datetime, TableId]:
    return row.created_at, row.table


def _place(turn: Turn) -> tuple[TableId, Seat]:
    return turn.table, turn.decision.seat
