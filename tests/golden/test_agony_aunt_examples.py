"""The worked examples of the rules of Agony Aunt, AA-1 to AA-10."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from domain import views
from domain.cards import Card, cards_of
from domain.events import (
    CardPlayed,
    CardTurned,
    CounterPlaced,
    CountersLost,
    CountersReturned,
    DealScored,
    Event,
    LineMade,
    MatchEnded,
    TrickTaken,
)
from domain.ids import Seat
from tests.agony_aunt_positions import (
    accepted,
    after,
    agony_aunt,
    board,
    ending,
    from_example,
    placed,
    position,
    scored,
    state_of,
    winners,
)
from tests.driver import of_kind

Deal = dict[str, Any]

NAMES: Final = ("AA-1", "AA-3")
DEALS: Final[dict[str, Deal]] = json.loads(
    Path(__file__).with_name("deals.json").read_text("utf-8")
)
both_deals = pytest.mark.parametrize("name", NAMES)


def whole(deal: Deal, **options: str) -> list[Event]:
    """All that follows when the deal is played from its first card to its last."""
    driver = agony_aunt({**options}, arrangement=from_example(deal))
    return driver.play(" ".join(" ".join(played) for _, played, _ in deal["tricks"]))


@both_deals
def test_aa_1_aa_3_the_cards_are_dealt_and_one_is_turned(name: str) -> None:
    """Given the example's hands, all hold them, and the turned card is shown."""
    deal = DEALS[name]
    driver = agony_aunt(arrangement=from_example(deal))
    assert of_kind(driver.events(), CardTurned) == [
        CardTurned(Card(deal["turn"]), "turned")
    ]
    hands = [set(map(str, cards_of(hand))) for hand in driver.play_state().hands]
    assert hands == [set(hand) for hand in deal["hands"]]
    assert list(state_of(driver).scores) == deal["stocks"]


@both_deals
def test_aa_1_aa_3_are_played_card_by_card(name: str) -> None:
    """Each trick is led by the seat, and goes to the seat, that the example says."""
    deal = DEALS[name]
    driver = agony_aunt(arrangement=from_example(deal))
    for number, (leader, played, winner) in enumerate(deal["tricks"], 1):
        assert views.to_act(driver.table) == (leader,)
        events = driver.play(" ".join(played))
        assert of_kind(events, CardPlayed) == [
            CardPlayed(Seat((leader + place) % 4), Card(card))
            for place, card in enumerate(played)
        ]
        assert of_kind(events, TrickTaken) == [TrickTaken(number, winner)]


@both_deals
def test_aa_1_aa_3_nine_counters_lie_where_the_example_has_them(name: str) -> None:
    """Each square is paid for by the seat that the example names."""
    deal = DEALS[name]
    squares = {square.lower(): seat for square, seat in deal["result"]["sq"].items()}
    events = whole(deal)
    assert len(of_kind(events, CounterPlaced)) == 9
    assert placed(events) == squares


@both_deals
def test_aa_1_aa_3_lines_are_those_of_the_example(name: str) -> None:
    """A line of three is made by its owner, and no other is."""
    lines = [
        LineMade(Seat(seat), tuple(square.lower() for square in line))
        for seat, made in enumerate(DEALS[name]["result"]["linesets"])
        for line in made
    ]
    assert len(lines) == 1
    assert of_kind(whole(DEALS[name]), LineMade) == lines


def test_aa_1_the_line_depends_on_the_board() -> None:
    """With the suits in alphabetical order nobody has three in a line."""
    events = whole(DEALS["AA-1"], board="alphabetical")
    assert of_kind(events, LineMade) == []
    [scored] = of_kind(events, DealScored)
    assert scored.scores == (17, 9, 6, 3)


@both_deals
def test_aa_1_aa_3_the_stocks_after_the_deal(name: str) -> None:
    """The deal leaves each player with the counters that the example says."""
    deal = DEALS[name]
    before, stock = deal["stocks"], tuple(deal["result"]["stock"])
    points = tuple(map(int.__sub__, before, stock))
    events = whole(deal)
    assert of_kind(events, DealScored) == [DealScored(points, stock)]
    assert not of_kind(events, MatchEnded)


def test_aa_1_a_clean_player_who_had_lost_nothing_recovers_nothing() -> None:
    """Seat 0 is clean with all its counters: nothing is returned to anybody."""
    events = whole(DEALS["AA-1"])
    assert of_kind(events, CountersReturned) == []
    assert of_kind(events, CountersLost) == [
        CountersLost(Seat(seat), count) for seat, count in ((1, 4), (2, 3), (3, 3))
    ]


def test_aa_3_a_clean_player_recovers_three_of_seven() -> None:
    """Seat 1 had lost seven counters, and takes back half of them, rounded down."""
    events = whole(DEALS["AA-3"])
    assert of_kind(events, CountersReturned) == [CountersReturned(Seat(1), 3, "clean")]


ALL_TO_SEAT_0: Final = board("0 0 -", "0 0 0", "- 0 0")
"""Before the last trick and the most tricks are paid for."""


@pytest.mark.parametrize(
    ("before", "then"), [(17, 17), (16, 16), (12, 14), (9, 13), (7, 12), (1, 9)]
)
def test_aa_5_a_clean_player_recovers_half(before: int, then: int) -> None:
    """Given a trick won and no counter on the board, half of what was lost is back."""
    state = ending(ALL_TO_SEAT_0, [9, 1, 1, 1], scores=[17, before, 17, 17])
    assert scored(state).scores[1] == then


def test_aa_7_nine_penalties_without_a_sweep() -> None:
    """Seat 0 loses all seventeen; the others recover, and seat 2 wins the match."""
    state = ending(ALL_TO_SEAT_0, [9, 1, 1, 1], scores=[17, 9, 16, 5])
    assert scored(state) == DealScored((17, -4, 0, -6), (0, 13, 16, 11))
    assert winners(state) == (2,)


def test_aa_8_null() -> None:
    """Seat 3 won no trick, and is back at seventeen; seat 2 pays for its line."""
    owners = board("0 1 -", "1 1 2", "- 0 2")
    state = ending(owners, [4, 4, 4, 0], last=2, scores=[10, 9, 16, 2])
    assert scored(state) == DealScored((2, 3, 5, -15), (8, 6, 11, 17))
    assert winners(state) == ()


@pytest.mark.parametrize(
    ("led", "hand", "may_play"),
    [
        ("2D", "JK KS 4C", "JK"),
        ("2D", "JK 3D KS", "3D JK"),
        ("2S", "JK KS", "KS"),
        ("2S", "JK 4C", "4C JK"),
    ],
)
def test_aa_9_the_joker_follows_as_the_turned_card(
    led: str, hand: str, may_play: str
) -> None:
    """Given the seven of diamonds turned, when I hold this hand, I may play these."""
    assert accepted(position(hand, table=led, turned="7D")) == may_play


def test_aa_9_a_joker_led_sets_the_turned_suit() -> None:
    """When the Joker is led, diamonds must be followed."""
    assert accepted(position("KS 9D 4C", table="JK", turned="7D")) == "9D"


@pytest.mark.parametrize(("other", "winner"), [("6D", 0), ("8D", 3)])
def test_aa_9_the_joker_ranks_as_the_turned_card(other: str, winner: int) -> None:
    """It beats the six, and loses to the eight."""
    events, _ = after(position("JK 2C", table=f"2D 3D {other}", turned="7D"), "JK")
    assert of_kind(events, TrickTaken) == [TrickTaken(2, Seat(winner))]


def test_aa_10_joint_winners() -> None:
    """Given stocks of 0, 8, 8 and 3 after a deal, seats 1 and 2 have won."""
    owners = board("0 0 -", "0 1 0", "- 2 3")
    state = ending(owners, [9, 1, 1, 1], scores=[6, 9, 9, 4])
    assert scored(state).scores == (0, 8, 8, 3)
    assert winners(state) == (1, 2)
