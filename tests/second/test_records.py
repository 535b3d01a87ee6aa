"""Records of every game stand up to the second verifier."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.commands import GiveEntropy, LeaveSeat, TakeSeat
from domain.ids import Seat
from tests.driver import Driver, hearts, hearts_to_come, person
from tests.games import TRIALS
from tests.property.effort import QUICK, THOROUGH
from tests.second.node import Case, Report, report, reports
from tests.second.records import SEATS, joined, lines_of, match

every_game = pytest.mark.parametrize("game", TRIALS)


def wrong(said: Report) -> str | None:
    """Why a record is not good; nothing where it is."""
    return said.get("not_a_record", said.get("why"))


def must_be_good(*drivers: Driver) -> None:
    """The records of these tables have no fault."""
    said = reports(Case(joined(lines_of(driver))) for driver in drivers)
    assert [wrong(it) for it in said] == [None] * len(drivers)


def test_records_of_every_game_at_every_number_of_seats_are_good() -> None:
    """Packs without low cards, two packs with a kitty and without: all of it."""
    drivers = [match(game, n, seed=n) for game, seats in SEATS.items() for n in seats]
    said = reports(Case(joined(lines_of(driver))) for driver in drivers)
    for driver, found in zip(drivers, said, strict=True):
        assert wrong(found) is None
        assert found["ok"] is True
        assert found["version"] == len(driver.lines)
        assert found["head"] == driver.lines[-1].hash.hex()
        assert found["first_bad_version"] is None
        assert all(it["ok"] and it["checked"] > 0 for it in found["checks"])


@every_game
def test_the_match_of_a_golden_record_is_good(game: str) -> None:
    """An arranged deal, a moon, revokes, a draw for new seats: what they hold."""
    must_be_good(TRIALS[game].recorded())


@every_game
@settings(QUICK, max_examples=2)
@given(data=st.data())
def test_any_tables_of_a_game_are_good(game: str, data: st.DataObject) -> None:
    """Any options, seats and arrangements, and finished or given up."""
    any_tables_are_good(game, data)


@pytest.mark.slow
@every_game
@settings(THOROUGH, max_examples=40)
@given(data=st.data())
def test_many_tables_of_a_game_are_good(game: str, data: st.DataObject) -> None:
    """The same, for many."""
    any_tables_are_good(game, data)


def any_tables_are_good(game: str, data: st.DataObject) -> None:
    """Some random tables, of which each is played out or given up somewhere."""
    drivers = data.draw(st.lists(TRIALS[game].tables, min_size=4, max_size=4))
    for driver in drivers:
        if data.draw(st.booleans()):
            driver.finish()
            continue
        for _ in driver.prefixes(data.draw(st.integers(0, 60))):
            pass
        if driver.table.status == "playing":
            driver.abandon()
    must_be_good(*drivers)


def test_a_photograph_that_is_the_last_card_follows_too() -> None:
    """Tetka by its other option."""
    must_be_good(match("tetka", 4, seed=5, options={"photograph": "last_card"}))


def test_a_joker_that_was_turned_is_buried_where_it_follows() -> None:
    """In one of 53 deals of Agony Aunt it is."""
    drivers = [match("agony-aunt", 4, seed, {"counters": 4}) for seed in range(40)]
    must_be_good(*drivers)


def test_entropy_of_a_seat_that_was_left_is_lost() -> None:
    """People come, give entropy twice or not at all, and leave before the match."""
    driver = hearts_to_come({"target": 1})
    driver.do(TakeSeat(Seat(2), person(5), "a5" * 32))
    driver.do(LeaveSeat(Seat(2)))
    for seat in range(3):
        driver.do(TakeSeat(Seat(seat), person(seat), None if seat else "0f" * 32))
    driver.do(GiveEntropy(Seat(0), "f0" * 32))
    driver.do(TakeSeat(Seat(3), person(3), "33" * 32))
    must_be_good(driver.finish())


@pytest.mark.parametrize("moves", [0, 2, 30, 57])
def test_a_table_that_was_given_up_is_good(moves: int) -> None:
    """While some pass, in a trick, between two deals."""
    driver = hearts(seed=moves)
    for _ in driver.prefixes(moves):
        pass
    must_be_good(driver.abandon())


def test_a_table_that_was_given_up_before_its_match_is_good() -> None:
    """Nothing but the match's secret is left to reveal."""
    must_be_good(hearts_to_come(seats=5).abandon())


@every_game
def test_the_same_record_is_good_as_one_document(game: str) -> None:
    """However it is laid out: in one line, indented, in another order, in ASCII."""
    driver = match(game, SEATS[game][0], seed=1)
    record = driver.record()
    backwards = dict(reversed(record.items()))
    texts = [json.dumps(record), json.dumps(backwards, indent=2, ensure_ascii=True)]
    said = reports(Case(text.encode()) for text in texts)
    assert said[0] == said[1] == report(joined(lines_of(driver)))
    assert wrong(said[0]) is None


def test_a_kept_head_is_one_that_the_chain_goes_through() -> None:
    """The last, an earlier, the one before all events; and not another one."""
    driver = match("hearts", 4, seed=3)
    lines = lines_of(driver)
    first = json.loads(lines[1])
    for kept in (driver.lines[-1].hash.hex(), first["hash"], first["prev"]):
        assert wrong(report(joined(lines), head=kept)) is None
    said = report(joined(lines), head="5e" * 32)
    assert said["first_bad_version"] == len(driver.lines) + 1
