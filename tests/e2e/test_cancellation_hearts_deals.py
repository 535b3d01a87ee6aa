"""The worked deal of Cancellation Hearts, and a moon, through the API."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from tests.cancellation_positions import strong_deal
from tests.e2e.client import Client, Json, refused, seated
from tests.e2e.conftest import Guests
from tests.e2e.examples import of_type, play_tricks

GAME = "cancellation-hearts"


@pytest.fixture(scope="module")
def ch_1(golden: Path) -> dict[str, Any]:
    """The deal of CH-1."""
    deals: dict[str, Any] = json.loads((golden / "deals.json").read_text("utf-8"))
    deal: dict[str, Any] = deals["CH-1"]
    return deal


async def opened(people: list[Client], deal: dict[str, Any], scores: list[int]) -> str:
    """A table at which CH-1 is dealt, everybody seated."""
    table = await people[0].open_table(
        game=GAME,
        options={"passing": []},
        arrangement={
            "first_dealer": deal["dealer"],
            "scores": scores,
            "deals": [{"hands": deal["hands"], "kitty": deal["kitty"]}],
        },
    )
    await seated(table, people)
    return table


async def game_of(player: Client, table: str) -> Json:
    """What only this game shows the player."""
    shown: Json = (await player.view(table))["deal"]["game"]
    return shown


async def test_ch_1_through_the_api(ch_1: dict[str, Any], guests: Guests) -> None:
    """Hands, tricks, what is set aside, and points are the example's."""
    people = await guests(6)
    table = await opened(people, ch_1, [0] * 6)
    for player, hand in zip(people, ch_1["hands"], strict=True):
        seen = (await player.view(table))["deal"]
        assert sorted(seen["hand"]) == sorted(hand)
        assert seen["game"]["kitty"] == {"count": 2, "taken_by": None, "cards": None}
    events = await play_tricks(table, people, ch_1["tricks"][:1])
    aside = (await game_of(people[0], table))["set_aside"]
    assert aside == ["2S", "2S", "4S", "4S", "QS", "QS"]
    decision = await people[1].decision(table)
    assert {"type": "play", "card": "AH"} in decision["legal"]
    assert decision["legal"].count({"type": "play", "card": "7C"}) == 1
    events += await play_tricks(table, people, ch_1["tricks"][1:])
    assert of_type(events, "trick_taken", "trick_cancelled") == [
        {"trick": number} | ({} if winner is None else {"seat": winner})
        for number, (_, _, winner) in enumerate(ch_1["tricks"], 1)
    ]
    assert of_type(events, "hearts_broken") == [{"seat": 2, "card": "QS"}]
    points = ch_1["pts"]
    assert of_type(events, "deal_scored") == [{"points": points, "scores": points}]
    [revealed] = of_type(events, "deal_revealed")
    kitty = json.loads(revealed["opened"][-1]["body"])
    assert sorted(kitty["cards"]) == sorted(ch_1["kitty"])


async def test_the_kitty_is_opened_to_its_taker_alone(
    ch_1: dict[str, Any], guests: Guests
) -> None:
    """P1 reads it on the event that gives it to him; nobody else sees its points."""
    people = await guests(6)
    table = await opened(people, ch_1, [0] * 6)
    await play_tricks(table, people, ch_1["tricks"][:2])
    for seat, player in enumerate(people):
        log = await player.events(table)
        [taken] = [event for event in log if event["type"] == "kitty_taken"]
        [dealt] = [event for event in log if event["type"] == "kitty_dealt"]
        assert taken["data"] == {"seat": 1, "count": 2, "version": dealt["version"]}
        assert "opens" not in dealt
        shown = await game_of(player, table)
        if seat == 1:
            [opened_to_me] = taken["opens"]
            assert json.loads(opened_to_me["body"]) == {"cards": ["2H", "4H"]}
            assert shown["kitty"]["cards"] == ["2H", "4H"]
            assert shown["points"][1] == 34
        else:
            assert "opens" not in taken
            assert shown["kitty"] == {"count": 2, "taken_by": 1, "cards": None}
            assert shown["points"][1] == 32


async def test_ch_4_a_refused_lead_names_its_rule(
    ch_1: dict[str, Any], guests: Guests
) -> None:
    """A heart on the first lead is against CH-R10, and changes nothing."""
    people = await guests(6)
    table = await opened(people, ch_1, [0] * 6)
    answer = await people[1].send(table, {"type": "play", "card": "AH"})
    problem = refused(answer, 422, "rule-violation")
    assert problem["rule"] == {"id": "CH-R10", "params": {"card": "AH"}}


async def test_ch_7_the_end_of_the_match(ch_1: dict[str, Any], guests: Guests) -> None:
    """At 151 150 97 97 130 149 the match is over, and P2 and P3 win jointly."""
    final = [151, 150, 97, 97, 130, 149]
    points = ch_1["pts"]
    people = await guests(6)
    before = [total - new for total, new in zip(final, points, strict=True)]
    table = await opened(people, ch_1, before)
    events = await play_tricks(table, people, ch_1["tricks"])
    result = {"winners": [2, 3], "scores": final, "settlement": None}
    assert of_type(events, "match_ended") == [result]
    view = await people[0].view(table)
    assert view["result"] == result
    assert view["deal"]["game"]["kitty"]["cards"] == ["2H", "4H"]


@pytest.mark.parametrize(
    ("how", "scores"),
    [("add", [0, 26, 26, 26, 26, 26]), ("subtract", [-26, 0, 0, 0, 0, 0])],
)
async def test_the_shooter_of_a_moon_chooses(
    guests: Guests, how: str, scores: list[int]
) -> None:
    """He takes every trick from bots, and is asked how all 52 points count."""
    [shooter] = await guests(1)
    deal = to_builtins(strong_deal(6))
    table = await shooter.open_table(
        game=GAME,
        seats=[{}] + [{"bot": "random"}] * 5,
        options={"passing": []},
        arrangement={"first_dealer": 5, "deals": [deal]},
    )
    await shooter.sit(table, 0)
    while (view := await shooter.view(table))["deal"]["number"] == 1:
        decision = view["decision"]
        if decision is None:  # the bots move
            await asyncio.sleep(0.002)
        elif decision["kind"] == "settle_moon":
            assert view["deal"]["game"]["points"] == [52, 0, 0, 0, 0, 0]
            ways = [{"type": "settle_moon", "how": it} for it in ("add", "subtract")]
            assert decision["legal"] == ways
            await shooter.command(table, {"type": "settle_moon", "how": how})
        else:
            await shooter.command(table, max(decision["legal"], key=rank))
    assert view["scores"] == scores


def rank(move: Json) -> int:
    """How high the card of a play is, whatever its suit."""
    return "23456789TJQKA".index(move["card"][0])
