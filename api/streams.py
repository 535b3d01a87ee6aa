"""What a stream sends: what is there, then what happens, as its viewer may see it."""

from collections.abc import AsyncGenerator, AsyncIterator
from time import monotonic
from typing import Final

from api.calls import Call
from api.frames import Form
from api.presenting import view_answer
from api.shapes import TurnShape
from domain import views
from domain.ids import TableId, Version
from domain.sight import Decision
from services import rights
from services.errors import Denied
from services.following import Follower, News
from services.slices import read_slice
from services.snapshots import Snapshot

HEARTBEAT: Final = 10.0
"""Seconds of silence after which a heartbeat is sent."""

PAGE: Final = 500

MOST_TABLES: Final = 500
"""At how many tables one player can be followed on one connection."""

REFRESH: Final = 1.0
"""Seconds between looks for tables that a player has come to."""


class Watched:
    """A table on a stream: how far its viewer has been told, and as whom."""

    def __init__(self, call: Call, snapshot: Snapshot, form: Form) -> None:
        """Begin at the table as it is in `snapshot`."""
        self.table = snapshot.table.id
        self.version = snapshot.table.version
        self.is_over = snapshot.table.is_over()
        self._seat = call.seat(snapshot)
        self._call = call
        self._form = form
        self._told: str | None = None

    async def missed(self, after: Version) -> AsyncIterator[bytes]:
        """The frames of what happened above a version until now."""
        showing = self._call.house.showing
        while after < self.version:
            # No further: the seat is that of this version, and may be another's later.
            more = min(PAGE, self.version - after)
            run = await read_slice(self._call.house.log, self.table, after, more)
            shown = await showing.shown(run, self._seat)
            for event, text in zip(run.events, shown, strict=True):
                yield self._form.frame(event.type, text, event.version)
                after = event.version
        self.version = after

    async def told(self, news: News) -> bytes:
        """The frames of an append.

        Raises:
            Denied: the viewer may not watch the table any more.
        """
        last = news.append.events[-1].version
        if last <= self.version:
            return b""
        snapshot = await self._call.house.tables.since(self.table, last)
        rights.watch(snapshot.table, self._call.caller)
        self._seat = self._call.seat(snapshot)
        frames = await self._frames(news)
        self.version = last
        self.is_over = snapshot.table.is_over() and snapshot.table.version == last
        return frames

    async def decision(self) -> Decision | None:
        """The viewer's open decision, if it is new, and all before it has been told."""
        snapshot = await self._call.house.tables.known(self.table)
        if self._seat is None or snapshot.table.version != self.version:
            return None
        waiting = views.decision(snapshot.table, self._seat)
        if waiting is None or waiting.id == self._told:
            return None
        self._told = waiting.id
        return waiting

    async def _frames(self, news: News) -> bytes:
        """The frames of an append, made once for all who may see the same of it."""
        run, audience = news.append, (self._seat, self._form)
        whole = run.events[0].version > self.version
        if whole and audience in news.made:
            return news.made[audience]
        shown = await self._call.house.showing.shown(run, self._seat)
        made = b"".join(
            self._form.frame(event.type, text, event.version)
            for event, text in zip(run.events, shown, strict=True)
            if event.version > self.version
        )
        if whole:
            news.made[audience] = made
        return made


async def follow_table(
    call: Call, table: TableId, form: Form, after: Version | None
) -> AsyncGenerator[bytes]:
    """A table's stream: a snapshot, or what happened above `after`, then what happens.

    It ends with the table, or says why it cannot go on.
    """
    house = call.house
    async with house.following.follower() as follower:
        await house.following.join(follower, table)
        snapshot = await house.tables.current(table)
        watched = Watched(call, snapshot, form)
        yield form.opening
        if after is None:
            seen = await view_answer(house, snapshot, call.seat(snapshot))
            yield form.of("snapshot", seen, watched.version)
        else:
            async for frame in watched.missed(after):
                yield frame
        version, head = watched.version, snapshot.head.hex()
        yield await _decision(watched, form)
        yield form.of("caught_up", {"version": version, "head": head}, version)
        while not watched.is_over:
            news = await follower.take(HEARTBEAT)
            try:
                if news is not None:
                    yield await watched.told(news)
                    yield await _decision(watched, form)
                elif follower.ended is None:
                    await call.identify()
                    yield form.heartbeat
                else:
                    yield _end(form, follower.ended)
                    return
            except Denied:
                yield _end(form, "unauthorized")
                return
        yield _end(form, "finished")


async def _decision(watched: Watched, form: Form) -> bytes:
    waiting = await watched.decision()
    return form.of("decision", waiting) if waiting else b""


def _end(form: Form, reason: str) -> bytes:
    return form.of("end", {"reason": reason})


class Tables:
    """All tables of a player on one stream."""

    def __init__(self, call: Call, form: Form, follower: Follower) -> None:
        """Watch none yet."""
        self.watched: dict[TableId, Watched] = {}
        self._call = call
        self._form = form
        self._follower = follower
        self._looked_at = 0.0

    async def look(self) -> AsyncIterator[Watched]:
        """Join the tables that the player has come to; those that are new."""
        house = self._call.house
        if monotonic() < self._looked_at + REFRESH:
            return
        self._looked_at = monotonic()
        player = self._call.player().id
        for table in await house.models.tables_of(player, MOST_TABLES):
            if table not in self.watched:
                await house.following.join(self._follower, table)
                snapshot = await house.tables.current(table)
                self.watched[table] = Watched(self._call, snapshot, self._form)
                yield self.watched[table]

    async def told(self, news: News) -> bytes:
        """The frames of an append at one of them; one that is over is left."""
        watched = self.watched.get(news.append.table)
        if watched is None:
            return b""
        frames = await watched.told(news) + self.frame(await self.turn(watched))
        if watched.is_over:
            del self.watched[watched.table]
            await self._call.house.following.leave(self._follower, watched.table)
        return frames

    async def turn(self, watched: Watched) -> TurnShape | None:
        """The decision that is newly open there."""
        waiting = await watched.decision()
        return TurnShape(watched.table, waiting) if waiting else None

    def frame(self, turn: TurnShape | None) -> bytes:
        """The frame of a decision, if there is one."""
        return self._form.of("decision", turn) if turn else b""


async def follow_player(call: Call, form: Form) -> AsyncGenerator[bytes]:
    """A player's stream: the open decisions, then what happens at all their tables.

    A table that the player comes to later is told from its first event on.
    """
    house = call.house
    async with house.following.follower() as follower:
        tables = Tables(call, form, follower)
        await house.projector.catch_up()
        yield form.opening
        turns = [await tables.turn(watched) async for watched in tables.look()]
        yield form.of("snapshot", {"items": [turn for turn in turns if turn]})
        yield form.of("caught_up", {})
        quiet = monotonic()
        while True:
            news = await follower.take(REFRESH)
            try:
                if news is not None:
                    yield await tables.told(news)
                    quiet = monotonic()
                elif follower.ended is not None:
                    yield _end(form, follower.ended)
                    return
                elif monotonic() > quiet + HEARTBEAT:
                    await call.identify()
                    yield form.heartbeat
                    quiet = monotonic()
                async for watched in tables.look():
                    async for frame in watched.missed(Version(0)):
                        yield frame
                    yield tables.frame(await tables.turn(watched))
            except Denied:
                yield _end(form, "unauthorized")
                return
