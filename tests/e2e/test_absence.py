"""People who are late, gone and back again, at a real server."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client import Client, Json, good
from tests.e2e.conftest import Guests
from tests.e2e.lasting import Lasting, place_at

BRIEF = {"seconds": 1}


async def begun(people: Sequence[Client], **terms: Any) -> str:  # noqa: ANN401
    """A match of these people, who are about to pass or play."""
    host = people[0]
    table = await host.open_table(seats=len(people), **terms)
    for seat, player in enumerate(people):
        await player.sit(table, seat)
    return table


async def until(client: Client, table: str, *kinds: str) -> list[Json]:
    """The events of a table, once all of these types are among them."""
    async with asyncio.timeout(20):
        while True:
            events = await client.events(table)
            if {*kinds} <= {event["type"] for event in events}:
                return events
            await asyncio.sleep(0.1)


async def given_up(people: Sequence[Client], table: str) -> None:
    """Its host gives the table up, whose record has nothing wrong in it."""
    await people[0].lead(table, "abandon")
    report = await people[0].get(f"/tables/{table}/verification")
    assert report["ok"], report


async def test_a_view_tells_the_time(guests: Guests) -> None:
    """What the server's clock says, when whose time is up, what is in reserve."""
    people = await guests(4)
    table = await begun(people, clock={"seconds": 100, "bank": 20})
    view = await people[0].view(table)
    assert view["table"]["clock"] == {"seconds": 100, "bank": 20}
    assert view["server_time"] < view["decision"]["deadline"]
    assert (
        view["clocks"] == [{"deadline": view["decision"]["deadline"], "bank": 20}] * 4
    )
    assert (await people[0].get("/me/turns"))["items"][0]["decision"] == view[
        "decision"
    ]


async def test_moves_are_made_for_those_who_are_late(guests: Guests) -> None:
    """By the clock, time and again, and by the rules."""
    people = await guests(3)
    table = await begun(people, clock=BRIEF, absence="auto_play")
    events = await until(people[0], table, "cards_passed", "card_played")
    late = [event for event in events if event["type"] == "seat_timed_out"]
    assert late[0]["by"] == {"clock": True}
    following = events[events.index(late[0]) + 1]
    assert following["type"] == "cards_passed"
    assert following["command"] == late[0]["command"]
    await given_up(people, table)


async def test_a_bot_plays_for_who_is_late_until_they_are_back(
    guests: Guests,
) -> None:
    """Seen by all in the table; the player has the seat again once they come."""
    people = await guests(3)
    table = await begun(people, clock=BRIEF, absence="bot", options={"passing": []})
    events = await until(people[0], table, "seat_proxied", "trick_taken")
    [first, *_] = [event["data"]["seat"] for event in events if is_proxied(event)]
    moves = [event for event in events if event["by"] == {"bot": first}]
    assert {event["data"]["seat"] for event in moves if "card" in event["data"]} == {
        first
    }
    back = await people[first].sit(table, first)
    assert not back["table"]["seats"][first]["proxied"]
    await until(people[0], table, "seat_resumed")
    await given_up(people, table)


def is_proxied(event: Json) -> bool:
    """Whether a bot takes over a seat."""
    return str(event["type"]) == "seat_proxied"


async def test_who_leaves_is_played_for_and_may_come_back(guests: Guests) -> None:
    """At once, without any clock; sitting down again ends it."""
    people = await guests(3)
    table = await begun(people, absence="bot", options={"passing": []})
    good(await people[1].ask("DELETE", f"/tables/{table}/seats/1"))
    [turn] = (await people[0].view(table))["to_act"]
    while turn != 1:
        view = await people[turn].view(table)
        if view["decision"] is None:
            break
        await people[turn].command(table, view["decision"]["legal"][0])
        [turn] = (await people[0].view(table))["to_act"]
    await until(people[0], table, "seat_proxied")
    shown = await people[0].get(f"/tables/{table}")
    assert shown["table"]["seats"][1]["away"]
    assert shown["table"]["seats"][1]["proxied"]
    back = await people[1].sit(table, 1)
    assert not back["table"]["seats"][1]["away"]
    assert not back["table"]["seats"][1]["proxied"]
    await until(people[0], table, "seat_resumed")
    await given_up(people, table)


async def test_who_comes_back_may_send_entropy_as_ever(guests: Guests) -> None:
    """As clients do that sit down; it counts for nothing, and is not in the log."""
    people = await guests(3)
    table = await begun(people, absence="wait")
    good(await people[1].ask("DELETE", f"/tables/{table}/seats/1"))
    back = await people[1].sit(table, 1, entropy="ab" * 32)
    assert not back["table"]["seats"][1]["away"]
    last = (await people[0].events(table))[-1]
    assert (last["type"], last["data"]["seat"]) == ("seat_taken", 1)
    again = await people[1].sit(table, 1, entropy="ab" * 32)
    assert (again["version"], again["head"]) == (back["version"], back["head"])


async def test_a_table_is_given_up_for_who_is_late(guests: Guests) -> None:
    """Where its host said so; its record is there."""
    people = await guests(3)
    table = await begun(people, clock=BRIEF, absence="abandon")
    events = await until(people[0], table, "table_abandoned")
    assert events[-1]["by"] == {"clock": True}
    assert (await people[0].get(f"/tables/{table}/record"))["head"] == events[-1][
        "hash"
    ]
    assert (await people[0].get(f"/tables/{table}/verification"))["ok"]


async def test_time_outs_are_streamed(guests: Guests) -> None:
    """With the decisions that they lead to."""
    people = await guests(3)
    table = await begun(people, clock=BRIEF, absence="auto_play")
    kinds = []
    path = f"/tables/{table}/stream"
    async with asyncio.timeout(20), people[0].frames(path) as frames:
        async for frame in frames:
            kinds.append(frame["frame"])
            late = {"seat_timed_out", "passes_exchanged", "card_played"} <= {*kinds}
            if late and kinds.count("decision") > 1:
                break
    assert "end" not in kinds
    await people[0].lead(table, "abandon")


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"clock": {"seconds": 0}}, "clock"),
        ({"clock": {"seconds": 1, "bank": -1}}, "clock"),
        ({"clock": {"seconds": 10**9}}, "clock"),
        ({"clock": {"seconds": 1, "extra": 1}}, "clock"),
        ({"clock": {}}, "clock"),
        ({"clock": 30}, "clock"),
        ({"absence": "sleep"}, "absence"),
        ({"absence": "abandon", "rated": True}, "absence"),
    ],
)
async def test_terms_that_cannot_be_kept_are_refused(
    guests: Guests, terms: Json, field: str
) -> None:
    """The field is named, and no table is made."""
    [host] = await guests(1)
    answer = await host.ask("POST", "/tables", {"game": "hearts", **terms})
    assert answer.status_code in {400, 422}
    assert field in answer.text
    assert (await host.get("/tables", host=host.id))["items"] == []


async def test_a_rematch_has_the_same_clock(guests: Guests) -> None:
    """And the same absence."""
    people = await guests(3)
    table = await begun(people, clock={"seconds": 77, "bank": 7}, absence="bot")
    await people[0].lead(table, "abandon")
    again = (await people[0].lead(table, "rematch"))["table"]
    assert (again["clock"], again["absence"]) == ({"seconds": 77, "bank": 7}, "bot")


async def test_deadlines_survive_a_server(tmp_path: Path) -> None:
    """One that is killed, and started again: what fell due meanwhile is done."""
    async with place_at(tmp_path / "data") as place:
        await place.start()
        people = [await Lasting.join(place, f"Guest {n}") for n in range(3)]
        table = await begun(people, clock={"seconds": 2}, absence="bot")
        await place.kill()
        await place.start()
        events = await until(people[0], table, "seat_proxied")
        assert "deadline_extended" not in {event["type"] for event in events}
