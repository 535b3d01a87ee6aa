"""The worked examples of Tetka, played through the API at arranged tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.client import Client, Json, seated
from tests.e2e.conftest import Guests
from tests.e2e.examples import of_type, play_tricks


@pytest.fixture(scope="module")
def tk_1(golden: Path) -> dict[str, Any]:
    """The deal of TK-1."""
    deals: dict[str, Any] = json.loads((golden / "deals.json").read_text("utf-8"))
    deal: dict[str, Any] = deals["TK-1"]
    return deal


async def opened(
    people: list[Client],
    deal: dict[str, Any],
    scores: list[int] | None = None,
    **options: Any,  # noqa: ANN401 - any JSON
) -> str:
    """A table at which the deal is dealt, once all have sat down."""
    chosen = {"hands": deal["hands"], "photograph": deal["photo"]}
    arrangement = {"first_dealer": deal["dealer"], "scores": scores, "deals": [chosen]}
    table = await people[0].open_table(
        game="tetka", options=options, arrangement=arrangement
    )
    await seated(table, people)
    return table


async def test_tk_1_through_the_api(tk_1: dict[str, Any], guests: Guests) -> None:
    """Photograph, hands, tricks and marks are the example's."""
    people = await guests(4)
    table = await opened(people, tk_1)
    for player, hand in zip(people, tk_1["hands"], strict=True):
        seen = (await player.view(table))["deal"]
        assert sorted(seen["hand"]) == sorted(hand)
        assert seen["game"]["photograph"] == "5S"
        assert seen["game"]["counting_trick"] == 5
    *tricks, last = tk_1["tricks"]
    events = await play_tricks(table, people, tricks)
    game = (await people[1].view(table))["deal"]["game"]
    assert game["marks"] == [1, 0, 3, 2]
    assert game["marked_for"][2] == ["photograph", "counting_trick", "queen"]
    events += await play_tricks(table, people, [last])
    assert of_type(events, "trick_taken") == [
        {"trick": number, "seat": winner}
        for number, (_, _, winner) in enumerate(tk_1["tricks"], 1)
    ]
    marks = tk_1["result"]["marks"]
    placed = of_type(events, "counter_placed")
    assert [[it["seat"] for it in placed].count(seat) for seat in range(4)] == marks
    assert placed[-1] == {"seat": 0, "reason": "most_tricks", "square": None}
    assert of_type(events, "deal_scored") == [{"points": marks, "scores": marks}]
    view = await people[0].view(table)
    assert (view["scores"], view["deal"]["dealer"]) == (marks, 1)


async def test_tricks_may_be_looked_back_at(
    tk_1: dict[str, Any], guests: Guests
) -> None:
    """Two before the next lead, one after it; the log has them all (X-19)."""
    people = await guests(4)
    table = await opened(people, tk_1)
    await play_tricks(table, people, tk_1["tricks"][:3])

    async def looked_at() -> list[int]:
        view = await people[2].view(table)
        return [trick["number"] for trick in view["deal"]["last_tricks"]]

    assert await looked_at() == [2, 3]
    leader, cards, _ = tk_1["tricks"][3]
    await people[leader].command(table, {"type": "play", "card": cards[0]})
    assert await looked_at() == [3]
    played = of_type(await people[2].events(table), "card_played")
    assert [it["card"] for it in played[:4]] == tk_1["tricks"][0][1]


@pytest.mark.parametrize(
    ("records", "nets", "winners"),
    [
        ([21, 15, 9, 4], [-35, -11, 13, 33], [3]),
        ([23, 23, 10, 7], [-29, -29, 23, 35], [3]),
        ([22, 6, 6, 8], [-46, 18, 18, 10], [1, 2]),
    ],
    ids=str,
)
async def test_tk_4_a_rubber_is_settled(
    tk_1: dict[str, Any],
    guests: Guests,
    records: list[int],
    nets: list[int],
    winners: list[int],
) -> None:
    """A deal that brings the records to these ends the match so."""
    people = await guests(4)
    marks = tk_1["result"]["marks"]
    before = [total - new for total, new in zip(records, marks, strict=True)]
    table = await opened(people, tk_1, before)
    events = await play_tricks(table, people, tk_1["tricks"])
    assert of_type(events, "rubber_ended") == [{"rubber": 1, "scores": records}]
    assert of_type(events, "settlement_made") == [{"nets": nets}]
    result = {"winners": winners, "scores": records, "settlement": nets}
    assert of_type(events, "match_ended") == [result]
    assert (await people[0].view(table))["result"] == result


async def test_a_revoke_is_taken_and_found_at_the_end(
    tk_1: dict[str, Any], guests: Guests
) -> None:
    """Nothing tells of it before; then it is an event, and paid for in tricks."""
    people = await guests(4)
    table = await opened(people, tk_1, revokes="penalised")
    await play_tricks(table, people, [[1, ["5S", "TS"], None]])
    decision = await people[3].decision(table)
    assert len(decision["legal"]) == 13
    answer = await people[3].command(table, {"type": "play", "card": "6D"})
    assert [event["type"] for event in answer["events"]] == ["card_played"]
    events: list[Json] = []
    while not of_type(events, "deal_scored"):
        events = await _follow_suit(table, people)
    assert of_type(events, "revoke_found") == [{"seat": 3, "trick": 1, "card": "6D"}]
    kinds = [event["type"] for event in events]
    assert kinds.index("revoke_found") + 1 == kinds.index("deal_scored") - 1


async def _follow_suit(table: str, people: list[Client]) -> list[Json]:
    """Who is to act plays a card of the suit led, where there is one."""
    [seat] = (await people[0].view(table))["to_act"]
    view = await people[seat].view(table)
    plays, hand = view["deal"]["trick"]["plays"], view["deal"]["hand"]
    led = plays[0]["card"][1] if plays else hand[0][1]
    card = next((card for card in hand if card[1] == led), hand[0])
    move = {"type": "play", "card": card}
    events: list[Json] = (await people[seat].command(table, move))["events"]
    return events
