"""Watching a table on a stream: how far its viewer has been told, and by what right."""

from collections.abc import AsyncIterator
from time import monotonic
from typing import Final

from api.calls import Call
from api.frames import Form
from domain import views
from domain.ids import Version
from domain.sight import Decision
from services import rights
from services.errors import Forbidden, NotFound, Unauthenticated
from services.feeds import News
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


def end(form: Form, reason: str) -> bytes:
    """The frame that says why nothing more comes."""
    return form.of("end", {"reason": reason})
