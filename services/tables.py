"""Tables at work: bring one up to date, decide a command at it, store what follows.

No process owns a table. A process keeps what it has folded; the version check of the
store is what tells it that another one has been there.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from time import monotonic
from typing import TypeAlias, TypeVar
from uuid import UUID

from msgspec import Struct

from domain import log as lines
from domain.chain import moment, origin, timestamp
from domain.commands import Command, OpenTable
from domain.deciding import Given, decide, open_table
from domain.errors import Refusal
from domain.events import Event
from domain.ids import Hash, Secret, TableId, Version
from domain.people import By
from domain.table import Table
from services.committer import Committer
from services.errors import Busy, Denied, KeyReused, NotFound
from services.identity import Request, time_ordered_id, unique_request
from services.ports import EventLog, NewAppend, Slice, StoreUnavailable
from services.slices import read_slice
from services.snapshots import Snapshot, appends, followed
from services.turns import PATIENCE, Turns


class Done(Struct, frozen=True):
    """A command that was carried out, now or before: its append, what it led to."""

    version: Version
    head: Hash
    append: Slice


Answer = TypeVar("Answer")

Plan: TypeAlias = Callable[[Table], tuple[By, Command]]
"""Whose command it is and which, at the table as it is; raises where it may not be."""

Teller: TypeAlias = Callable[[Slice], None]
"""Tells followers of an append that was stored; what is sealed in it is not there."""

Listener: TypeAlias = Callable[[Snapshot], None]

Amiss: TypeAlias = Callable[[TableId, Exception], None]
"""Is told of a table that was passed over, for something that nobody foresaw."""


class Outside(Struct, frozen=True):
    """What the services take from the world besides the stores: time and chance."""

    now: Callable[[], datetime]
    random_bytes: Callable[[int], bytes]

    def given(self) -> Given:
        """What a decision may need that nobody could foresee."""
        return Given(
            self.now(), Secret(self.random_bytes(32)), Secret(self.random_bytes(32))
        )

    def new_id(self) -> UUID:
        """An id that sorts by the time it was made."""
        return time_ordered_id(self.now(), self.random_bytes(10))

    def request(self) -> Request:
        """The identity of a request that was given no key."""
        return unique_request(self.random_bytes(16))


class Tables:
    """The tables that this process works at."""

    def __init__(  # noqa: PLR0913 - what it works with
        self,
        log: EventLog,
        committer: Committer,
        outside: Outside,
        tell: Teller = lambda _: None,
        *,
        repeated: Callable[[], None] = lambda: None,
        amiss: Amiss = lambda _table, _fault: None,
        keep: int = 10_000,
    ) -> None:
        """`repeated` is called for each command that had been carried out before.

        `amiss` is called with each fault that `contained` has kept to its table.
        """
        self._log = log
        self._committer = committer
        self._outside = outside
        self._tell = tell
        self._repeated = repeated
        self._amiss = amiss
        self._kept: OrderedDict[TableId, Snapshot] = OrderedDict()
        self._keep = keep
        self._turns = Turns()
        self._looks = Turns()
        self._listeners: list[tuple[Listener, Listener]] = []

    def listen(self, listener: Listener, looked: Listener | None = None) -> None:
        """Call `listener` with every table that an append or a look brought forward.

        `looked`, where there is one, is called in its place where it was a look.
        """
        self._listeners.append((listener, looked or listener))

    async def contained(self, table: TableId, work: Awaitable[Answer]) -> Answer | None:
        """What comes of work at one of many tables; None where that fails.

        What this program cannot follow it cannot follow a second later either, and the
        others must not wait for that. Only what was foreseen is raised.
        """
        try:
            return await work
        except (Refusal, Denied, StoreUnavailable):
            raise
        except Exception as fault:  # noqa: BLE001 - whatever it is, the others go on
            self._amiss(table, fault)
            return None

    async def known(self, table: TableId) -> Snapshot:
        """The table as this process last saw it, which may be a little behind.

        Raises:
            NotFound: there is no such table.
        """
        kept = self._kept.get(table)
        if kept is None:
            return await self.current(table)
        self._kept.move_to_end(table)
        return kept

    async def current(self, table: TableId) -> Snapshot:
        """The table with everything that was stored before this call.

        Raises:
            NotFound: there is no such table.
        """
        snapshot = await self._caught_up(table)
        if snapshot is None:
            raise NotFound("There is no such table.")
        return snapshot

    async def since(self, table: TableId, version: Version) -> Snapshot:
        """The table at that version or any later one.

        Raises:
            NotFound: there is no such table.
            Busy: others who asked for it were not answered in time.
        """
        snapshot = await self.known(table)
        if snapshot.table.version >= version:
            return snapshot
        with await self._looks.take(table):  # of many who ask at once, one reads
            snapshot = await self.known(table)
            if snapshot.table.version >= version:
                return snapshot
            return await self.current(table)

    async def at(self, table: TableId, version: Version) -> Snapshot:
        """The table as it was at a version, rounded down to the end of an append."""
        snapshot: Snapshot | None = None
        async for append in appends(self._log, table, Version(0)):
            if append[-1].version > version:
                break
            snapshot = followed(table, snapshot, append)
        if snapshot is None:
            raise NotFound("The table was not there at that version.")
        return snapshot

    async def open(
        self,
        table: TableId,
        by: By,
        command: OpenTable,
        request: Request,
        prepare: Callable[[], Awaitable[None]] | None = None,
    ) -> tuple[Snapshot, Done]:
        """Make a table, or find the one that the same request made before.

        `prepare` is called when nothing speaks against a new table, before it is made.

        Raises:
            Refusal: it cannot be made as asked.
            KeyReused: another request made it.
        """
        with await self._turns.take(table):
            kept = await self._caught_up(table)
            if kept is None:
                given = self._outside.given()
                events = open_table(table, command, given)
                if prepare is not None:
                    await prepare()
                around = _around(given, by, request)
                entry, after = _entry(table, None, events, around, request)
                outcome = await self._committer.append(entry)
                if outcome.kind == "appended":
                    return after, self._stored(entry, after)
            return await self.current(table), await self._earlier(table, request)

    async def execute(
        self, table: TableId, plan: Plan, request: Request
    ) -> tuple[Snapshot, Done]:
        """Carry out a command once: the table after it, and its append.

        A command that was carried out before is not decided again. A refusal counts
        only if nothing was stored meanwhile that this process had not seen.

        Raises:
            Refusal: the rules refuse it.
            Denied: the caller may not, or the table is not there.
            KeyReused: the request's key was used for another one.
            Busy: other commands kept coming first.
            StoreUnavailable: whether it was carried out is unknown.
        """
        until = monotonic() + PATIENCE
        with await self._turns.take(table):
            snapshot = await self.known(table)
            while monotonic() < until:
                try:
                    by, command = plan(snapshot.table)
                    given = self._outside.given()
                    events = decide(snapshot.table, command, given)
                except (Refusal, Denied):
                    if await self._log.find(table, request.command):
                        break
                    newer = await self.current(table)
                    if newer.table.version == snapshot.table.version:
                        raise
                    snapshot = newer
                    continue
                around = _around(given, by, request)
                entry, after = _entry(table, snapshot, events, around, request)
                outcome = await self._committer.append(entry)
                if outcome.kind == "appended":
                    return after, self._stored(entry, after)
                if outcome.kind == "duplicate":
                    break
                snapshot = await self.current(table)
            else:
                raise Busy("Other commands at this table kept coming first.")
            return await self.current(table), await self._earlier(table, request)

    async def _earlier(self, table: TableId, request: Request) -> Done:
        """The append that a request made before."""
        stored = await self._log.find(table, request.command)
        if stored is None or stored.request != request.hash:
            raise KeyReused("This idempotency key was used for another request.")
        self._repeated()
        length = stored.last - stored.first + 1
        after = Version(stored.first - 1)
        append = await read_slice(self._log, table, after, length)
        return Done(stored.last, stored.head, append)

    def _stored(self, entry: NewAppend, after: Snapshot) -> Done:
        """Remember what this process stored, and tell of it."""
        append = Slice(entry.table, entry.prev, tuple(map(lines.public, entry.events)))
        self._keeps(after)
        for listener, _ in self._listeners:
            listener(after)
        self._tell(append)
        return Done(after.table.version, after.head, append)

    async def _caught_up(self, table: TableId) -> Snapshot | None:
        """The kept snapshot with all later appends; None where there is no table."""
        snapshot = self._kept.get(table)
        behind = snapshot
        after = snapshot.table.version if snapshot else Version(0)
        async for append in appends(self._log, table, after):
            snapshot = followed(table, snapshot, append)
        if snapshot is not None and snapshot is not behind and self._keeps(snapshot):
            for _, looked in self._listeners:
                looked(snapshot)
        return snapshot

    def _keeps(self, snapshot: Snapshot) -> bool:
        """Keep a snapshot, unless there is one of its table that is as new."""
        table = snapshot.table.id
        older = self._kept.get(table)
        if older and older.table.version >= snapshot.table.version:
            return False
        self._kept[table] = snapshot
        self._kept.move_to_end(table)
        if len(self._kept) > self._keep:
            self._kept.popitem(last=False)
        return True


def _around(given: Given, by: By, request: Request) -> lines.Circumstances:
    return lines.Circumstances(timestamp(given.now), by, request.command)


def _entry(
    table: TableId,
    before: Snapshot | None,
    events: Sequence[Event],
    around: lines.Circumstances,
    request: Request,
) -> tuple[NewAppend, Snapshot]:
    """An append ready to be stored, and the table after it."""
    head = before.head if before else origin(table)
    state = before.table if before else None
    at = moment(around.at)
    written = lines.write(table, state, head, events, around)
    after = Snapshot(
        table=lines.follow(table, state, events, at),
        head=written[-1].hash,
        opened_at=before.opened_at if before else around.at,
        at=at,
    )
    entry = NewAppend(
        table=table,
        expected=state.version if state else Version(0),
        prev=head,
        head=after.head,
        command=request.command,
        request=request.hash,
        events=tuple(written),
    )
    return entry, after
