"""The worked examples of the rules of Cancellation Hearts: CH-1, CH-3 to CH-5, CH-7."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain import views
from domain.black_lady import points as points_of
from domain.cards import Card, cards_of
from domain.events import (
    CardPlayed,
    DealScored,
    Event,
    HeartsBroken,
    KittyTaken,
    TrickCancelled,
    TrickTaken,
)
from domain.games.cancellation_hearts.options import Options
from domain.ids import Seat
from domain.terms import ArrangedDeal, Arrangement
from tests.cancellation_positions import (
    STANDARD,
    accepted,
    after_cards,
    cancellation_hearts,
    ended,
    ending,
    late,
    points,
    position,
    refused,
    state_of,
    trick_of,
    winners,
)
from tests.driver import Driver, cards, of_kind


@pytest.fixture
def deal() -> dict[str, Any]:
    """The deal of CH-1."""
    text = Path(__file__).with_name("deals.json").read_text("utf-8")
    ch_1: dict[str, Any] = json.loads(text)["CH-1"]
    return ch_1


@pytest.fixture
def table(deal: dict[str, Any]) -> Driver:
    """The table of CH-1, its hands dealt; they are those after the pass."""
    hands = tuple(cards(" ".join(hand)) for hand in deal["hands"])
    kitty = cards(" ".join(deal["kitty"]))
    chosen = ArrangedDeal(hands=hands, kitty=kitty)
    return cancellation_hearts(
        {"passing": []},
        arrangement=Arrangement(first_dealer=Seat(deal["dealer"]), deals=(chosen,)),
    )


def play(driver: Driver, deal: dict[str, Any], *numbers: int) -> list[Event]:
    """Play the tricks of these numbers; what came of them."""
    tricks = [deal["tricks"][number - 1][1] for number in numbers]
    return driver.play(" ".join(" ".join(played) for played in tricks))


def test_ch_1_is_played_card_by_card(table: Driver, deal: dict[str, Any]) -> None:
    """Each trick is led by the seat, and goes to the seat or to none, as CH-1 says."""
    for number, (leader, played, winner) in enumerate(deal["tricks"], 1):
        assert views.to_act(table.table) == (leader,)
        events = play(table, deal, number)
        seats = [(leader + place) % 6 for place in range(6)]
        assert of_kind(events, CardPlayed, TrickTaken, TrickCancelled) == [
            *(
                CardPlayed(Seat(seat), Card(card))
                for seat, card in zip(seats, played, strict=True)
            ),
            TrickCancelled(number) if winner is None else TrickTaken(number, winner),
        ]


def test_ch_1_the_first_trick_is_set_aside_with_both_queens(
    table: Driver, deal: dict[str, Any]
) -> None:
    """All pairs cancel, hearts are broken, and P1, who leads again, may lead hearts."""
    events = play(table, deal, 1)
    assert of_kind(events, HeartsBroken) == [HeartsBroken(Seat(2), Card("QS"))]
    assert events[-1] == TrickCancelled(1)
    assert cards_of(state_of(table).aside) == cards("2S 2S 4S 4S QS QS")
    decision = views.decision(table.table, Seat(1))
    assert decision is not None
    assert "AH" in [str(getattr(move, "card", "")) for move in decision.legal]


def test_ch_1_the_second_trick_brings_p1_34_points(
    table: Driver, deal: dict[str, Any]
) -> None:
    """Six hearts, the two queens that were set aside, and the kitty's two hearts."""
    play(table, deal, 1)
    kitty = [version for version, event in table.table.sealed if event.sealed][-1]
    events = play(table, deal, 2)
    assert events[-2:] == [TrickTaken(2, Seat(1)), KittyTaken(Seat(1), 2, kitty)]
    state = state_of(table)
    assert state.aside == 0
    assert points_of(state.taken[1]) == 34


def test_ch_1_hearts_are_broken_once_and_the_kitty_is_taken_once(
    table: Driver, deal: dict[str, Any]
) -> None:
    """Nothing of the kind happens after the second trick."""
    play(table, deal, 1, 2)
    events = play(table, deal, *range(3, 18))
    assert of_kind(events, HeartsBroken, KittyTaken) == []


def test_ch_1_counts_6_34_3_0_5_4(table: Driver, deal: dict[str, Any]) -> None:
    """When the last card is played, the deal counts what CH-1 says: 52 in all."""
    events = play(table, deal, *range(1, 18))
    points = tuple(deal["pts"])
    assert points == (6, 34, 3, 0, 5, 4)
    assert of_kind(events, DealScored) == [DealScored(points, scores=points)]


TRICKS: dict[str, int | None] = {
    "AS KS AS 4S KD TS": 1,
    "TS 9H 9H TS 4D 2C": None,
    "TS 9H 9H TS 4S 2D": 4,
    "JC JC TC TC 9C 9C": None,
    "QS QS 2S 7S 2S AH": 3,
    "5D 5D AD KD AD KD": None,
    "3H AH AH KH KH 3H": None,
}


@pytest.mark.parametrize("text", TRICKS)
def test_ch_3_who_wins_a_trick(text: str) -> None:
    """Given these cards, led by seat 0, the trick goes to the seat of CH-3, or none."""
    winner = TRICKS[text]
    events, state = trick_of(text, left="2C")
    if winner is None:
        assert events[-1] == TrickCancelled(2)
        assert state.aside
        assert (state.leader, state.turn) == (0, 0)
    else:
        assert events[-1] == TrickTaken(2, Seat(winner))
        assert state.turn == winner


def test_ch_3_by_option_two_pairs_make_a_trick_void() -> None:
    """The third trick goes to nobody then; one pair alone leaves a winner."""
    options = Options(two_pairs_void=True)
    void, _ = trick_of("TS 9H 9H TS 4S 2D", left="2C", options=options)
    won, _ = trick_of("AS KS AS 4S KD TS", left="2C", options=options)
    assert void[-1] == TrickCancelled(2)
    assert won[-1] == TrickTaken(2, Seat(1))


def test_ch_3_cancelled_queens_keep_their_points() -> None:
    """The seven takes both queens and a heart: 27 points."""
    _, state = trick_of("QS QS 2S 7S 2S AH", left="2C")
    assert points_of(state.taken[3]) == 27


def test_ch_3_six_hearts_that_cancel_are_set_aside() -> None:
    """Their six points wait for a winner."""
    _, state = trick_of("3H AH AH KH KH 3H", left="2C")
    assert points_of(state.aside) == 6


@pytest.mark.parametrize(
    ("hand", "may_lead"), [("QS KH 3C", "3C"), ("QS KH", "QS"), ("KH 2H", "2H KH")]
)
def test_ch_4_the_first_lead(hand: str, may_lead: str) -> None:
    """Given the first lead, when I hold this hand, I may lead these."""
    assert accepted(position(hand, first_trick=True)) == may_lead


@pytest.mark.parametrize(
    ("hand", "may_lead"), [("QS KH 3C", "3C QS"), ("QS KH", "QS"), ("KH 2H", "2H KH")]
)
def test_ch_4_later_leads_while_hearts_are_unbroken(hand: str, may_lead: str) -> None:
    """Given that hearts are not broken, when I hold this hand, I may lead these."""
    assert accepted(position(hand)) == may_lead


@pytest.mark.parametrize("hand", ["3C KH QS", "KH QS", "2H KH"])
def test_ch_4_any_card_may_be_led_once_hearts_are_broken(hand: str) -> None:
    """Given that hearts are broken, I may lead what I hold."""
    state = position(hand, broken=True)
    assert accepted(state) == hand
    assert refused(state, "AD") == "CM-8"


def test_ch_5_what_is_set_aside_accumulates() -> None:
    """Cancelled tricks with 2 and 3 hearts bring P3, who wins the next, 5 points."""
    state = late("4C 6D TS", "4C 6D 2S", "5C 4H 3S", "5C 5H AS", "2H 6H KS", "3H 7S 4S")
    events, state = after_cards(state, "4C 4C 5C 5C 2H 3H")
    assert events[-1] == TrickCancelled(4)
    events, state = after_cards(state, "6D 6D 4H 5H 6H 7S")
    assert events[-1] == TrickCancelled(5)
    events, state = after_cards(state, "TS 2S 3S AS KS 4S")
    assert TrickTaken(6, Seat(3)) in events
    assert [event.points for event in of_kind(events, DealScored)] == [
        (0, 0, 0, 5, 0, 0)
    ]


def test_ch_5_two_cancelled_tricks_at_the_end_vanish_both() -> None:
    """What was set aside in the last trick but one goes the way of the last."""
    before = ending("QS", aside="2H 3H 2C 2C 3C 3C", last="4C 4C 5C 5C 4H 5H")
    assert points(before) == (13, 0, 0, 0, 0, 0)


def test_ch_7_the_end_of_the_match() -> None:
    """At 151 150 97 97 130 149 the match is over, and P2 and P3 win jointly."""
    assert STANDARD.target == 150
    final = (151, 150, 97, 97, 130, 149)
    dealt = (0, 13, 0, 0, 0, 13)
    before = tuple(total - new for total, new in zip(final, dealt, strict=True))
    end = ending("", "QS", "", "", "", "QS", scores=before)
    assert ended(end)[1].scores == final
    assert winners(end) == (2, 3)
