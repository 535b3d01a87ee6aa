"""Streams: what followers of a table, or of all of theirs, are sent."""

import asyncio
import json
from typing import Final

import httpx
import pytest

from tests.e2e.client import Client, Json, good, seated
from tests.e2e.conftest import Guests
from tests.e2e.four import Four
from tests.e2e.reading import (
    BOTS,
    NO_EVENT,
    events,
    until,
)

PRIVATE: Final = {"visibility": "private"}


async def test_a_stream_begins_with_a_snapshot(four: Four) -> None:
    """It is the view; the open decision and the word that all is told follow."""
    player = four.people[0]
    async with player.frames(f"/tables/{four.table}/stream") as frames:
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
    async with player.frames(f"/tables/{four.table}/stream") as frames:
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
    async with player.frames(path, after=5) as frames:
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
    problem = answer.json()
    assert problem["code"] == "invalid-request"
    [name] = [*params, *headers]
    where = "header" if headers else "query"
    assert problem["params"] == {"field": f"{where}.{name}"}


async def test_both_forms_say_the_same(four: Four) -> None:
    """Server-Sent Events have the frames that lines of JSON have."""
    await four.all_pass()
    player, path = four.people[2], f"/tables/{four.table}/stream"
    async with player.frames(path, after=0) as frames:
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
        async with viewer.frames(path, after=0) as frames:
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
    async with host.frames(path, after=0) as frames:
        told = await until(frames, "end")
    assert told[-1]["data"] == {"reason": "finished"}
    assert events(told) == await host.events(table)
    async with host.frames(path) as frames:
        again = await until(frames, "end")
    assert [frame["frame"] for frame in again] == ["snapshot", "caught_up", "end"]


async def test_all_of_a_players_tables_are_on_one_stream(guests: Guests) -> None:
    """Those that are there, one that is come to later, and turns with their table."""
    people = await guests(4)
    ada = people[0]
    first = await ada.open_table()
    await seated(first, people)
    async with ada.frames("/me/stream") as frames:
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
    async with ada.frames("/me/stream") as frames:
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
    async with host.frames(f"/tables/{table}/stream") as frames:
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
    async with guest.frames(path, invite=invite) as frames:
        await until(frames, "caught_up")
        await asyncio.sleep(12)
        await host.lead(table, "abandon")
        last = (await until(frames, "end"))[-1]
    assert last["data"] == {"reason": "finished"}
