"""Making a table: its plan, its bots, and what cannot be made."""

import pytest

from domain import views
from domain.commands import (
    OpenTable,
)
from domain.errors import (
    InvalidTable,
    MatchHasStarted,
)
from domain.events import (
    DealStarted,
    HandDealt,
    MatchStarted,
    SeatTaken,
    TableOpened,
)
from domain.ids import Seat
from domain.people import NOBODY, Occupant
from domain.shuffle import match_commitment
from tests.driver import (
    BOT,
    HOST,
    Driver,
    hearts,
    hearts_to_come,
    person,
    refusal,
)


def test_a_table_opens_with_its_plan_and_all_seats_free() -> None:
    """It has one event, the match's secret is committed to, and nobody may act."""
    driver = hearts_to_come()
    [[opened]] = driver.appends
    assert isinstance(opened, TableOpened)
    committed = match_commitment(driver.id, opened.secret)
    assert opened.commitment == committed.hex()
    assert driver.table.status == "open"
    assert driver.table.seats == (NOBODY,) * 4
    assert views.to_act(driver.table) == ()


def test_bots_sit_down_as_the_table_opens() -> None:
    """In the same append; people who have seats reserved do not."""
    plan = (BOT, NOBODY, person(1), Occupant(bot="steady"))
    driver = Driver(OpenTable("hearts", {}, plan, HOST))
    assert driver.appends == [
        [
            driver.table.opened,
            SeatTaken(Seat(0), BOT),
            SeatTaken(Seat(3), Occupant(bot="steady")),
        ]
    ]
    assert driver.table.seats == (BOT, NOBODY, NOBODY, Occupant(bot="steady"))


def test_a_table_full_of_bots_begins_at_once() -> None:
    """One append takes it from nothing to the first deal."""
    [first] = hearts().appends
    assert [type(event) for event in first] == [
        TableOpened,
        *[SeatTaken] * 4,
        MatchStarted,
        DealStarted,
        *[HandDealt] * 4,
    ]


def test_a_game_that_is_not_there_cannot_be_played() -> None:
    """The refusal points at `game`."""
    with pytest.raises(InvalidTable) as caught:
        Driver(OpenTable("bridge", {}, (BOT,) * 4, HOST))
    assert caught.value.facts["field"] == "game"


def test_nobody_has_two_seats_reserved() -> None:
    """The refusal points at `seats`."""
    plan = (person(1), NOBODY, NOBODY, person(1))
    with pytest.raises(InvalidTable) as caught:
        Driver(OpenTable("hearts", {}, plan, HOST))
    assert caught.value.facts["field"] == "seats"


@pytest.mark.parametrize(("game", "takes"), [("hearts", "3 to 7"), ("tetka", "4")])
def test_a_game_says_how_many_it_takes(game: str, takes: str) -> None:
    """One number where there is but one."""
    with pytest.raises(InvalidTable, match=f"takes {takes} players"):
        Driver(OpenTable(game, {}, (BOT,) * 2, HOST))


def test_a_table_is_opened_once() -> None:
    """Opening it again is refused."""
    driver = hearts_to_come()
    again = OpenTable("hearts", {}, (BOT,) * 4, HOST)
    assert isinstance(refusal(driver, again), MatchHasStarted)
