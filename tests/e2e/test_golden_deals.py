"""The worked examples of Hearts, played through the API at arranged tables."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.e2e.client import Client, Json, seated
from tests.e2e.conftest import Guests
from tests.e2e.examples import of_type, play_tricks
from tests.hearts_positions import strong_hands
from tests.independent.record_check import CARDS, check

Scores = list[int]


@pytest.fixture(scope="module")
def he_1(golden: Path) -> dict[str, Any]:
    """The deal of HE-1."""
    deals: dict[str, Any] = json.loads((golden / "deals.json").read_text("utf-8"))
    deal: dict[str, Any] = deals["HE-1"]
    return deal


def turned(by_seat: Sequence[Any], places: int) -> list[Any]:
    """What is by seat with everybody moved so many places to the left."""
    return [by_seat[seat - places] for seat in range(len(by_seat))]


class Golden:
    """HE-1 at a real table, with everybody moved `places` to the left."""

    def __init__(self, deal: dict[str, Any], places: int = 0) -> None:
        """Nothing is open yet."""
        self.deal = deal
        self.places = places
        self.people: list[Client] = []
        self.table = ""

    async def open(self, guests: Guests, scores: Scores, **options: Any) -> None:  # noqa: ANN401 - any JSON
        """Open the arranged table, and sit down."""
        self.people = await guests(4)
        arrangement: Json = {
            "first_dealer": 2,
            "scores": scores,
            "deals": [{"hands": turned(self.deal["hands"], self.places)}],
        }
        self.table = await self.people[0].open_table(
            options=options, arrangement=arrangement
        )
        await seated(self.table, self.people)

    async def pass_cards(self) -> list[Json]:
        """All pass as in the example."""
        events = []
        passed = turned(self.deal["passed"], self.places)
        for player, cards in zip(self.people, passed, strict=True):
            move = {"type": "pass", "cards": cards}
            events += (await player.command(self.table, move))["events"]
        return events

    async def play(self) -> list[Json]:
        """All tricks as in the example; the events that came of them."""
        return await play_tricks(
            self.table, self.people, self.deal["tricks"], places=self.places
        )


async def test_he_1_through_the_api(he_1: dict[str, Any], guests: Guests) -> None:
    """Hands, passes, tricks, the breaking of hearts and points are the example's."""
    example = Golden(he_1)
    await example.open(guests, [0, 0, 0, 0])
    deal = example.deal
    for player, hand in zip(example.people, deal["hands"], strict=True):
        seen = (await player.view(example.table))["deal"]
        assert sorted(seen["hand"]) == sorted(hand)
        assert seen["arranged"]
    exchanged = await example.pass_cards()
    assert exchanged[-1]["type"] == "passes_exchanged"
    for player, hand in zip(example.people, deal["after"], strict=True):
        seen = (await player.view(example.table))["deal"]
        assert sorted(seen["hand"]) == sorted(hand)
    events = await example.play()
    assert of_type(events, "trick_taken") == [
        {"trick": number, "seat": winner}
        for number, (_, _, winner) in enumerate(deal["tricks"], 1)
    ]
    trick, card = deal["broken"]
    assert of_type(events, "hearts_broken") == [{"seat": 2, "card": card}]
    assert card in deal["tricks"][trick - 1][1]
    points = deal["points"]
    assert of_type(events, "deal_scored") == [{"points": points, "scores": points}]


class Ending(NamedTuple):
    """A row of HE-8, with how many places HE-1 is turned to bring it about."""

    scores: Scores
    winners: list[int] | None
    places: int
    options: Json


ENDINGS: Final = [
    Ending([100, 64, 64, 98], [1, 2], 2, {}),
    Ending([99, 0, 99, 99], None, 1, {}),
    Ending([100, 30, 41, 22], [3], 1, {}),
    Ending([100, 30, 41, 22], [0], 1, {"exact_target": True}),
    Ending([100, 64, 64, 98], None, 2, {"tiebreak_deal": True}),
]


@pytest.mark.parametrize(
    "ending", ENDINGS, ids=lambda it: f"{it.scores} {''.join(it.options)}".strip()
)
async def test_he_8_the_end_of_the_match(
    he_1: dict[str, Any], guests: Guests, ending: Ending
) -> None:
    """A deal that brings the scores to these ends the match so, or lets it go on."""
    example = Golden(he_1, ending.places)
    points = turned(he_1["points"], ending.places)
    before = [total - new for total, new in zip(ending.scores, points, strict=True)]
    await example.open(guests, before, **ending.options)
    assert (await example.people[0].view(example.table))["scores"] == before
    await example.pass_cards()
    events = await example.play()
    [scored] = of_type(events, "deal_scored")
    assert scored == {"points": points, "scores": ending.scores}
    view = await example.people[0].view(example.table)
    if ending.winners is None:
        assert not of_type(events, "match_ended")
        assert view["result"] is None
        assert view["deal"]["number"] == 2
        return
    result = {"winners": ending.winners, "scores": ending.scores, "settlement": None}
    assert of_type(events, "match_ended") == [result]
    assert view["result"] == result
    assert view["table"]["status"] == "finished"
    assert check(await example.people[0].record(example.table)) == []


class Moon(NamedTuple):
    """A row of HE-6 with a mode; `choice` is what the shooter says where asked."""

    before: Scores
    shooter: int
    mode: str
    after: Scores
    winners: list[int] | None = None
    choice: str | None = None


MOONS: Final = [
    Moon([72, 40, 88, 65], 1, "add", [98, 40, 114, 91], [1]),
    Moon([72, 40, 88, 65], 1, "auto", [98, 40, 114, 91], [1]),
    Moon([72, 40, 88, 65], 1, "subtract", [72, 14, 88, 65]),
    Moon([50, 95, 90, 60], 1, "auto", [50, 69, 90, 60]),
    Moon([50, 95, 90, 60], 1, "choice", [76, 95, 116, 86], [0], "add"),
    Moon([74, 95, 69, 60], 1, "choice", [74, 69, 69, 60], None, "subtract"),
    Moon([0, 0, 0, 0], 2, "none", [0, 0, 26, 0]),
]


@pytest.mark.parametrize(
    "moon", MOONS, ids=lambda it: f"{it.before} {it.mode} {it.choice or ''}".strip()
)
async def test_he_6_a_moon_counts_as_the_table_has_it(
    guests: Guests, moon: Moon
) -> None:
    """The shooter takes every trick from bots, and the scores are the example's."""
    [shooter] = await guests(1)
    bots = [{"bot": "random"}] * 4
    seats = [{} if seat == moon.shooter else bots[seat] for seat in range(4)]
    hands = [hand.split() for hand in turned(strong_hands(4), moon.shooter)]
    table = await shooter.open_table(
        seats=seats,
        options={"moon": moon.mode, "passing": []},
        arrangement={"scores": moon.before, "deals": [{"hands": hands}]},
    )
    await shooter.sit(table, moon.shooter)
    settled = []
    while (view := await shooter.view(table))["scores"] == moon.before:
        decision = view["decision"]
        if decision is None:  # the bots move
            await asyncio.sleep(0.002)
            continue
        move = max(decision["legal"], key=strength)
        if decision["kind"] == "settle_moon":
            offered = [it["how"] for it in decision["legal"]]
            assert sorted(offered) == ["add", "subtract"]
            move = {"type": "settle_moon", "how": moon.choice}
            settled.append(moon.choice)
        await shooter.command(table, move)
    assert settled == ([moon.choice] if moon.choice else [])
    assert view["scores"] == moon.after
    winners = view["result"] and view["result"]["winners"]
    assert winners == moon.winners


def strength(move: Json) -> int:
    """How high the card of a play is, whatever its suit; nothing for other moves."""
    return CARDS.index(move["card"]) % 13 if "card" in move else 0
