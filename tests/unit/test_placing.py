"""Who has come where when a match is over."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.bots import BOTS
from domain.game import Result
from domain.games import GAMES
from domain.ids import Seat
from domain.placing import finishes
from domain.table import Table
from domain.terms import Options
from tests.bot_matches import play_match
from tests.driver import hearts

QUICK: dict[str, Options] = {
    "hearts": {"target": 30},
    "cancellation-hearts": {"target": 30},
    "tetka": {"length": "rubber", "rubber_points": 3, "rubbers": 5},
    "agony-aunt": {"counters": 5},
    "auction-hearts": {"deals": 3},
}


def ended(winners: tuple[int, ...], scores: tuple[int, ...]) -> Table:
    """A table of Hearts whose match has ended like this."""
    driver = hearts(seats=len(scores))
    return replace(
        driver.table,
        status="finished",
        play=replace(driver.play_state(), scores=scores),
        result=Result(tuple(map(Seat, winners))),
    )


def places(table: Table) -> list[int]:
    """The place of each seat."""
    return [finish.place for finish in finishes(table)]


@pytest.mark.parametrize("game", GAMES)
def test_the_winners_come_first_and_others_by_their_scores(game: str) -> None:
    """In every game, whichever way it counts; equal scores have an equal place."""
    seats = GAMES[game].usual_seats
    for seed in range(5):
        table = play_match(game, (BOTS["random"],) * seats, QUICK[game], Random(seed))
        assert table.result is not None
        found = finishes(table)
        first = {seat for seat, it in enumerate(found) if it.place == 1}
        assert first == {*table.result.winners}
        best_first = sorted(found, key=lambda it: it.place)
        scores = [it.score for it in best_first]
        assert scores == sorted(scores, reverse=GAMES[game].most_wins)
        for one in found:
            for other in found:
                assert (one.place == other.place) == (one.score == other.score)


def test_places_leave_room_for_those_who_are_equal() -> None:
    """Two who share the second place have one before them, and the next is fourth."""
    assert places(ended((3,), (30, 20, 20, 5))) == [4, 2, 2, 1]
    assert places(ended((0, 1), (5, 5, 70, 40))) == [1, 1, 4, 3]


def test_a_winner_need_not_have_the_lowest_score() -> None:
    """Where reaching the target exactly wins, the others come after, lowest first."""
    assert places(ended((2,), (3, 40, 100, 60))) == [2, 3, 1, 4]


def test_rubbers_count_together() -> None:
    """The final score of Tetka is the marks of all rubbers, not of the last one."""
    table = play_match("tetka", (BOTS["random"],) * 4, QUICK["tetka"], Random(1))
    assert table.play is not None
    marks = [finish.score for finish in finishes(table)]
    assert sum(marks) > sum(table.play.scores)


def test_a_match_that_has_not_ended_places_nobody() -> None:
    """Nor does a table that was given up."""
    with pytest.raises(LookupError):
        finishes(hearts().table)
    with pytest.raises(LookupError):
        finishes(hearts().abandon().table)
