"""What must hold at tables whose players may be late, gone, and back again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import log, views
from domain.absence import due
from domain.commands import TimeOut
from domain.deciding import decide
from domain.errors import NotYourTurn
from domain.events import SeatTimedOut, TableAbandoned
from domain.ids import Seat
from domain.terms import Absence, Clock
from tests.driver import Driver, Law, of_people
from tests.games import TRIALS
from tests.property.effort import QUICK
from tests.property.noninterference import assert_nothing_hidden_shows
from tests.property.test_play import (
    its_record_is_found_right,
    public_bytes_name_no_hidden_card,
    what_was_recorded_is_judged_the_same,
)

A_WHILE = 120
"""Moves after which what holds at every moment has been seen often enough."""

ABSENCES: list[Absence] = ["auto_play", "bot", "abandon"]


@st.composite
def tables(draw: st.DrawFn, game: str) -> Driver:
    """A table of people with a clock and any absence but waiting."""
    clock = Clock(seconds=draw(st.integers(1, 3)), bank=draw(st.integers(0, 10)))
    like = draw(TRIALS[game].tables)
    driver = of_people(like, clock, draw(st.sampled_from(ABSENCES)))
    driver.grasping, driver.pairing = like.grasping, like.pairing
    return driver


def the_stored_log_makes_the_same_table(driver: Driver) -> None:
    """Clocks and all, from the bytes that are stored."""
    driver.finish()
    stored = [(line.body, line.kept) for line in driver.lines]
    assert log.restore(driver.id, None, stored) == driver.table


def nobody_is_acted_for_early(driver: Driver) -> None:
    """At no moment is a seat timed out that has time left, or none to lose."""
    for table in driver.prefixes(A_WHILE):
        for seat in views.to_act(table):
            until = due(table, seat)
            if until is None or until > driver.now:
                with pytest.raises(NotYourTurn):
                    decide(table, TimeOut(seat), driver.given())


def clocks_run_for_those_who_are_to_act(driver: Driver) -> None:
    """For every player with an open decision, and for no bot and nobody else."""
    for table in driver.prefixes(A_WHILE):
        clocks = views.view(table, None).clocks
        if clocks is None:
            raise LookupError("the table has clocks")
        run = {seat for seat, clock in enumerate(clocks) if clock.deadline}
        assert run == {seat for seat in views.to_act(table) if table.is_played(seat)}


def banks_never_grow(driver: Driver) -> None:
    """Nor fall below nothing; a match's reserves are spent by the players, in sum."""
    spent = sum(clock.bank for clock in views.view(driver.table, None).clocks or ())
    for table in driver.prefixes():
        banks = [clock.bank for clock in views.view(table, None).clocks or ()]
        assert min(banks) >= 0
        assert sum(banks) <= spent
        spent = sum(banks)


def a_table_goes_on_or_ends_for_the_one_who_is_late(driver: Driver) -> None:
    """A time-out leads to a move, to a bot, or to the end, as was agreed."""
    driver.finish()
    late = [it for it in driver.appends if isinstance(it[0], SeatTimedOut)]
    is_over = [isinstance(append[-1], TableAbandoned) for append in late]
    if driver.table.opened.absence == "abandon":
        assert is_over in ([], [True])
    else:
        assert not any(is_over)
        assert all(len(append) > 1 for append in late)


LAWS: list[Law] = [
    the_stored_log_makes_the_same_table,
    what_was_recorded_is_judged_the_same,
    public_bytes_name_no_hidden_card,
    its_record_is_found_right,
    nobody_is_acted_for_early,
    clocks_run_for_those_who_are_to_act,
    banks_never_grow,
    a_table_goes_on_or_ends_for_the_one_who_is_late,
]
every_game = pytest.mark.parametrize("game", TRIALS)


@every_game
@pytest.mark.parametrize("law", LAWS)
@settings(QUICK, max_examples=4)
@given(data=st.data())
def test_it_holds_of_tables_with_clocks(
    game: str, law: Law, data: st.DataObject
) -> None:
    """Each law of each game, of a few random matches."""
    law(data.draw(tables(game)))


@every_game
@settings(QUICK, max_examples=25)
@given(data=st.data())
def test_nothing_hidden_shows_by_who_is_late(game: str, data: st.DataObject) -> None:
    """Where moves are made for those who are not there, at any moment."""
    driver = data.draw(tables(game))
    viewer = data.draw(
        st.sampled_from([None, *map(Seat, range(len(driver.table.seats)))])
    )
    for table in driver.prefixes(data.draw(st.integers(0, 90))):
        if table.status != "playing":
            return
    assert_nothing_hidden_shows(driver, viewer, driver.chance)
