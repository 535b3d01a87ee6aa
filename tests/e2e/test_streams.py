"""Streams: what followers of a table are sent, complete whatever breaks."""

import asyncio
import json
import signal
import ssl
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from pathlib import Path
from random import Random
from typing import Final

import httpx
import psutil
import pytest

from infra.embedded import address_of_running
from tests.e2e.client import Client, Json, good, seated
from tests.e2e.conftest import Guests
from tests.e2e.four import Four, four_of
from tests.e2e.running import Server, serving

NO_EVENT: Final = {"snapshot", "decision", "caught_up", "end"}
PRIVATE: Final = {"visibility": "private"}
BOTS: Final = [{"bot": "random"}] * 4
TLS: Final = ssl.create_default_context()
"""To make one for each connection would take longer than all that is read on it."""

Frames = AsyncGenerator[Json]


async def until(frames: Frames, kind: str) -> list[Json]:
    """The frames up to the first of that kind."""
    read = []
    async for frame in frames:
        read.append(frame)
        if frame["frame"] == kind:
            return read
    raise AssertionError(f"the stream ended before {kind}: {read}")


def events(frames: list[Json]) -> list[Json]:
    """The events among frames."""
    return [frame["data"] for frame in frames if frame["frame"] not in NO_EVENT]


async def test_a_stream_begins_with_a_snapshot(four: Four) -> None:
    """It is the view; the open decision and the word that all is told follow."""
    player = four.people[0]
    async with aclosing(player.frames(f"/tables/{four.table}/stream")) as frames:
        snapshot, decision, caught_up = await until(frames, "caught_up")
    view = await player.view(four.table)
    assert (snapshot["frame"], snapshot["id"]) == ("snapshot", view["version"])
    assert snapshot["data"] == view
    assert (decision["frame"], decision["data"]) == ("decision", view["decision"])
    assert caught_up["id"] == view["version"]
    assert caught_up["data"] == {"version": view["version"], "head": view["head"]}


async def test_what_happens_is_sent_as_it_is_listed(four: Four) -> None:
    """The same events, to the byte of their meaning, and decisions as they open."""
    player = four.people[0]
    async with aclosing(player.frames(f"/tables/{four.table}/stream")) as frames:
        began = (await until(frames, "caught_up"))[-1]["id"]
        await four.all_pass()
        told = await until(frames, "passes_exchanged")
        leader, decision = await four.leader()
        if leader is player:
            told += await until(frames, "decision")
            assert told[-1]["data"] == decision
    listed = await player.events(four.table, after=began)
    assert events(told) == listed[: len(events(told))]
    assert [frame["id"] for frame in told if frame["frame"] not in NO_EVENT] == [
        event["version"] for event in events(told)
    ]


async def test_a_stream_goes_on_above_a_version(four: Four) -> None:
    """By `after`, or by Last-Event-ID, which wins; there is no snapshot then."""
    await four.all_pass()
    player, path = four.people[1], f"/tables/{four.table}/stream"
    listed = await player.events(four.table)
    async with aclosing(player.frames(path, after=5)) as frames:
        told = await until(frames, "caught_up")
    assert events(told) == listed[5:]
    async with player.stream(
        path, {"after": 5}, headers={"Last-Event-ID": "9"}
    ) as answer:
        lines = answer.aiter_lines()
        first = json.loads(await anext(lines))
    assert first["data"] == listed[9]


@pytest.mark.parametrize(
    ("params", "headers"),
    [
        ({"after": 10_000}, {}),
        ({"after": -1}, {}),
        ({"after": "x"}, {}),
        ({"before": 3}, {}),
        ({}, {"Last-Event-ID": "10000"}),
        ({}, {"Last-Event-ID": "-1"}),
        ({}, {"Last-Event-ID": "9" * 40}),
    ],
)
async def test_a_stream_from_nowhere_is_refused(
    four: Four, params: dict[str, str | int], headers: dict[str, str]
) -> None:
    """A version that is none, or not there yet."""
    path = f"/tables/{four.table}/stream"
    async with four.people[0].stream(path, params, headers=headers) as answer:
        await answer.aread()
    assert answer.status_code == httpx.codes.BAD_REQUEST
    assert answer.json()["code"] == "invalid-request"


async def test_both_forms_say_the_same(four: Four) -> None:
    """Server-Sent Events have the frames that lines of JSON have."""
    await four.all_pass()
    player, path = four.people[2], f"/tables/{four.table}/stream"
    async with aclosing(player.frames(path, after=0)) as frames:
        lines = await until(frames, "caught_up")
    text = b""
    async with player.stream(path, {"after": 0}, media="text/event-stream") as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["cache-control"] == "private, no-store"
        async for part in answer.aiter_bytes():
            text += part
            if b"event: caught_up" in text and text.endswith(b"\n\n"):
                break
    opening, *blocks = text.decode().rstrip("\n").split("\n\n")
    assert opening == "retry: 2000"
    assert [_frame(block) for block in blocks] == lines


def _frame(block: str) -> Json:
    fields = dict(line.split(": ", 1) for line in block.split("\n"))
    place = int(fields["id"]) if "id" in fields else None
    return {
        "frame": fields["event"],
        "id": place,
        "data": json.loads(fields["data"]),
    }


async def test_each_is_opened_their_own_cards(four: Four, stranger: Client) -> None:
    """On the events that let a seat know them, and nobody else."""
    await four.all_pass()
    path = f"/tables/{four.table}/stream"
    opened = []
    for viewer in (*four.people, stranger):
        async with aclosing(viewer.frames(path, after=0)) as frames:
            told = events(await until(frames, "caught_up"))
        mine = {each["version"] for event in told for each in event.get("opens", ())}
        assert told == await viewer.events(four.table)
        opened.append(mine)
    assert [len(mine) for mine in opened] == [3, 3, 3, 3, 0]
    assert opened[0] & opened[2] == set()


async def test_a_stream_ends_with_its_table(guests: Guests) -> None:
    """Live or from the past; the last frame says so."""
    [host] = await guests(1)
    table = await host.open_table(seats=BOTS, options={"target": 1})
    path = f"/tables/{table}/stream"
    told = await until(host.frames(path, after=0), "end")
    assert told[-1]["data"] == {"reason": "finished"}
    assert events(told) == await host.events(table)
    again = await until(host.frames(path), "end")
    assert [frame["frame"] for frame in again] == ["snapshot", "caught_up", "end"]


async def test_all_of_a_players_tables_are_on_one_stream(guests: Guests) -> None:
    """Those that are there, one that is come to later, and turns with their table."""
    people = await guests(4)
    ada = people[0]
    first = await ada.open_table()
    await seated(first, people)
    async with aclosing(ada.frames("/me/stream")) as frames:
        snapshot, _ = await until(frames, "caught_up")
        view = await ada.view(first)
        turn = {"table": first, "decision": view["decision"]}
        assert snapshot["data"] == {"items": [turn]}
        second = await ada.open_table()
        await seated(second, people)
        told = await until(frames, "decision")
        assert events(told) == await ada.events(second)
        assert told[-1]["data"]["table"] == second
        move = {"type": "pass", "cards": view["decision"]["choices"]["from"][:3]}
        await ada.command(first, move)
        [passed] = events(await until(frames, "cards_passed"))
        assert passed["table"] == first


async def test_a_table_that_is_over_or_left_is_told_once(guests: Guests) -> None:
    """The stream goes on without it, and with the player's other tables."""
    ada, ben = await guests(2)
    kept, ended = await ada.open_table(), await ada.open_table()
    left = await ben.open_table(
        visibility="private", seats=[{"player": ada.id}, {}, {}]
    )
    for table in (kept, ended, left):
        await ada.sit(table, 0)
    async with aclosing(ada.frames("/me/stream")) as frames:
        await until(frames, "caught_up")
        await ada.lead(ended, "abandon")
        told = await until(frames, "table_abandoned")
        good(await ben.ask("DELETE", f"/tables/{left}/seats/0"))
        await ben.lead(left, "abandon")
        await asyncio.sleep(2.5)  # twice the time in which new tables are looked for
        await ada.lead(kept, "abandon")
        told += await until(frames, "table_abandoned")
    places = [(event["table"], event["version"]) for event in events(told)]
    assert len(set(places)) == len(places)
    assert {table for table, _ in places} >= {kept, ended}
    assert [event["table"] for event in events(told) if event["table"] == left] in (
        [],
        [left],
    )


async def test_only_a_player_has_tables_to_follow(stranger: Client) -> None:
    """Without a token there is nobody whose they are."""
    async with stranger.stream("/me/stream") as answer:
        await answer.aread()
    assert answer.status_code == httpx.codes.UNAUTHORIZED


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to break."""
    with serving(tmp_path / "data") as server:
        yield server


Blow = Callable[[Server], None]
"""Something that is done to a server, from a thread."""


class Reader:
    """Follows a table to its end, on as many connections as that takes."""

    def __init__(self, address: str, table: str, chance: Random) -> None:
        self.told: list[int] = []
        self.cuts = 0
        self._address = address
        self._path = f"/tables/{table}/stream"
        self._chance = chance

    async def read(self) -> None:
        """Read on until the table has ended; at times leave, and come back."""
        while True:
            with suppress(httpx.HTTPError, AssertionError):
                async with httpx.AsyncClient(
                    base_url=self._address, verify=TLS
                ) as http:
                    if await self._read(Client(http)):
                        return
            self.cuts += 1
            await asyncio.sleep(self._chance.random() * 0.2)

    async def _read(self, client: Client) -> bool:
        left = self._chance.randrange(1, 60)
        after = self.told[-1] if self.told else 0
        async with aclosing(client.frames(self._path, after=after)) as frames:
            async for frame in frames:
                if frame["frame"] == "end":
                    return bool(frame["data"]["reason"] == "finished")
                if frame["frame"] not in NO_EVENT:
                    self.told.append(frame["id"])
                left -= 1
                if not left:
                    return False
        return False


async def followed_to_the_end(
    server: Server, blow: Blow | None = None, *, readers: int
) -> list[Reader]:
    """Readers of a match of bots, through which `blow` goes."""
    async with httpx.AsyncClient(base_url=server.address, timeout=30) as http:
        host = await Client.register(http)
        table = await host.open_table(seats=BOTS, options={"target": 40})
        reading = [Reader(server.address, table, Random(n)) for n in range(readers)]
        async with asyncio.timeout(90), asyncio.TaskGroup() as group:
            for reader in reading:
                group.create_task(reader.read())
            if blow is not None:
                group.create_task(asyncio.to_thread(blow, server))
        listed = await host.events(table)
    assert listed[-1]["type"] == "match_ended"
    for reader in reading:
        assert reader.told == [event["version"] for event in listed]
    return reading


async def test_streams_that_are_cut_lose_nothing(fragile: Server) -> None:
    """Cut anywhere and taken up again: every version once, in order."""
    readers = await followed_to_the_end(fragile, readers=4)
    assert sum(reader.cuts for reader in readers) > 10


@pytest.mark.slow
async def test_streams_outlive_the_hints(fragile: Server) -> None:
    """With Valkey killed again and again, every version comes once and in order."""

    def kill_valkey(server: Server) -> None:
        for _ in range(4):
            time.sleep(0.4)
            with suppress(ValueError, psutil.Error):  # it may just be starting
                server.valkey().kill()

    await followed_to_the_end(fragile, kill_valkey, readers=4)
    assert fragile.output.count("it runs again") >= 1


@pytest.mark.slow
async def test_streams_outlive_the_database(fragile: Server) -> None:
    """With Postgres killed in the middle, every version comes once and in order."""

    def kill_postgres(server: Server) -> None:
        time.sleep(0.7)
        server.postmaster().kill()

    await followed_to_the_end(fragile, kill_postgres, readers=4)


async def test_a_follower_at_another_server_misses_nothing(
    fragile: Server, tmp_path: Path
) -> None:
    """Two servers on one database and one Valkey: play here, followed there."""
    database = address_of_running(fragile.folder)
    assert database is not None
    urls = {
        "MISERE_DATABASE_URL": database,
        "MISERE_REDIS_URL": f"unix://{fragile.folder}/valkey/valkey.sock",
    }
    with serving(tmp_path / "other", **urls) as other:
        async with httpx.AsyncClient(base_url=fragile.address, timeout=30) as http:
            host = await Client.register(http)
            table = await host.open_table(seats=BOTS, options={"target": 60})
            async with asyncio.timeout(60):
                reader = Reader(other.address, table, Random(1))
                await reader.read()
            listed = await host.events(table)
    assert reader.told == [event["version"] for event in listed]


async def test_nothing_hidden_is_published(fragile: Server) -> None:
    """What goes through Valkey while hands are dealt and passed names no card."""
    reader, writer = await asyncio.open_unix_connection(
        fragile.folder / "valkey" / "valkey.sock", limit=2**24
    )
    writer.write(b"MONITOR\r\n")
    assert await reader.readline() == b"+OK\r\n"
    async with httpx.AsyncClient(base_url=fragile.address, timeout=30) as http:
        four = await four_of([await Client.register(http) for _ in range(4)])
        await four.all_pass()
    published = b""
    async with asyncio.timeout(20):
        while b"passes_exchanged" not in published:
            published += await reader.readline()
    writer.close()
    assert b"hand_dealt" in published
    assert b"cards_passed" in published
    for hidden in (b"salt", b"secret", b"opens", b'\\"cards\\"', b"arrangement"):
        assert hidden not in published


async def test_a_server_that_stops_says_so(fragile: Server) -> None:
    """Open streams end with the reason, so that clients go to another one."""
    async with httpx.AsyncClient(base_url=fragile.address, timeout=30) as http:
        host = await Client.register(http)
        table = await host.open_table()
        paths = (f"/tables/{table}/stream", "/me/stream")
        streams = [host.frames(path) for path in paths]
        for frames in streams:
            await until(frames, "caught_up")
        fragile.process.send_signal(signal.SIGTERM)
        for frames in streams:
            last = (await until(frames, "end"))[-1]
            assert last["data"] == {"reason": "draining"}


@pytest.mark.slow
@pytest.mark.parametrize("busy", [False, True])
async def test_a_stream_ends_with_its_token(guests: Guests, *, busy: bool) -> None:
    """Within moments of the token's end, however much goes on at the table."""
    host, other = await guests(2)
    table = await host.open_table()

    async def bustle() -> None:
        while True:
            await other.sit(table, 1)
            good(await other.ask("DELETE", f"/tables/{table}/seats/1"))
            await asyncio.sleep(1)

    bustling = asyncio.create_task(bustle()) if busy else None
    async with aclosing(host.frames(f"/tables/{table}/stream")) as frames:
        await until(frames, "caught_up")
        good(await host.ask("POST", "/me/token"), 201)
        async with asyncio.timeout(40):
            last = (await until(frames, "end"))[-1]
    assert last["data"] == {"reason": "unauthorized"}
    if bustling:
        bustling.cancel()


@pytest.mark.slow
async def test_an_invited_viewer_stays_through_silence(guests: Guests) -> None:
    """Whoever showed the invite of a private table goes on being told of it."""
    host, guest = await guests(2)
    made = good(await host.ask("POST", "/tables", {"game": "hearts", **PRIVATE}), 201)
    table, invite = made["table"]["id"], made["invite"]
    path = f"/tables/{table}/stream"
    async with aclosing(guest.frames(path, invite=invite)) as frames:
        await until(frames, "caught_up")
        await asyncio.sleep(12)
        await host.lead(table, "abandon")
        last = (await until(frames, "end"))[-1]
    assert last["data"] == {"reason": "finished"}
