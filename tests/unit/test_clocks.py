"""Clocks: how long a decision has, what a reserve is spent on, what does not count."""

from datetime import timedelta

import pytest

from domain import views
from domain.commands import ExtendDeadlines, Resume, TakeSeat, TimeOut
from domain.errors import NotYourTurn
from domain.events import Answer, DeadlineExtended, SeatsDrawn, SeatTimedOut
from domain.ids import Seat
from domain.people import Occupant
from domain.table import Table
from domain.terms import Absence, Clock, Options
from tests.driver import (
    BEGINNING,
    Driver,
    hearts,
    of_bots,
    of_kind,
    of_people,
    person,
)

ME = Seat(0)


def seconds(driver: Driver, seat: int) -> float | None:
    """When the seat's time is up, in seconds after the table was opened."""
    clocks = driver.table.clocks
    if clocks is None:
        raise LookupError("the table has clocks")
    deadline = clocks.deadline(Seat(seat))
    return None if deadline is None else (deadline - BEGINNING).total_seconds()


def banks(driver: Driver) -> list[int]:
    """What is left of each reserve, in whole seconds, as everybody sees it."""
    return [clock.bank for clock in views.view(driver.table, None).clocks or ()]


def passing(*, each: int = 30, bank: int = 0, absence: Absence = "auto_play") -> Driver:
    """Four people who are to pass since four seconds after the beginning."""
    return of_people(hearts(), Clock(seconds=each, bank=bank), absence)


def test_a_decision_has_its_time_and_the_reserve_of_its_seat() -> None:
    """From the append on that opened it."""
    driver = passing(each=30, bank=60)
    assert [seconds(driver, seat) for seat in range(4)] == [4 + 90] * 4


def test_a_move_in_time_costs_nothing_of_the_reserve() -> None:
    """Not even a second."""
    driver = passing(each=30, bank=60)
    driver.wait(29)
    driver.move(0, driver.some_move(ME))
    assert banks(driver) == [60] * 4


def test_what_a_move_takes_beyond_its_time_is_off_the_reserve() -> None:
    """For the rest of the match; the others' is as it was."""
    driver = passing(each=30, bank=60)
    driver.wait(40)
    driver.move(0, driver.some_move(ME))
    assert banks(driver) == [60 - 11, 60, 60, 60]


def test_a_clock_does_not_begin_anew_while_others_decide() -> None:
    """A decision keeps its deadline until it is answered."""
    driver = passing()
    before = seconds(driver, 3)
    for seat in range(3):
        driver.move(seat, driver.some_move(Seat(seat)))
    assert seconds(driver, 3) == before
    assert [seconds(driver, seat) for seat in range(3)] == [None] * 3


def test_who_is_timed_out_has_no_reserve_left() -> None:
    """The deadline had it in it."""
    driver = passing(each=30, bank=60)
    driver.wait(90)
    driver.do(TimeOut(ME))
    assert banks(driver) == [0, 60, 60, 60]


def test_a_late_move_is_as_good_as_any_until_the_time_out() -> None:
    """Which of the two is stored first is what counts."""
    driver = passing()
    driver.wait(1000)
    driver.move(0, driver.some_move(ME))
    with pytest.raises(NotYourTurn):
        driver.do(TimeOut(ME))


def test_nobody_is_timed_out_early() -> None:
    """Not by a microsecond, and at the deadline itself."""
    driver = passing()
    driver.now = BEGINNING + timedelta(seconds=4 + 30 - 1, microseconds=-1)
    with pytest.raises(NotYourTurn):
        driver.do(TimeOut(ME))
    driver.now = BEGINNING + timedelta(seconds=4 + 30 - 1)
    assert isinstance(driver.do(TimeOut(ME))[0], SeatTimedOut)


def test_where_a_table_waits_nobody_is_timed_out() -> None:
    """Its clocks run, and nothing comes of it."""
    driver = passing(absence="wait")
    driver.wait(1000)
    with pytest.raises(NotYourTurn):
        driver.do(TimeOut(ME))
    assert seconds(driver, 0) == 34


def test_bots_have_no_clock() -> None:
    """Neither their own nor that of a player whom they play for."""
    driver = of_bots("hearts")
    assert driver.table.clocks is None
    driver = passing(absence="bot")
    driver.wait(1000)
    driver.do(TimeOut(ME))
    assert seconds(driver, 0) is None


def test_who_is_back_has_all_the_time_of_a_decision() -> None:
    """The clock begins when the player is back, not when the bot took over."""
    driver = passing(absence="bot")
    driver.wait(1000)
    driver.do(TimeOut(ME))
    driver.do(TakeSeat(ME, person(0)))
    back = (driver.now - BEGINNING).total_seconds()
    assert seconds(driver, 0) == back + 30
    driver.wait(1000)
    driver.do(TimeOut(ME))
    driver.do(Resume(ME, driver.some_move(ME)))
    assert seconds(driver, 0) is None


def test_time_in_which_the_server_was_away_does_not_count() -> None:
    """Deadlines move by it, once; a move afterwards costs no reserve."""
    driver = passing(each=30, bank=60)
    since = BEGINNING + timedelta(seconds=10)
    until = since + timedelta(seconds=480)
    driver.wait(500)
    assert driver.do(ExtendDeadlines(since, until)) == [
        DeadlineExtended(
            tuple(map(Seat, range(4))),
            "2026-11-30T02:45:10.123456Z",
            "2026-11-30T02:53:10.123456Z",
        )
    ]
    assert [seconds(driver, seat) for seat in range(4)] == [4 + 90 + 480] * 4
    driver.move(0, driver.some_move(ME))
    assert banks(driver) == [60] * 4


def test_time_before_a_decision_was_open_is_not_given_back() -> None:
    """Who came to decide after the server was back gets nothing for it."""
    driver = passing()
    since = driver.now - timedelta(seconds=480)
    with pytest.raises(NotYourTurn):
        driver.do(ExtendDeadlines(since, driver.now))


def test_who_came_to_decide_just_before_the_server_went_is_given_its_time() -> None:
    """When it was last there is known to the half second only."""
    driver = passing()
    since = driver.now - timedelta(seconds=0.5)
    driver.wait(60)
    driver.do(ExtendDeadlines(since, driver.now))
    assert seconds(driver, 0) == 4 + 30 + 60.5


def test_no_time_is_taken_from_anybody() -> None:
    """Not by a server that came back before it went, or at that moment."""
    driver = passing(each=600)
    driver.wait(60)
    for span in (timedelta(), timedelta(seconds=590)):
        with pytest.raises(NotYourTurn):
            driver.do(ExtendDeadlines(driver.now + span, driver.now))
    assert seconds(driver, 0) == 4 + 600


def test_without_clocks_no_time_is_given_back() -> None:
    """There is none."""
    driver = of_people(hearts(), None, "bot")
    with pytest.raises(NotYourTurn):
        driver.do(ExtendDeadlines(driver.now - timedelta(seconds=10), driver.now))


def test_reserves_and_proxies_go_with_their_players_to_new_seats() -> None:
    """In Tetka, where seats are drawn after every fourth rubber."""
    options: Options = {"rubber_points": 1, "rubbers": 6}
    driver = of_people(of_bots("tetka", options), Clock(seconds=5, bank=6000), "bot")
    while driver.table.status == "playing":
        driver.wait(driver.chance.choice([0, 8]))
        driver.step()
    told = zip(driver.tables[:-1], driver.appends[1:], driver.tables[1:], strict=True)
    draws = 0
    for before, append, after in told:
        if of_kind(append, SeatsDrawn):
            draws += 1
            assert before.seats != after.seats
            [actor] = {it.seat for it in append[:1] if isinstance(it, Answer)}
            assert others(after, before.seats[actor or 0]) == others(
                before, before.seats[actor or 0]
            )
    assert draws == 1


def others(table: Table, actor: Occupant) -> dict[Occupant, tuple[timedelta, bool]]:
    """The reserve of all other players, and whether a bot plays for them."""
    if table.clocks is None:
        raise LookupError("the table has clocks")
    return {
        player: (table.clocks.bank[seat], seat in table.proxied)
        for seat, player in enumerate(table.seats)
        if player != actor
    }
