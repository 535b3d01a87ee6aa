"""What a deal of Agony Aunt costs: most tricks, lines, losses, recoveries, the end."""

from collections.abc import Sequence

import pytest

from domain import course
from domain.decisions import Phase
from domain.events import (
    CounterPlaced,
    CountersLost,
    CountersReturned,
    DealScored,
    LineMade,
    Square,
    TrickTaken,
)
from domain.games.agony_aunt import GAME
from domain.games.agony_aunt.board import lines_of
from domain.games.agony_aunt.options import Options
from domain.ids import Seat
from tests.agony_aunt_positions import (
    SQUARES,
    STANDARD,
    VERSION,
    board,
    ended,
    ending,
    placed,
    scored,
    winners,
)
from tests.games import agony_aunt

ALL_TO_SEAT_0 = board("0 0 -", "0 0 0", "- 0 0")
"""All that is paid for before the last trick, by seat 0."""

PAID = board("0 1 -", "1 0 2", "- 0 2")
"""The same, shared."""


def payer_of_most(
    won: Sequence[int],
    piles: Sequence[str] = ("", "", "", ""),
    *,
    last: int = 0,
    turned: str = "7D",
) -> int | None:
    """Who pays for most tricks; `won` is without the last one, which `last` wins."""
    events = ended(ending(PAID, won, piles=piles, last=last, turned=turned))
    return placed(events)["plus"]


# Most tricks.


@pytest.mark.parametrize("seat", range(4))
def test_aa_r13_the_most_tricks_cost_a_counter(seat: int) -> None:
    """Whoever has won them, though others took all cards of the dump suit."""
    won = [2, 2, 2, 2]
    won[seat] += 4
    piles = ["2D 3D"] * 4
    piles[seat] = ""
    assert payer_of_most(won, piles, last=(seat + 1) % 4) == seat


@pytest.mark.parametrize(
    ("piles", "payer"),
    [
        (("2D 3D 4D", "AD KD", "", ""), 0),
        (("KD", "2D 3D", "", ""), 1),
        (("KD AD", "2D 3D JK", "", ""), 1),
        (("2D 3D AC KC QC", "4D 5D 6D", "", ""), 1),
        (("2D", "3D 4D", "5D 6D 8D 9D", ""), 1),
    ],
)
def test_aa_r15_of_those_tied_the_one_with_most_dump_cards_pays(
    piles: Sequence[str], payer: int
) -> None:
    """The Joker is one of them; other suits and players do not matter."""
    assert payer_of_most([4, 5, 3, 0], piles) == payer


@pytest.mark.parametrize(
    ("piles", "payer"),
    [
        (("2D AD", "QD KD", "", ""), 0),
        (("9D 2D", "TD 3D", "", ""), 1),
        (("6D", "JK", "", ""), 1),
        (("8D", "JK", "", ""), 0),
    ],
)
def test_aa_r16_of_those_still_tied_the_one_with_the_highest_pays(
    piles: Sequence[str], payer: int
) -> None:
    """The ace is high, the Joker ranks as the seven that was turned."""
    assert payer_of_most([4, 5, 3, 0], piles) == payer


def test_aa_r17_at_last_the_one_pays_who_won_the_latest_trick() -> None:
    """Of two with four tricks and no card of the dump suit."""
    assert payer_of_most([3, 4, 3, 2], last=0) == 0


def test_aa_r17_the_latest_trick_need_not_be_the_last() -> None:
    """Seats 0 and 1 have four each; seat 1 won later, though seat 2 won the last."""
    assert payer_of_most([4, 4, 2, 2], last=2) == 1


# Lines.


@pytest.mark.parametrize("layout", ["parlett", "alphabetical"])
def test_aa_r19_there_are_eight_lines(layout: str) -> None:
    """With all squares one seat's each is made, rows first, then columns, diagonals."""
    options = Options(board="parlett" if layout == "parlett" else "alphabetical")
    owners = dict.fromkeys(SQUARES, Seat(2))
    made = [" ".join(line) for _, line in lines_of(owners, options)]
    assert made == agony_aunt.LINES[layout].split(", ")
    assert {seat for seat, _ in lines_of(owners, options)} == {2}


@pytest.mark.parametrize("line", agony_aunt.LINES["parlett"].split(", "))
def test_aa_r19_a_line_is_three_squares_of_one_seat(line: str) -> None:
    """Take one away or give it to another, and there is none."""
    squares = [square for square in SQUARES if square in line.split()]
    owners: dict[Square, Seat] = dict.fromkeys(squares, Seat(1))
    assert len(lines_of(owners, STANDARD)) == 1
    for square in squares:
        fewer = {it: seat for it, seat in owners.items() if it != square}
        assert lines_of(fewer, STANDARD) == ()
        assert lines_of({**owners, square: Seat(0)}, STANDARD) == ()


def test_aa_r19_no_line_of_empty_squares() -> None:
    """Nobody's squares are nobody's line."""
    assert lines_of({}, STANDARD) == ()


def test_aa_r19_each_line_costs_one_more() -> None:
    """Three lines cost three beside the six squares."""
    owners = board("1 1 -", "0 1 2", "- 2 1")
    state = ending(owners, [2, 8, 1, 1], last=1)
    events = ended(state)
    lines = [it for it in events if isinstance(it, LineMade)]
    assert lines == [
        LineMade(Seat(1), ("joker", "spades", "omega")),
        LineMade(Seat(1), ("joker", "aunt", "hash")),
        LineMade(Seat(1), ("omega", "aunt", "plus")),
    ]
    assert CountersLost(Seat(1), 9) in events


# Losses.


def test_aa_r20_aa_r21_all_nine_and_eight_lines_cost_seventeen() -> None:
    """And they are gone."""
    state = ending(ALL_TO_SEAT_0, [9, 1, 1, 1], scores=[20, 9, 9, 9])
    assert CountersLost(Seat(0), 17) in ended(state)
    assert scored(state).scores[0] == 3


def test_aa_r21_what_is_lost_stays_lost() -> None:
    """Nothing comes back to one who has a counter on the board."""
    state = ending(board("0 1 -", "1 1 2", "- 3 2"), [4, 3, 3, 2], scores=[9] * 4)
    assert not [it for it in ended(state) if isinstance(it, CountersReturned)]
    assert scored(state) == DealScored((3, 3, 2, 1), (6, 6, 7, 8))


def test_aa_r27_debts_count_on_the_board_and_nobody_goes_below_nought() -> None:
    """Seat 1 has one counter, and still its four squares and its line are marked."""
    owners = board("1 1 -", "0 2 2", "- 2 0")
    state = ending(owners, [1, 7, 3, 1], last=1, scores=[17, 1, 17, 17])
    events = ended(state)
    assert placed(events) == {"omega": 1, "plus": 1}
    assert LineMade(Seat(1), ("joker", "spades", "omega")) in events
    assert CountersLost(Seat(1), 1) in events
    assert scored(state).points[1] == 1
    assert scored(state).scores[1] == 0


# Recoveries.


def test_aa_r22_aa_r28_who_wins_all_tricks_goes_back_to_seventeen() -> None:
    """Although fourteen more were owed than there were; the match goes on."""
    state = ending(ALL_TO_SEAT_0, [12, 0, 0, 0], scores=[3, 9, 16, 1])
    events = ended(state)
    assert CountersLost(Seat(0), 3) in events
    assert CountersReturned(Seat(0), 17, "sweep") in events
    assert scored(state) == DealScored((-14, 0, 0, 0), (17, 9, 16, 1))
    assert winners(state) == ()


def test_aa_r23_aa_r26_when_one_wins_all_the_others_get_nothing() -> None:
    """Neither for no trick nor for a clean board."""
    events = ended(ending(ALL_TO_SEAT_0, [12, 0, 0, 0], scores=[3, 9, 16, 1]))
    returned = [it.seat for it in events if isinstance(it, CountersReturned)]
    assert returned == [0]


def test_aa_r23_who_wins_no_trick_goes_back_to_seventeen() -> None:
    """Two of them may, and each says why."""
    state = ending(board("0 1 -", "1 0 1", "- 0 1"), [5, 7, 0, 0], scores=[9, 9, 2, 16])
    returned = [it for it in ended(state) if isinstance(it, CountersReturned)]
    assert returned == [
        CountersReturned(Seat(2), 15, "null"),
        CountersReturned(Seat(3), 1, "null"),
    ]


def test_aa_r24_aa_r25_a_clean_player_gets_half_back_unasked() -> None:
    """In the same append: nobody is asked, and those without a trick come first."""
    state = ending(ALL_TO_SEAT_0, [10, 2, 0, 0], scores=[17, 12, 17, 3])
    returned = [it for it in ended(state) if isinstance(it, CountersReturned)]
    assert returned == [
        CountersReturned(Seat(3), 14, "null"),
        CountersReturned(Seat(1), 2, "clean"),
    ]


def test_aa_r22_to_r24_go_by_the_number_that_was_agreed_on() -> None:
    """With nine counters none goes back above nine, and half is of nine."""
    options = Options(counters=9)
    state = ending(ALL_TO_SEAT_0, [10, 2, 0, 0], scores=[9, 4, 9, 3], options=options)
    assert scored(state).scores == (0, 6, 9, 9)


def test_aa_r28_the_end_of_a_deal_has_its_order() -> None:
    """Last trick, most tricks, lines, losses, what comes back, the scores."""
    owners = board("0 0 -", "0 0 0", "- 1 1")
    state = ending(owners, [10, 1, 0, 1], scores=[17, 12, 8, 9])
    kinds = [type(event) for event in ended(state)][1:]
    assert kinds == [
        TrickTaken,
        CounterPlaced,
        CounterPlaced,
        *[LineMade] * 4,
        *[CountersLost] * 2,
        *[CountersReturned] * 2,
        DealScored,
    ]


# The end of the deal and of the match.


def test_a_scored_deal_waits_for_nobody() -> None:
    """It is done, and no seat is to act."""
    state = ending(ALL_TO_SEAT_0, [9, 1, 1, 1])
    over = course.after(state, GAME.steps, ended(state), VERSION)
    assert over.phase is Phase.DONE
    assert GAME.to_act(over) == ()


@pytest.mark.parametrize(
    ("scores", "won"),
    [
        ((9, 9, 9, 9), ()),
        ((8, 9, 9, 9), (1, 2, 3)),
        ((2, 9, 9, 4), (1, 2)),
        ((17, 1, 9, 12), (3,)),
        ((17, 1, 9, 9), (0,)),
    ],
)
def test_aa_r29_aa_r30_the_match_ends_when_a_stock_is_empty(
    scores: Sequence[int], won: Sequence[int]
) -> None:
    """The most counters win, jointly where several have them.

    The deal costs seat 0 eight counters, and the others one each.
    """
    owners = board("0 0 -", "0 1 0", "- 3 2")
    assert winners(ending(owners, [9, 1, 1, 1], scores=scores)) == won
