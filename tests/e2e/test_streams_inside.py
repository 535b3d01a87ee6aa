"""Streams, seen from outside and from inside the server that sends them."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from uuid import UUID

import httpx
import pytest
from structlog.testing import capture_logs

from api import house as houses
from api import player_streams, streams, watching
from api.frames import Form
from domain.ids import PlayerId
from infra.hints import RedisHints
from infra.settings import Settings
from services import attendance, feeds, following
from services.errors import Busy
from services.ports import StoreUnavailable
from tests.e2e.client import Client, Json, good, refused
from tests.e2e.four import four_of
from tests.e2e.inside import Inside, served
from tests.e2e.reading import Reader, events, until
from tests.valkey_cluster import Cluster


async def test_a_play_is_told_at_another_server_through_a_cluster(
    database: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a hint: nobody looks at the log."""

    async def look_at_nothing(_: following.Following) -> None: ...

    monkeypatch.setattr(following.Following, "_find_missed", look_at_nothing)
    async with (
        served(database, cluster.url()) as here,
        served(database, cluster.url()) as there,
        here.http() as http,
        there.http() as elsewhere,
    ):
        four = await four_of([await Client.register(http) for _ in range(4)])
        ada = Client(elsewhere, four.people[0].token)
        async with (
            asyncio.timeout(30),
            ada.frames(f"/tables/{four.table}/stream") as frames,
        ):
            await until(frames, "caught_up")
            await four.all_pass()
            await until(frames, "passes_exchanged")


async def test_looks_go_on_whatever_becomes_of_the_hints(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that nobody foresaw makes followers late, no more."""
    monkeypatch.setattr(following, "LOOK", 0.5)
    monkeypatch.setattr(houses, "PAUSE", 0.01)

    async def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(RedisHints, "receive", fails)
    async with (
        served(database) as here,
        served(database, "redis://127.0.0.1:1") as there,
        here.http() as http,
        there.http() as elsewhere,
    ):
        host = await Client.register(http)
        table = await host.open_table()
        stranger = Client(elsewhere)
        async with (
            asyncio.timeout(30),
            stranger.frames(f"/tables/{table}/stream") as frames,
        ):
            await until(frames, "caught_up")
            await host.sit(table, 0)
            await until(frames, "seat_taken")


@pytest.mark.parametrize("why", [StoreUnavailable(), Busy("Too much.")])
async def test_what_cannot_be_told_for_now_cuts_a_stream(
    database: str, monkeypatch: pytest.MonkeyPatch, why: Exception
) -> None:
    """It stops without `end`, so that its client comes back, and nothing is logged."""
    with capture_logs() as logged:
        frames = await _frames_when_none_can_be_made(database, monkeypatch, why)
    assert [frame["frame"] for frame in frames] == []
    assert [line for line in logged if line["log_level"] != "debug"] == []


async def test_a_fault_in_a_stream_is_logged_by_kind_and_place(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client sees that the answer is not whole."""
    with (
        capture_logs() as logged,
        pytest.raises(httpx.RemoteProtocolError, match="incomplete"),
    ):
        await _frames_when_none_can_be_made(database, monkeypatch, LookupError("QS"))
    [line] = [line for line in logged if line["log_level"] != "debug"]
    assert (line["event"], line["error"]) == ("an answer was cut short", "LookupError")
    assert __file__ in str(line["at"])
    assert "QS" not in str(line)


async def _frames_when_none_can_be_made(
    database: str, monkeypatch: pytest.MonkeyPatch, why: Exception
) -> list[Json]:
    """What comes on a stream once no frames of news can be made."""

    async def fails(*_: object) -> None:
        raise why

    async with served(database) as here, here.http() as http:
        host = await Client.register(http)
        table = await host.open_table()
        reading = Client(http).frames(f"/tables/{table}/stream")
        async with asyncio.timeout(30), reading as frames:
            await until(frames, "caught_up")
            with monkeypatch.context() as patch:
                patch.setattr(watching.Watched, "frames_of", fails)
                await host.sit(table, 0)
                return [frame async for frame in frames]


@pytest.mark.parametrize(
    ("media", "beat"), [("application/x-ndjson", ""), ("text/event-stream", ":")]
)
@pytest.mark.parametrize("path", ["/tables/{}/stream", "/me/stream"])
async def test_silence_is_filled_with_heartbeats(
    database: str, monkeypatch: pytest.MonkeyPatch, path: str, media: str, beat: str
) -> None:
    """Which are no frames, in either form, on either stream."""
    for module in (streams, player_streams):
        monkeypatch.setattr(module, "HEARTBEAT", 0.05)
    monkeypatch.setattr(player_streams, "REFRESH", 0.05)
    async with served(database) as here, here.http() as http:
        host = await Client.register(http)
        table = await host.open_table()
        async with (
            asyncio.timeout(30),
            host.stream(path.format(table), media=media) as answer,
        ):
            lines = answer.aiter_lines()
            while "caught_up" not in await anext(lines):
                pass
            await anext(lines)  # what is left of that frame, or a heartbeat
            beats = [line async for line in _some(lines, 8)]
            assert set(beats) == ({""} if media == Form.NDJSON.value else {"", beat})


async def _some(lines: AsyncIterator[str], count: int) -> AsyncIterator[str]:
    for _ in range(count):
        yield await anext(lines)


async def test_who_reads_no_more_is_told_so_and_can_go_on(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All up to where it was given up comes, then `end`; the rest comes by the id."""
    monkeypatch.setattr(feeds, "LONGEST_QUEUE", 4)
    async with served(database) as here, here.http() as http:
        host = await Client.register(http)
        table = await host.open_table()
        path = f"/v1/tables/{table}/stream?after=1"
        async with asyncio.timeout(60), _reading_by_itself(here, path) as slow:
            await _frames(slow, "caught_up")
            [follower] = here.house.following._followers  # noqa: SLF001
            while follower.ended is None:
                await host.sit(table, 0)
                good(await host.ask("DELETE", f"/tables/{table}/seats/0"))
            told = await _frames(slow, "end")
        assert told[-1]["data"] == {"reason": "overflow"}
        versions = [event["version"] for event in events(told)]
        async with asyncio.timeout(10):
            await here.is_left()
        reading = Client(http).frames(f"/tables/{table}/stream", after=versions[-1])
        async with reading as frames:
            rest = events(await until(frames, "caught_up"))
        assert rest
        versions += [event["version"] for event in rest]
        listed = await host.events(table, after=1)
        assert versions == [event["version"] for event in listed]


@asynccontextmanager
async def _reading_by_itself(
    here: Inside, path: str
) -> AsyncIterator[asyncio.StreamReader]:
    """A connection on which a stream was asked for, with little room to wait in."""
    url = httpx.URL(here.address)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect((url.host, url.port))
    line.setblocking(False)  # noqa: FBT003
    reader, writer = await asyncio.open_connection(sock=line, limit=4096)
    writer.write(
        b"GET %b HTTP/1.1\r\nHost: it\r\nAccept: application/x-ndjson\r\n\r\n"
        % path.encode()
    )
    yield reader
    writer.close()
    await writer.wait_closed()


async def _frames(reader: asyncio.StreamReader, last: str) -> list[Json]:
    """The frames on a connection, up to the first of a kind."""
    frames: list[Json] = []
    while not frames or frames[-1]["frame"] != last:
        line = await reader.readline()
        assert line, frames
        if line.startswith(b"{"):  # between them are the lengths of the parts
            frames.append(json.loads(line))
    return frames


async def test_a_private_table_that_was_left_is_told_no_more(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even while the server still thinks that the player sits there."""
    monkeypatch.setattr(player_streams, "REFRESH", 0.05)
    monkeypatch.setattr(attendance, "REFRESH", 0.05)
    async with served(database) as here, here.http() as http:
        host, guest = [await Client.register(http) for _ in range(2)]
        terms = {"game": "hearts", "visibility": "private"}
        made = good(await host.ask("POST", "/tables", terms), 201)
        left, kept = made["table"]["id"], await host.open_table()
        await guest.sit(left, 0, invite=made["invite"])
        await guest.sit(kept, 0)

        async def as_before(players: Sequence[PlayerId], _: int) -> object:
            return dict.fromkeys(players, (UUID(left), UUID(kept)))

        monkeypatch.setattr(here.house.models, "tables_of", as_before)
        async with (
            asyncio.timeout(30),
            guest.frames("/me/stream") as frames,
        ):
            await until(frames, "caught_up")
            good(await guest.ask("DELETE", f"/tables/{left}/seats/0"))
            for table in (left, left, kept):
                await asyncio.sleep(0.2)  # several looks
                await host.sit(table, 1, bot="steady")
                good(await host.ask("DELETE", f"/tables/{table}/seats/1"))
            told = events(await until(frames, "seat_left"))
        assert {event["table"] for event in told} == {kept}


@pytest.mark.slow
async def test_two_hundred_streams_that_are_cut_lose_nothing(database: str) -> None:
    """Each has every version once and in order, and in the end nobody follows."""
    async with served(database) as here, here.http() as http:
        host = await Client.register(http)
        table = await host.open_table()
        readers = [Reader(here.address, table, Random(n)) for n in range(200)]
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            for reader in readers:
                group.create_task(reader.read())
            for _ in range(60):
                await host.sit(table, 0)
                await asyncio.sleep(0.02)
                good(await host.ask("DELETE", f"/tables/{table}/seats/0"))
            await host.lead(table, "abandon")
        listed = [event["version"] for event in await host.events(table)]
        assert [reader.told for reader in readers] == [listed] * len(readers)
        assert sum(reader.cuts for reader in readers) > len(readers)
        async with asyncio.timeout(10):
            await here.is_left()


async def test_one_caller_has_a_bound_of_streams(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player, or an address without a token; others have room."""
    monkeypatch.setattr(houses, "MOST_OF_ONE", 2)
    bound = Settings(port=0, rate_limit="1000")
    async with served(database, settings=bound) as here, here.http() as http:
        host, other = [await Client.register(http) for _ in range(2)]
        path = f"/tables/{await host.open_table()}/stream"
        async with AsyncExitStack() as stack:
            for caller in (host, other, Client(http)):
                paths = [path, "/me/stream" if caller.token else path]
                for one in paths:
                    opened = await stack.enter_async_context(caller.stream(one))
                    assert opened.status_code == httpx.codes.OK
                refused(await caller.ask("GET", path), 503, "busy")
        async with asyncio.timeout(10):
            await here.is_left()
        async with host.stream(path) as opened:
            assert opened.status_code == httpx.codes.OK
