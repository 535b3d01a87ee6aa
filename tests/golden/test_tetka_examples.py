"""The worked examples of the rules of Tetka, TK-1 and TK-4 to TK-7."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain import views
from domain.cards import Card
from domain.events import (
    CardPlayed,
    CardTurned,
    CounterPlaced,
    DealScored,
    DealStarted,
    Event,
    RevokeFound,
    RubberEnded,
    SettlementMade,
    TrickTaken,
)
from domain.games.tetka import GAME
from domain.games.tetka.most_tricks import most_tricks
from domain.games.tetka.revokes import after_penalties
from domain.games.tetka.rubbers import nets
from domain.games.tetka.scoring import score
from domain.ids import Seat, Secret
from domain.terms import Options as TableOptions
from tests.driver import Driver, of_kind
from tests.tetka_positions import after, photographed, tetka, won_by


@pytest.fixture(scope="module")
def deals() -> dict[str, Any]:
    """The worked deals of all games."""
    text = Path(__file__).with_name("deals.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.fixture
def tk_1(deals: dict[str, Any]) -> dict[str, Any]:
    """The deal of TK-1."""
    deal: dict[str, Any] = deals["TK-1"]
    return deal


def table_of(deal: dict[str, Any], options: TableOptions | None = None) -> Driver:
    """A table at which that deal has been dealt."""
    hands = [" ".join(hand) for hand in deal["hands"]]
    chosen = photographed((deal["photo"], hands), first_dealer=deal["dealer"])
    return tetka(options, arrangement=chosen)


def play_out(driver: Driver, deal: dict[str, Any]) -> list[Event]:
    """All tricks of the deal; everything that came of them."""
    return driver.play(" ".join(" ".join(played) for _, played, _ in deal["tricks"]))


def test_tk_1_is_played_card_by_card(tk_1: dict[str, Any]) -> None:
    """Each trick is led by the seat, and goes to the seat, that TK-1 says."""
    table = table_of(tk_1)
    for number, (leader, played, winner) in enumerate(tk_1["tricks"], 1):
        assert views.to_act(table.table) == (leader,)
        events = table.play(" ".join(played))
        seats = [(leader + place) % 4 for place in range(4)]
        assert of_kind(events, CardPlayed, TrickTaken) == [
            *(
                CardPlayed(Seat(seat), Card(card))
                for seat, card in zip(seats, played, strict=True)
            ),
            TrickTaken(number, winner),
        ]


def test_tk_1_gives_each_mark_with_its_trick(tk_1: dict[str, Any]) -> None:
    """Trick by trick, and most tricks at the end, to seat 0 though 1 won the last."""
    table = table_of(tk_1)
    marks: list[list[tuple[Seat, str]]] = []
    for _, played, _ in tk_1["tricks"]:
        placed = of_kind(table.play(" ".join(played)), CounterPlaced)
        assert all(event.square is None for event in placed)
        marks.append([(event.seat, event.reason) for event in placed])
    two, three = Seat(2), Seat(3)
    assert marks == [
        [(two, "photograph")],
        [(three, "queen")],
        [],
        [],
        [(two, "counting_trick")],
        [(three, "queen")],
        [(two, "queen")],
        [],
        [],
        [],
        [(Seat(0), "queen")],
        [],
        [(Seat(0), "most_tricks")],
    ]


def test_tk_1_counts_2_0_3_2(tk_1: dict[str, Any]) -> None:
    """When the last card is played, the deal counts what TK-1 says."""
    marks = tuple(tk_1["result"]["marks"])
    assert marks == (2, 0, 3, 2)
    events = play_out(table_of(tk_1), tk_1)
    assert of_kind(events, DealScored) == [DealScored(marks, marks)]


def test_tk_1_with_a_mark_for_the_last_trick(tk_1: dict[str, Any]) -> None:
    """Seat 1, who won it, has a mark too."""
    events = play_out(table_of(tk_1, {"last_trick_mark": True}), tk_1)
    [scored] = of_kind(events, DealScored)
    assert scored.points == (2, 1, 3, 2)
    assert CounterPlaced(Seat(1), "last_trick", None) in events


@pytest.mark.parametrize(
    ("records", "won"),
    [
        ((21, 15, 9, 4), (-35, -11, 13, 33)),
        ((23, 23, 10, 7), (-29, -29, 23, 35)),
        ((0, 0, 7, 21), (28, 28, 0, -56)),
        ((22, 6, 6, 8), (-46, 18, 18, 10)),
    ],
    ids=str,
)
def test_tk_4_records_settle_so(records: tuple[int, ...], won: tuple[int, ...]) -> None:
    """By the sum less four times one's own, which is what all pairs come to."""
    assert nets(records) == won
    pairs = tuple(sum(other - mine for other in records) for mine in records)
    assert pairs == won


def test_tk_5_a_whole_rubber(deals: dict[str, Any]) -> None:
    """Ten deals with these marks: it ends after the tenth, settled, and seat 1 opens.

    In each deal the first seat with a mark takes every trick, its other marks and
    those of the rest being for queens.
    """
    example = deals["TK-5"]
    state = GAME.begin(GAME.presets["standard"], 4, None)
    events: list[Event] = []
    for number, (dealer, photo, marks, totals) in enumerate(example["deals"], 1):
        if number > 1:
            assert GAME.next_dealer(state) == dealer
        began = DealStarted(
            number, Seat(dealer), "", arranged=False, secret=Secret(b"")
        )
        state = after(state, [began])
        payer = next(seat for seat in range(4) if marks[seat])
        placed: list[Event] = [CardTurned(Card(photo), "photograph")]
        for seat, count in enumerate(marks):
            queen = CounterPlaced(Seat(seat), "queen", None)
            placed += [queen] * (count - (seat == payer))
        every_trick = won_by(" ".join([str(payer)] * 13)).tricks
        state = replace(after(state, placed), tricks=every_trick)
        events = score(state)
        state = after(state, events)
        assert of_kind(events, DealScored) == [DealScored(tuple(marks), tuple(totals))]
        assert bool(of_kind(events, RubberEnded)) == (number == 10)
    assert events[-2:] == [
        RubberEnded(1, (15, 16, 16, 23)),
        SettlementMade(tuple(example["settle"])),
    ]
    result = GAME.result(state)
    assert result is not None
    assert result.winners == (0,)
    assert result.settlement == (10, 6, 6, -22)
    assert GAME.next_dealer(state) == 1


@pytest.mark.parametrize(
    ("winners", "payer"),
    [("0 0 0 0 0 1 1 1 1 1 2 2 3", 1), ("0 1 2 0 1 2 0 1 2 0 1 2 3", 2)],
)
def test_tk_6_ties_for_most_tricks(winners: str, payer: int) -> None:
    """The tied player whose own last trick is the latest pays."""
    state = won_by(winners)
    assert most_tricks(state, []) == payer
    assert CounterPlaced(Seat(payer), "most_tricks", None) in score(state)


def test_tk_7_a_revoke_is_paid_for_in_tricks() -> None:
    """5-4-3-1 become 4-3-2-4, and the later own trick of those tied is seat 3's."""
    state = won_by("1 1 1 1 2 2 2 0 0 0 0 0 3")
    revoke = RevokeFound(Seat(3), 2, Card("4C"))
    assert state.tricks_taken() == (5, 4, 3, 1)
    assert after_penalties(state.tricks_taken(), [revoke]) == (4, 3, 2, 4)
    assert most_tricks(state, [revoke]) == 3
    assert most_tricks(state, []) == 0
