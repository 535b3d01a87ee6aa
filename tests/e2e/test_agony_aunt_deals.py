"""The worked examples of Agony Aunt, played through the API at arranged tables."""

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from tests.agony_aunt_positions import SQUARES
from tests.e2e.client import Client, Json, chosen, refused, seated
from tests.e2e.conftest import Guests
from tests.e2e.examples import of_type, play_tricks

Deals = dict[str, dict[str, Any]]
Scores = list[int]


@pytest.fixture(scope="module")
def deals(golden: Path) -> Deals:
    """The worked deals by their ids."""
    found: Deals = json.loads((golden / "deals.json").read_text("utf-8"))
    return found


async def opened(people: list[Client], deal: Json, scores: Scores | None = None) -> str:
    """A table with the example's cards, at which all have sat down."""
    arrangement = {
        "first_dealer": deal["dealer"],
        "scores": scores or deal["stocks"],
        "deals": [{"hands": deal["hands"], "turned": deal["turn"]}],
    }
    table = await people[0].open_table(game="agony-aunt", arrangement=arrangement)
    await seated(table, people)
    return table


@pytest.mark.parametrize("name", ["AA-1", "AA-3"])
async def test_aa_1_aa_3_through_the_api(
    deals: Deals, guests: Guests, name: str
) -> None:
    """Hands, tricks, counters, lines and stocks are the example's."""
    deal, people = deals[name], await guests(4)
    table = await opened(people, deal)
    for player, hand in zip(people, deal["hands"], strict=True):
        view = await player.view(table)
        assert sorted(view["deal"]["hand"]) == sorted(hand)
        assert view["deal"]["game"]["turned"] == deal["turn"]
        assert view["scores"] == deal["stocks"]
    events = await play_tricks(table, people, deal["tricks"])
    assert of_type(events, "trick_taken") == [
        {"trick": number, "seat": winner}
        for number, (_, _, winner) in enumerate(deal["tricks"], 1)
    ]
    result = deal["result"]
    counters = of_type(events, "counter_placed")
    assert {it["square"].upper(): it["seat"] for it in counters} == result["sq"]
    assert len(counters) == 9
    assert of_type(events, "line_made") == [
        {"seat": seat, "squares": [square.lower() for square in line]}
        for seat, lines in enumerate(result["linesets"])
        for line in lines
    ]
    stock = result["stock"]
    points = [before - then for before, then in zip(deal["stocks"], stock, strict=True)]
    assert of_type(events, "deal_scored") == [{"points": points, "scores": stock}]
    view = await people[0].view(table)
    assert view["scores"] == stock
    assert view["deal"]["number"] == 2
    assert view["deal"]["dealer"] == (deal["dealer"] + 1) % 4


async def test_the_view_shows_the_board_as_it_fills(
    deals: Deals, guests: Guests, stranger: Client
) -> None:
    """After seven tricks of AA-1: what lies where, what is left, what is captured."""
    deal, people = deals["AA-1"], await guests(4)
    table = await opened(people, deal)
    await play_tricks(table, people, deal["tricks"][:7])
    taken = [
        card for _, cards, winner in deal["tricks"][:7] for card in cards if winner == 2
    ]
    for viewer, captured in ((people[2], sorted(taken)), (stranger, None)):
        game = (await viewer.view(table))["deal"]["game"]
        owners = {it["square"]: it["seat"] for it in game["board"]}
        assert list(owners) == list(SQUARES)
        assert owners == dict.fromkeys(SQUARES) | {
            "hearts": 2,
            "aunt": 3,
            "diamonds": 3,
            "hash": 2,
        }
        assert (game["dump_suit"], game["dump_number"]) == ("D", 7)
        assert game["counters"] == [17, 12, 7, 4]
        assert (game["captured"] and sorted(game["captured"])) == captured


async def test_aa_9_a_joker_must_follow_the_turned_suit(
    deals: Deals, guests: Guests
) -> None:
    """Its player is offered nothing else, and told why another card is refused."""
    deal = deals["AA-1"]
    deal = {**deal, "hands": [*deal["hands"]]}
    diamonds = [card for card in deal["hands"][3] if card[1] == "D"]
    others = [card for card in deal["hands"][2] if card[1] != "D"][: len(diamonds)]
    deal["hands"][3] = [*{*deal["hands"][3]} - {*diamonds}, *others]
    deal["hands"][2] = [*{*deal["hands"][2]} - {*others}, *diamonds]
    people = await guests(4)
    table = await opened(people, deal)
    await people[1].command(table, {"type": "play", "card": "4D"})
    await people[2].command(table, {"type": "play", "card": "KD"})
    decision = await people[3].decision(table)
    assert decision["legal"] == [{"type": "play", "card": "JK"}]
    answer = await people[3].send(table, {"type": "play", "card": others[0]})
    problem = refused(answer, 422, "rule-violation")
    assert problem["rule"] == {"id": "CM-4", "params": {"suit": "D", "card": "JK"}}
    await people[3].command(table, {"type": "play", "card": "JK"})


class Ending(NamedTuple):
    """Stocks before AA-1 and after it, and who has won."""

    before: Scores
    after: Scores
    winners: list[int]


ENDINGS: Final = [
    Ending([17, 4, 9, 6], [17, 0, 6, 3], [0]),
    Ending([1, 4, 12, 6], [9, 0, 9, 3], [0, 2]),
    Ending([1, 2, 17, 1], [9, 0, 14, 0], [2]),
]


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda it: f"{it.before}")
async def test_aa_10_the_end_of_the_match(
    deals: Deals, guests: Guests, ending: Ending
) -> None:
    """A deal that leaves somebody without counters ends it."""
    deal, people = deals["AA-1"], await guests(4)
    table = await opened(people, deal, ending.before)
    events = await play_tricks(table, people, deal["tricks"])
    result = {"winners": ending.winners, "scores": ending.after, "settlement": None}
    assert of_type(events, "match_ended") == [result]
    view = await people[0].view(table)
    assert view["result"] == result
    assert view["deal"]["game"]["counters"] == ending.after


async def test_a_match_with_bots_is_played_to_its_end(guests: Guests) -> None:
    """One player answers decisions by what they list, until the match is over."""
    [player] = await guests(1)
    table = await player.open_table(
        game="agony-aunt",
        options={"counters": 4, "board": "alphabetical"},
        seats=[{}, {"bot": "steady"}, {"bot": "random"}, {"bot": "steady"}],
    )
    await player.sit(table, 0)
    chance = Random(1)
    while (view := await player.view(table))["result"] is None:
        if view["decision"] is None:  # the bots move
            await asyncio.sleep(0.002)
            continue
        await player.command(table, chosen(view["decision"], chance))
    assert min(view["scores"]) == 0
    board = [it["square"] for it in view["deal"]["game"]["board"]]
    assert board[1] == "clubs"
