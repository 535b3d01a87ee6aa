"""The stream of a player: what happens at all the tables where they sit."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from time import monotonic

from api.calls import Call
from api.frames import Form
from api.shapes import TurnShape
from api.watching import HEARTBEAT, UNAUTHORIZED, Token, Watched, end
from domain.ids import TableId, Version
from services.attendance import REFRESH
from services.feeds import Follower, News


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
                watched = Watched(self._call, snapshot, self._form)
                if watched.seat is None:  # what was found was a moment old
                    await house.following.leave(self._follower, table)
                    continue
                self._watched[table] = watched
                yield watched

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
                    yield end(form, follower.ended)
                    return
                elif monotonic() > quiet + HEARTBEAT:
                    yield form.heartbeat
                    quiet = monotonic()
                async for watched in tables.look():
                    async for frame in tables.missed(watched):
                        yield frame
            except UNAUTHORIZED:
                yield end(form, "unauthorized")
                return
