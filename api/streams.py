"""The stream of a table: what is there, then what happens, as its viewer may see it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from api.calls import Call
from api.frames import Form
from api.presenting import view_answer
from api.watching import HEARTBEAT, UNAUTHORIZED, Token, Watched, end
from domain.ids import TableId, Version
from services.errors import Busy
from services.ports import StoreUnavailable


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
                    yield end(form, follower.ended)
                    return
            except UNAUTHORIZED:
                yield end(form, "unauthorized")
                return
        yield end(form, "finished")


async def _decision(watched: Watched, form: Form) -> bytes:
    waiting = await watched.decision()
    return form.of("decision", waiting) if waiting else b""


async def until_cut(frames: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The frames of a stream, which just stops where they cannot be made for now.

    A stream that ends without `end` is taken up again where it stopped.
    """
    async with aclosing(frames):
        with suppress(StoreUnavailable, Busy):
            async for frame in frames:
                yield frame
