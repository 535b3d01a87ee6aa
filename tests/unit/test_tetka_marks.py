"""What costs a mark in Tetka, and how many."""

import pytest
from msgspec.structs import replace

from domain.cards import Card
from domain.commands import Play
from domain.events import (
    CounterPlaced,
    DealScored,
    TrickTaken,
)
from domain.games.tetka import GAME
from domain.games.tetka.marks import counting_trick
from domain.games.tetka.most_tricks import most_tricks
from domain.games.tetka.options import Options
from domain.games.tetka.scoring import score
from tests.tetka_positions import (
    FOUR_SUITS,
    ME,
    STANDARD,
    VERSION,
    photographed,
    position,
    state_of,
    tetka,
    won_by,
)


def marks_of(
    trick: str,
    *,
    photograph: str = "2D",
    number: int = 6,
    options: Options = STANDARD,
) -> list[str]:
    """What seat 0 is marked for when it plays the last card of this trick and wins."""
    *before, mine = trick.split()
    state = position(
        f"{mine} 2C", table=" ".join(before), options=options, tricks=number - 1
    )
    state = replace(state, photograph=Card(photograph))
    events = GAME.decide(state, ME, Play(card=Card(mine)), VERSION)
    assert TrickTaken(number, ME) in events
    placed = [event for event in events if isinstance(event, CounterPlaced)]
    assert all(event.seat == ME for event in placed)
    return [event.reason for event in placed]


def test_tk_r7_a_queen_the_photograph_and_the_counting_trick_cost_a_mark_each() -> None:
    """Card by card as they were played, then for the trick's number."""
    assert marks_of("3C 4C 5C 6C") == []
    assert marks_of("QD 3C 4S AD") == ["queen"]
    assert marks_of("2D 3C 4S AD") == ["photograph"]
    assert marks_of("4C 5C 3D 6C", number=2) == ["counting_trick"]
    assert marks_of("2D QD 4S AD", number=2) == [
        "photograph",
        "queen",
        "counting_trick",
    ]


def test_tk_r8_several_queens_in_a_trick_cost_a_mark_each() -> None:
    """Here three fall together."""
    assert marks_of("3H QD QS QH", photograph="AD") == ["queen"] * 3


def test_tk_r9_a_photographed_queen_costs_two_marks() -> None:
    """One as a queen, one as the photograph."""
    assert marks_of("QD 3D 4S AD", photograph="QD") == ["queen", "photograph"]


@pytest.mark.parametrize(
    ("photograph", "number"),
    [("AS", 1), ("2S", 2), ("9H", 9), ("TC", 10), ("JD", 11), ("QD", 12), ("KD", 13)],
)
def test_tk_r10_the_counting_trick_has_the_number_of_the_photograph(
    photograph: str, number: int
) -> None:
    """The ace counts one, jack, queen and king eleven to thirteen."""
    assert counting_trick(Card(photograph)) == number
    for trick in range(1, 14):
        marks = marks_of("3C 4C 5C 6C", photograph=photograph, number=trick)
        assert marks == ["counting_trick"] * (trick == number)


def test_tk_r7_most_tricks_cost_a_mark_when_the_deal_is_over() -> None:
    """Right before the score, which counts it."""
    state = won_by("0 0 0 0 0 0 1 1 1 2 2 3 3", marks=((), ("queen",), (), ()))
    assert score(state)[:2] == [
        CounterPlaced(ME, "most_tricks", None),
        DealScored((1, 1, 0, 0), (1, 1, 0, 0)),
    ]


def test_tk_r11_of_those_tied_the_latest_own_trick_pays() -> None:
    """Not whoever won the thirteenth, nor somebody with fewer tricks."""
    assert most_tricks(won_by("1 1 1 1 1 0 0 0 0 0 2 2 3"), []) == 0
    assert most_tricks(won_by("0 0 0 0 0 1 1 1 1 1 2 2 3"), []) == 1
    assert most_tricks(won_by("3 3 3 3 3 3 0 0 0 0 0 1 2"), []) == 3


def test_tk_r12_the_last_trick_costs_nothing_unless_agreed() -> None:
    """By option it is a mark like that of the counting trick, and may come with it."""
    agreed = Options(last_trick_mark=True)
    assert "last_trick" not in _last_trick(STANDARD, photograph="2D")
    assert _last_trick(agreed, photograph="2D") == ["last_trick", "most_tricks"]
    assert _last_trick(agreed, photograph="KD") == [
        "counting_trick",
        "last_trick",
        "most_tricks",
    ]
    assert marks_of("3C 4C 5C 6C", number=12, options=agreed) == []


def _last_trick(options: Options, *, photograph: str) -> list[str]:
    """What seat 0 is marked for, winning the last trick of all."""
    state = position("6C", table="3C 4C 5C", options=options, tricks=12)
    state = replace(state, photograph=Card(photograph))
    events = GAME.decide(state, ME, Play(card=Card("6C")), VERSION)
    return [event.reason for event in events if isinstance(event, CounterPlaced)]


def test_by_option_the_queen_of_the_photographs_suit_costs_one_more() -> None:
    """She alone, and three where she is the photograph herself."""
    agreed = Options(suit_queen_mark=True)
    queens = marks_of("3H QD QS QH", photograph="AD", options=agreed)
    assert queens == ["queen", "suit_queen", "queen", "queen"]
    assert marks_of("3H QD QS KH", photograph="QD", options=agreed) == [
        "queen",
        "suit_queen",
        "photograph",
        "queen",
    ]


@pytest.mark.parametrize(
    ("taken", "payer"),
    [
        pytest.param(("2D 3D", "AD", "4D", ""), 0, id="most cards"),
        pytest.param(("2D KD", "3D AD", "4D", ""), 1, id="then the highest"),
        pytest.param(("AC KC", "QC", "2D 3D 4D", "5D"), 1, id="X-26: none"),
        pytest.param(("2D", "", "3D 4D 5D", ""), 0, id="one took one"),
    ],
)
def test_x_26_by_option_most_of_the_photographs_suit_decides(
    taken: tuple[str, ...], payer: int
) -> None:
    """Among those tied; where none took any of it, the latest own trick."""
    winners = "0 0 0 0 0 1 1 1 1 1 2 2 3"
    state = won_by(
        winners, taken=taken, options=Options(most_tricks_tie="most_of_suit")
    )
    assert most_tricks(state, []) == payer
    usual = won_by("1 1 1 1 1 0 0 0 0 0 2 2 3", taken=("", "2D 3D", "", ""))
    assert most_tricks(usual, []) == 0


@pytest.mark.parametrize(
    ("options", "each"),
    [
        (Options(), 7),
        (Options(last_trick_mark=True), 8),
        (Options(suit_queen_mark=True), 8),
        (GAME.presets["parlett"], 9),
    ],
)
def test_tk_r22_a_deal_always_gives_the_same_number_of_marks(
    options: Options, each: int
) -> None:
    """Seven, and one more for each mark that was agreed; here all to seat 0."""
    asked = {name: getattr(options, name) for name in options.__struct_fields__}
    driver = tetka(
        asked | {"length": "deals"},
        arrangement=photographed(("5S", FOUR_SUITS)),
    )
    while state_of(driver).deal == 1:
        driver.step()
    [scored] = [event for event in driver.events() if isinstance(event, DealScored)]
    assert scored.points == (each, 0, 0, 0)


def test_tk_r21_marks_are_given_with_what_they_are_for() -> None:
    """In the append of the card that ends the trick, after the trick is taken."""
    driver = tetka(arrangement=photographed(("2C", FOUR_SUITS)))
    driver.play("2C QD QH QS")
    assert driver.appends[-1][1:] == [
        TrickTaken(1, ME),
        CounterPlaced(ME, "photograph", None),
        *[CounterPlaced(ME, "queen", None)] * 3,
    ]
