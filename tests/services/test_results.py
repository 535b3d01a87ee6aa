"""What is kept of a match that has ended, for those who played it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from domain.commands import LeaveSeat, OpenTable, TakeSeat
from domain.events import SeatsDrawn
from domain.ids import Seat
from domain.people import NOBODY, Occupant
from domain.terms import Options
from services.read_models import Match
from services.results import match_of
from tests.driver import BOT, HOST, Driver, of_kind, person

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def begun(
    game: str, seats: Sequence[Occupant], options: Options, *, rated: bool = True
) -> Driver:
    """A match between these, which is on."""
    plan = tuple(NOBODY if who != BOT else BOT for who in seats)
    driver = Driver(OpenTable(game, options, plan, HOST, rated=rated))
    for seat, who in enumerate(seats):
        if who != BOT:
            driver.do(TakeSeat(Seat(seat), who))
    return driver


def ended(driver: Driver) -> Match:
    """Its match, played to the end."""
    return match_of(driver.finish().table, NOW)


def test_a_match_has_a_line_for_each_player() -> None:
    """The best first; bots take places and have no line."""
    driver = begun("hearts", [person(0), BOT, person(2), BOT], {"target": 1})
    match = ended(driver)
    scores = driver.play_state().scores
    assert (match.ended_at, match.rated) == (NOW, True)
    assert {it.seat for it in match.finishers} == {0, 2}
    assert [it.place for it in match.finishers] == sorted(
        1 + sum(other < scores[seat] for other in scores) for seat in (0, 2)
    )
    for each in match.finishers:
        assert each.player == person(each.seat).player
        assert each.score == scores[each.seat]


def test_ratings_need_two_players_and_a_rated_table() -> None:
    """Neither a player among bots nor a friendly match moves any."""
    alone = begun("hearts", [person(0), BOT, BOT], {"target": 1})
    friendly = begun("hearts", [person(0), person(1), BOT], {"target": 1}, rated=False)
    assert [ended(alone).rated, ended(friendly).rated] == [False, False]


def test_several_winners_share_the_match() -> None:
    """Each has won, with others; who has not has shared nothing."""
    driver = begun("hearts", [person(seat) for seat in range(3)], {"target": 1})
    table = driver.finish().table
    assert table.result is not None
    play = replace(driver.play_state(), scores=(5, 16, 5))
    result = replace(table.result, winners=(Seat(0), Seat(2)))
    found = match_of(replace(table, play=play, result=result), NOW).finishers
    assert [(it.seat, it.place, it.won, it.shared) for it in found] == [
        (0, 1, True, True),
        (2, 1, True, True),
        (1, 3, False, False),
    ]


def test_players_have_what_they_came_to_wherever_they_sat() -> None:
    """New seats are drawn in Tetka: the marks go along, and the end counts."""
    people = [person(seat) for seat in range(4)]
    options: Options = {"rubber_points": 1, "rubbers": 6}
    driver = begun("tetka", people, options)
    match = ended(driver)
    assert of_kind(driver.events(), SeatsDrawn)
    sat = {it.seat: it.player for it in match.finishers}
    assert [sat[Seat(seat)] for seat in range(4)] == [
        who.player for who in driver.table.seats
    ]
    totals = driver.table.game.totals(driver.play_state())
    assert {it.seat: it.score for it in match.finishers} == dict(enumerate(totals))


def test_who_left_the_seat_still_has_the_result() -> None:
    """The seat is the player's to the end, whoever moved for it."""
    driver = begun("hearts", [person(0), person(1), BOT], {"target": 1})
    driver.do(LeaveSeat(Seat(1)))
    match = ended(driver)
    assert match.rated
    assert {it.player for it in match.finishers} == {
        person(0).player,
        person(1).player,
    }
