"""Auction Hearts through the API: AU-3 card by card, bids, jacks, settlements."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.auction_positions import FOUR_SUITS
from tests.e2e.client import Client, Json, refused, seated
from tests.e2e.conftest import Guests
from tests.e2e.examples import of_type, play_tricks

DECLINE: Final = {"type": "decline"}
UNPROCESSABLE: Final = 422


@pytest.fixture(scope="module")
def au_3(golden: Path) -> dict[str, Any]:
    """The deal of AU-3."""
    deals: dict[str, Any] = json.loads((golden / "deals.json").read_text("utf-8"))
    deal: dict[str, Any] = deals["AU-3"]
    return deal


async def opened(people: list[Client], *deals: Json, **terms: Any) -> str:  # noqa: ANN401 - any JSON
    """A table with these deals, seat 0 dealing first, at which all have sat down."""
    arrangement = {"first_dealer": 0, "deals": deals, **terms.pop("arrangement", {})}
    table = await people[0].open_table(
        game="auction-hearts", arrangement=arrangement, **terms
    )
    await seated(table, people)
    return table


def bid(chips: int) -> Json:
    """A bid of so many chips."""
    return {"type": "bid", "chips": chips}


def name(suit: str) -> Json:
    """The naming of a suit."""
    return {"type": "name_suit", "suit": suit}


async def bid_as_in_au_1(people: list[Client], table: str) -> None:
    """2, pass, 4, pass."""
    await people[1].command(table, bid(2))
    await people[2].command(table, DECLINE)
    await people[3].command(table, bid(4))
    await people[0].command(table, DECLINE)


async def test_au_1_bids_are_offered_made_and_refused(guests: Guests) -> None:
    """What can be bid is said beforehand; what cannot is refused by its rule."""
    people = await guests(4)
    table = await opened(people, arrangement={"scores": [50, 6, 50, 50]})
    decision = await people[1].decision(table)
    assert decision["kind"] == "bid"
    assert decision["legal"] == [DECLINE]
    assert decision["choices"] == {"type": "bid", "min": 1, "max": 6}
    problem = refused(
        await people[1].send(table, bid(7)), UNPROCESSABLE, "rule-violation"
    )
    assert problem["rule"] == {"id": "AU-R5", "params": {"max": 6}}
    await people[1].command(table, {**bid(2), "decision": decision["id"]})
    problem = refused(
        await people[2].send(table, bid(2)), UNPROCESSABLE, "rule-violation"
    )
    assert problem["rule"] == {"id": "AU-R4", "params": {"highest": 2}}
    assert problem["detail"] == "A bid must be higher than 2."
    await people[2].command(table, DECLINE)
    await people[3].command(table, bid(4))
    closed = await people[0].command(table, DECLINE)
    assert [event["type"] for event in closed["events"]] == [
        "bid_declined",
        "chips_paid",
    ]
    view = await people[3].view(table)
    assert view["scores"] == [50, 6, 50, 46]
    assert view["deal"]["phase"] == "naming"
    assert view["deal"]["game"]["bids"] == [0, 2, 0, 4]
    assert view["decision"]["legal"] == [name(suit) for suit in "CDHS"]


async def test_au_1_all_pass(guests: Guests) -> None:
    """Hearts are named by the rules, and the dealer's left is to lead."""
    people = await guests(4)
    table = await opened(people)
    for seat in (1, 2, 3):
        await people[seat].command(table, DECLINE)
    answer = await people[0].command(table, DECLINE)
    assert of_type(answer["events"], "suit_named") == [{"seat": None, "suit": "H"}]
    assert (await people[1].decision(table))["kind"] == "play"


async def test_au_3_through_the_api(au_3: dict[str, Any], guests: Guests) -> None:
    """Hands, tricks, payments, shares and the odd chip are the example's."""
    people = await guests(4)
    table = await opened(people, {"hands": au_3["hands"]})
    for player, hand in zip(people, au_3["hands"], strict=True):
        assert sorted((await player.view(table))["deal"]["hand"]) == sorted(hand)
    await bid_as_in_au_1(people, table)
    await people[3].command(table, name("D"))
    events = await play_tricks(table, people, au_3["tricks"])
    assert of_type(events, "trick_taken") == [
        {"trick": number, "seat": winner}
        for number, (_, _, winner) in enumerate(au_3["tricks"], 1)
    ]
    assert of_type(events, "chips_paid") == [
        {"seat": seat, "chips": count, "reason": "cards"}
        for seat, count in enumerate(au_3["took"])
        if count
    ]
    assert of_type(events, "pool_divided") == [{"shares": [8, 0, 8, 0], "left": 1}]
    assert of_type(events, "deal_scored") == [
        {"points": [8, -4, 8, -13], "scores": [58, 46, 58, 37]}
    ]
    view = await people[0].view(table)
    assert view["scores"] == [58, 46, 58, 37]
    assert view["deal"]["game"]["pool"] == 1
    assert view["deal"]["phase"] == "bidding"


ALL_TO_THE_LEADER: Final = [
    [0, [hand.split()[place] for hand in FOUR_SUITS], 0] for place in range(13)
]
"""Seat 0 leads its suit to the end, and nobody can follow."""


async def test_au_r13_a_jack_and_its_heir(guests: Guests) -> None:
    """One seat takes the whole suit; its bidder names again, and the end shares."""
    people = await guests(4)
    deal = {"hands": [hand.split() for hand in FOUR_SUITS]}
    table = await opened(people, deal, deal, options={"deals": 2})
    for seat, move in [(1, DECLINE), (2, DECLINE), (3, DECLINE), (0, bid(2))]:
        await people[seat].command(table, move)
    await people[0].command(table, name("S"))
    events = await play_tricks(table, people, ALL_TO_THE_LEADER)
    assert not of_type(events, "pool_divided")
    decision = await people[0].decision(table)
    assert decision["kind"] == "name_suit"
    game = (await people[1].view(table))["deal"]["game"]
    assert (game["pool"], game["jack"], game["bidder"]) == (15, True, 0)
    await people[0].command(table, name("C"))
    events = await play_tricks(table, people, ALL_TO_THE_LEADER)
    assert of_type(events, "pool_divided") == [{"shares": [7, 7, 7, 7], "left": 0}]
    scores = [50 - 15 - 13 + 7, 57, 57, 57]
    assert of_type(events, "match_ended") == [
        {"winners": [1, 2, 3], "scores": scores, "settlement": None}
    ]
    view = await people[0].view(table)
    assert view["result"]["scores"] == scores


@pytest.mark.parametrize(
    ("settlement", "scores", "shares"),
    [
        ("sweepstake", [53, 40, 53, 53], [3, 3, 3, 3]),
        ("howell", [63, 11, 63, 63], [13, 0, 13, 13]),
    ],
)
async def test_x_24_settlements_without_an_auction(
    guests: Guests, settlement: str, scores: list[int], shares: list[int]
) -> None:
    """Cards are led at once, and hearts cost what the settlement says."""
    people = await guests(4)
    hands = [hand.split() for hand in FOUR_SUITS]
    table = await opened(
        people, {"hands": hands}, options={"settlement": settlement, "deals": 1}
    )
    assert (await people[1].view(table))["deal"]["game"]["suit"] == "H"
    tricks = [
        [1, [hands[seat][place] for seat in (1, 2, 3, 0)], 1] for place in range(13)
    ]
    events = await play_tricks(table, people, tricks)
    assert of_type(events, "pool_divided")[-1]["shares"] == shares
    assert (await people[0].view(table))["result"]["scores"] == scores
