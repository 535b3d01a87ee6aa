"""Rubbers of Tetka: when they end, who opens, how they are settled, who sits where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.cards import STANDARD_PACK, Card
from domain.decisions import Phase
from domain.events import (
    DealScored,
    DealStarted,
    MatchEnded,
    RubberEnded,
    SeatsDrawn,
    SettlementMade,
)
from domain.games.tetka import GAME
from domain.games.tetka.options import Options
from domain.games.tetka.rubbers import drawn_seats, nets, settled
from domain.games.tetka.state import TetkaState
from domain.games.tetka.view import view
from domain.ids import Seat
from domain.shuffle import Words, draw_key
from domain.table import fold
from domain.terms import Options as TableOptions
from tests.driver import Driver, cards, person
from tests.property.effort import QUICK
from tests.tetka_positions import (
    FOUR_SUITS,
    STANDARD,
    photographed,
    state_of,
    tetka,
    won_by,
)

SHORT: TableOptions = {"rubber_points": 1}
"""Every deal is a rubber."""


def ended(
    *records: int, deal: int = 1, options: Options = STANDARD
) -> list[type[object]]:
    """What follows when a deal has brought the records to these."""
    state = replace(won_by("0", options=options), deal=deal)
    return [type(event) for event in settled(state, records)]


def over(
    *totals: int, rubber: int = 1, deal: int = 1, options: Options = STANDARD
) -> TetkaState:
    """A match whose rubber or deal is over, with these marks altogether."""
    return replace(
        won_by("0", options=options),
        phase=Phase.DONE,
        totals=totals,
        rubber=rubber,
        rubber_over=options.length == "rubber",
        deal=deal,
    )


def dealers(driver: Driver) -> list[Seat]:
    """Who dealt, deal by deal."""
    return [it.dealer for it in driver.events() if isinstance(it, DealStarted)]


# The end of a rubber.


def test_tk_r13_a_rubber_ends_when_a_record_reaches_twenty_one() -> None:
    """Or more; not before."""
    assert ended(20, 20, 20, 20) == []
    assert ended(20, 21, 20, 20) == [RubberEnded, SettlementMade]
    assert ended(3, 5, 7, 26) == [RubberEnded, SettlementMade]
    assert ended(9, 5, 7, 8, options=Options(rubber_points=9)) == [
        RubberEnded,
        SettlementMade,
    ]


def test_tk_r13_a_deal_is_played_to_its_end_first() -> None:
    """Although the record is full with its first mark."""
    chosen = photographed(("2C", FOUR_SUITS), scores=[20, 0, 0, 0])
    driver = tetka(arrangement=chosen)
    for _ in range(52):
        assert driver.table.status == "playing"
        driver.step()
    assert driver.table.status == "finished"
    [scored] = [it for it in driver.events() if isinstance(it, DealScored)]
    assert scored == DealScored((7, 0, 0, 0), (27, 0, 0, 0))


def test_tk_r14_the_settlement_stands_right_after_the_score() -> None:
    """First the rubber's records, then what each has won of the others."""
    chosen = photographed(("2C", FOUR_SUITS), scores=[14, 15, 9, 4])
    last = tetka(arrangement=chosen).finish().appends[-1]
    scored = next(at for at, it in enumerate(last) if isinstance(it, DealScored))
    records = (21, 15, 9, 4)
    assert last[scored + 1 : scored + 3] == [
        RubberEnded(1, records),
        SettlementMade((-35, -11, 13, 33)),
    ]
    assert last[-1] == MatchEnded((Seat(3),), records, (-35, -11, 13, 33))


@QUICK
@given(records=st.tuples(*[st.integers(0, 60)] * 4))
def test_tk_r14_what_one_wins_another_pays(records: tuple[int, ...]) -> None:
    """All settlements together are nothing, and each is the sum of its pairs."""
    assert sum(nets(records)) == 0
    assert nets(records) == tuple(
        sum(other - mine for other in records) for mine in records
    )


def test_marks_alone_are_not_settled() -> None:
    """By option nobody pays anybody, and the lowest record wins."""
    marks = Options(settlement="marks")
    assert ended(21, 15, 9, 4, options=marks) == [RubberEnded]
    result = GAME.result(over(21, 15, 4, 4, options=marks))
    assert result is not None
    assert (result.winners, result.settlement) == ((2, 3), None)


def test_tk_r15_equal_lowest_records_win_jointly() -> None:
    """They settle at nothing between each other."""
    result = GAME.result(over(22, 6, 6, 8))
    assert result is not None
    assert (result.winners, result.settlement) == ((1, 2), (-46, 18, 18, 10))


# A match of deals.


@pytest.mark.parametrize("settlement", ["pairwise", "marks"])
def test_x_25_a_match_of_deals_ends_with_the_last_of_them(settlement: str) -> None:
    """No rubber ends, how high the records and whatever is said of rubbers."""
    deals = GAME.presets["parlett"]
    deals = replace(deals, settlement=settlement, rubbers=7, rubber_points=5)
    made = [SettlementMade] if settlement == "pairwise" else []
    assert ended(30, 0, 0, 6, deal=3, options=deals) == []
    assert ended(30, 0, 0, 6, deal=4, options=deals) == made
    assert GAME.result(over(30, 0, 0, 6, deal=3, options=deals)) is None
    result = GAME.result(over(30, 0, 0, 6, deal=4, options=deals))
    assert result is not None
    assert result.winners == (1, 2)
    won = (-84, 36, 36, 12) if settlement == "pairwise" else None
    assert result.settlement == won
    playing = replace(over(1, 0, 0, 6, deal=4, options=deals), phase=Phase.PLAYING)
    assert GAME.result(playing) is None


# Several rubbers.


def test_tk_r16_the_next_rubber_is_opened_to_the_left_of_the_last_opener() -> None:
    """Not of the last dealer; within a rubber the deal passes to the left."""
    state = replace(over(21, 0, 0, 0), opener=Seat(3), dealer=Seat(1))
    assert GAME.next_dealer(state) == 0
    assert GAME.next_dealer(replace(state, rubber_over=False)) == 2


def test_tk_r16_the_dealers_of_a_match_of_two_rubbers() -> None:
    """The opener of the second is known whatever the length of the first."""
    chosen = photographed(first_dealer=2)
    options: TableOptions = {"rubber_points": 9, "rubbers": 2}
    driver = tetka(options, seed=1, arrangement=chosen).finish()
    [first, second] = [it for it in driver.events() if isinstance(it, RubberEnded)]
    assert (first.rubber, second.rubber) == (1, 2)
    starts = [it for it in driver.events() if isinstance(it, DealStarted | RubberEnded)]
    before = starts.index(first)
    turn = dealers(driver)
    assert before >= 2
    assert turn[:before] == [(2 + place) % 4 for place in range(before)]
    assert turn[before:] == [(3 + place) % 4 for place in range(len(turn) - before)]


def test_x_10_records_begin_again_with_the_next_rubber() -> None:
    """Nets are summed, and the view has the rubber's number and all marks."""
    deals = [("2C", FOUR_SUITS)] * 2
    chosen = photographed(*deals, first_dealer=3)
    driver = tetka({**SHORT, "rubbers": 2}, arrangement=chosen)
    driver.play(FOUR_SUITS[0][:2])
    assert view(state_of(driver), None).rubber == 1
    while state_of(driver).deal == 1:
        driver.step()
    state = state_of(driver)
    assert state.scores == (0, 0, 0, 0)
    shown = view(state, None)
    assert (shown.rubber, shown.totals) == (2, (7, 0, 0, 0))
    driver.finish()
    ended = driver.appends[-1][-1]
    # In the second deal seat 1 leads, and so takes every trick.
    assert ended == MatchEnded((Seat(2), Seat(3)), (0, 7, 0, 0), (-14, -14, 14, 14))


def test_x_10_the_match_is_not_over_before_its_last_rubber() -> None:
    """Nor while that is on."""
    three = Options(rubbers=3)
    assert GAME.result(over(50, 10, 0, 0, rubber=2, options=three)) is None
    last = over(70, 10, 4, 0, rubber=3, options=three)
    assert GAME.result(last) is not None
    assert GAME.result(replace(last, rubber_over=False)) is None


# New seats.


@pytest.mark.parametrize(
    ("order", "drawn", "seats"),
    [
        pytest.param("9C AC 2S TD", "9C, AC, 2S, TD", (1, 3, 0, 2), id="all differ"),
        pytest.param(
            "9C AC 9S TD 8C 7C", "9C 8C, AC, 9S 7C, TD", (1, 3, 0, 2), id="two"
        ),
        pytest.param(
            "9C AC 9S AD 8C 3C 7C 4C",
            "9C 8C, AC 3C, 9S 7C, AD 4C",
            (1, 2, 0, 3),
            id="two and two, in the order of the seats",
        ),
        pytest.param(
            "9C AC 9S 9D 5C 5D 3H KC QC",
            "9C 5C KC, AC, 9S 5D QC, 9D 3H",
            (2, 3, 1, 0),
            id="three, and two of them again",
        ),
        pytest.param(
            "9D 2S 3S 9S AD 8H KS AC",
            "9D AD, 2S, 3S, 9S 8H",
            (3, 0, 1, 2),
            id="draw 1 of the vectors",
        ),
        pytest.param(
            "AC AD 7H JC TS 5H JH 7S",
            "AC TS, AD 5H, 7H, JC",
            (3, 2, 0, 1),
            id="draw 2 of the vectors",
        ),
    ],
)
def test_x_18_the_lowest_card_takes_the_first_seat(
    order: str, drawn: str, seats: tuple[int, ...]
) -> None:
    """TK-R2: and so on upwards; those who drew alike draw again among themselves."""
    event = drawn_seats(3, list(cards(order)), 4)
    assert event.draw == 3
    assert event.cards == tuple(map(cards, drawn.split(", ")))
    assert event.seats == seats


@QUICK
@given(order=st.permutations(STANDARD_PACK))
def test_x_18_whatever_is_drawn_all_have_a_seat(order: list[Card]) -> None:
    """Seats are in the order of what was drawn, card by card from the top."""
    event = drawn_seats(1, order, 4)
    ranks = [[card.rank for card in drawn] for drawn in event.cards]
    by_rank = sorted(range(4), key=lambda seat: ranks[seat])
    assert [event.seats[seat] for seat in by_rank] == [0, 1, 2, 3]
    used = sum(map(len, event.cards))
    assert {card for drawn in event.cards for card in drawn} == set(order[:used])


def test_tk_r17_seats_are_drawn_after_every_fourth_rubber() -> None:
    """From the match's own draws, numbered from 1; X-20: never before the fourth."""
    driver = tetka({**SHORT, "rubbers": 10}, seed=5).finish()
    kinds = (SeatsDrawn, RubberEnded, DealStarted)
    course = [it for it in driver.events() if isinstance(it, kinds)]
    draws = [at for at, it in enumerate(course) if isinstance(it, SeatsDrawn)]
    for number, at in enumerate(draws, 1):
        before = course[at - 1]
        assert isinstance(before, RubberEnded)
        assert before.rubber == 4 * number
        assert isinstance(course[at + 1], DealStarted)
        key = draw_key(
            driver.id, number, driver.table.opened.secret, driver.table.entropy
        )
        order = Words(key).shuffled(STANDARD_PACK)
        assert course[at] == drawn_seats(number, order, 4)
    assert len(draws) == 2


def test_tk_r17_a_match_that_is_over_draws_no_seats() -> None:
    """After the fourth rubber of four nobody moves."""
    driver = tetka({**SHORT, "rubbers": 4}, seed=5).finish()
    assert not any(isinstance(it, SeatsDrawn) for it in driver.events())


def test_x_22_records_follow_the_players_and_the_opener_is_a_seat() -> None:
    """Who sits where the turn is opens the fifth rubber, with what is their own."""
    driver = tetka({**SHORT, "rubbers": 9}, seed=5)
    before = state_of(driver)
    while state_of(driver).deal < 5:
        before = state_of(driver)
        driver.step()
    last = driver.appends[-1]
    [drawn] = [it for it in last if isinstance(it, SeatsDrawn)]
    [scored] = [it for it in last if isinstance(it, DealScored)]
    assert drawn.seats != (0, 1, 2, 3)
    state = state_of(driver)
    for seat in range(4):
        total = before.totals[seat] + scored.points[seat]
        assert state.totals[drawn.seats[seat]] == total
    first = dealers(driver)[0]
    assert dealers(driver) == [(first + place) % 4 for place in range(5)]
    assert state.opener == (first + 4) % 4


def test_x_22_players_move_to_the_seats_they_drew() -> None:
    """With whether they are away."""
    driver = tetka({**SHORT, "rubbers": 5}, seed=5)
    while state_of(driver).deal < 5:
        driver.step()
    before, last = driver.tables[-2], driver.appends[-1]
    [drawn] = [it for it in last if isinstance(it, SeatsDrawn)]
    assert drawn.seats != (0, 1, 2, 3)
    people = tuple(map(person, range(4)))
    before = replace(before, seats=people, away=(Seat(1), Seat(2)))
    after = fold(before, last, driver.now)
    assert [after.seats[at] for at in drawn.seats] == [*people]
    assert set(after.away) == {drawn.seats[1], drawn.seats[2]}
