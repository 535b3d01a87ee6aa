"""What a stream sends: what is there, then what happens, as its viewer may see it."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
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
from services.attendance import REFRESH
from services.errors import Busy, Forbidden, NotFound, Unauthenticated
from services.following import Follower, News
from services.ports import StoreUnavailable
from services.slices import read_slice
from services.snapshots import Snapshot

HEARTBEAT: Final = 10.0
"""Seconds of silence after which a heartbeat is sent."""

PAGE: Final = 500


UNAUTHORIZED: Final = (Unauthenticated, Forbidden, NotFound)
"""Why a viewer may not be told any more."""


class Watched:
    """A table on a stream: how far its viewer has been told, and as whom."""

    def __init__(self, call: Call, snapshot: Snapshot, form: Form) -> None:
        """Begin at the table as it is in `snapshot`."""
        self.table = snapshot.table.id
        self.version = snapshot.table.version
        self.is_over = snapshot.table.is_over()
        self.seat = call.seat(snapshot)
        self._call = call
        self._form = form
        self._announced: str | None = None

    async def missed(self, after: Version) -> AsyncIterator[bytes]:
        """The frames of what happened above a version until now."""
        showing = self._call.house.showing
        while after < self.version:
            # No further: the seat is that of this version, and may be another's later.
            more = min(PAGE, self.version - after)
            run = await read_slice(self._call.house.log, self.table, after, more)
            shown = await showing.shown(run, self.seat)
            for event, text in zip(run.events, shown, strict=True):
                yield self._form.frame(event.type, text, event.version)
                after = event.version
        self.version = after

    async def frames_of(self, news: News) -> bytes:
        """The frames of an append.

        Raises:
            NotFound, Forbidden: the viewer may not watch the table any more.
        """
        last = news.append.events[-1].version
        if last <= self.version:
            return b""
        snapshot = await self._call.house.tables.since(self.table, last)
        rights.watch(snapshot.table, self._call.caller)
        self.seat = self._call.seat(snapshot)
        frames = await self._frames(news)
        self.version = last
        self.is_over = snapshot.table.is_over() and snapshot.table.version == last
        return frames

    async def decision(self) -> Decision | None:
        """The viewer's open decision, if it is new, and all before it has been told."""
        snapshot = await self._call.house.tables.known(self.table)
        if self.seat is None or snapshot.table.version != self.version:
            return None
        waiting = views.decision(snapshot.table, self.seat)
        if waiting is None or waiting.id == self._announced:
            return None
        self._announced = waiting.id
        return waiting

    async def _frames(self, news: News) -> bytes:
        """The frames of an append, made once for all who may see the same of it."""
        run, audience = news.append, (self.seat, self._form)
        whole = run.events[0].version > self.version
        if whole and audience in news.made:
            return news.made[audience]
        shown = await self._call.house.showing.shown(run, self.seat)
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
    async with house.following.follower(call.name) as follower:
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
        token = Token(call)
        while not watched.is_over:
            news = await follower.take(HEARTBEAT)
            try:
                await token.check()
                if news is not None:
                    yield await watched.frames_of(news)
                    yield await _decision(watched, form)
                elif follower.ended is None:
                    yield form.heartbeat
                else:
                    yield _end(form, follower.ended)
                    return
            except UNAUTHORIZED:
                yield _end(form, "unauthorized")
                return
        yield _end(form, "finished")


class Token:
    """The token that a stream was opened with, which may end before it."""

    def __init__(self, call: Call) -> None:
        """It was good a moment ago."""
        self._call = call
        self._checked_at = monotonic()

    async def check(self) -> None:
        """See from time to time whether it still is.

        Raises:
            Unauthenticated: it is not.
        """
        if monotonic() >= self._checked_at + HEARTBEAT:
            await self._call.identify()
            self._checked_at = monotonic()


async def _decision(watched: Watched, form: Form) -> bytes:
    waiting = await watched.decision()
    return form.of("decision", waiting) if waiting else b""


def _end(form: Form, reason: str) -> bytes:
    return form.of("end", {"reason": reason})


class Tables:
    """All tables of a player on one stream."""

    def __init__(self, call: Call, form: Form, follower: Follower) -> None:
        """Watch none yet."""
        self._player = call.player().id
        self._call = call
        self._form = form
        self._follower = follower
        self._seen: Sequence[TableId] = ()
        self._watched: dict[TableId, Watched] = {}
        self._reached: dict[TableId, Version] = {}
        """How far tables were told that are not watched any more."""

    async def look(self) -> AsyncIterator[Watched]:
        """Join the tables that the player has come to; those that are new."""
        house = self._call.house
        seen, self._seen = self._seen, await house.attendance.tables(self._player)
        for table in () if seen is self._seen else self._seen:
            if table not in self._watched:
                await house.following.join(self._follower, table)
                snapshot = await house.tables.current(table)
                self._watched[table] = Watched(self._call, snapshot, self._form)
                yield self._watched[table]

    async def missed(self, watched: Watched) -> AsyncIterator[bytes]:
        """What a table that is new here has to be told of first, and its turn."""
        reached = self._reached.get(watched.table, Version(0))
        async for frame in watched.missed(reached):
            yield frame
        yield self.frame(await self.turn(watched))
        await self._leave_if_done(watched)

    async def frames_of(self, news: News) -> bytes:
        """The frames of an append at one of them."""
        watched = self._watched.get(news.append.table)
        if watched is None:
            return b""
        try:
            frames = await watched.frames_of(news)
        except UNAUTHORIZED:
            watched.seat = None
            frames = b""
        frames += self.frame(await self.turn(watched))
        await self._leave_if_done(watched)
        return frames

    async def turn(self, watched: Watched) -> TurnShape | None:
        """The decision that is newly open there."""
        waiting = await watched.decision()
        return TurnShape(watched.table, waiting) if waiting else None

    def frame(self, turn: TurnShape | None) -> bytes:
        """The frame of a decision, if there is one."""
        return self._form.of("decision", turn) if turn else b""

    async def _leave_if_done(self, watched: Watched) -> None:
        """Leave a table that is over, or at which the player sits no more."""
        if watched.is_over or watched.seat is None:
            del self._watched[watched.table]
            self._reached[watched.table] = watched.version
            await self._call.house.following.leave(self._follower, watched.table)


async def follow_player(call: Call, form: Form) -> AsyncGenerator[bytes]:
    """A player's stream: the open decisions, then what happens at all their tables.

    A table that the player comes to later is told from its first event on.
    """
    house, player = call.house, call.player().id
    async with (
        house.following.follower(call.name) as follower,
        house.attendance.kept(player),
    ):
        tables = Tables(call, form, follower)
        await house.projector.catch_up()
        yield form.opening
        turns = [await tables.turn(watched) async for watched in tables.look()]
        yield form.of("snapshot", {"items": [turn for turn in turns if turn]})
        yield form.of("caught_up", {})
        token, quiet = Token(call), monotonic()
        while True:
            news = await follower.take(REFRESH)
            try:
                await token.check()
                if news is not None:
                    yield await tables.frames_of(news)
                    quiet = monotonic()
                elif follower.ended is not None:
                    yield _end(form, follower.ended)
                    return
                elif monotonic() > quiet + HEARTBEAT:
                    yield form.heartbeat
                    quiet = monotonic()
                async for watched in tables.look():
                    async for frame in tables.missed(watched):
                        yield frame
            except UNAUTHORIZED:
                yield _end(form, "unauthorized")
                return


async def until_cut(frames: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The frames of a stream, which just stops where they cannot be made for now.

    A stream that ends without `end` is taken up again where it stopped.
    """
    async with aclosing(frames):
        with suppress(StoreUnavailable, Busy):
            async for frame in frames:
                yield frame
