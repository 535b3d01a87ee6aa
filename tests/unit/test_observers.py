"""Who looks at all cards of a table is named in its log, and does not play there."""

import json
from datetime import timedelta

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import log, views
from domain.adjudication import adjudicated
from domain.cards import cards_of
from domain.commands import AdmitObserver, LeaveSeat, OpenTable, TakeSeat
from domain.errors import AlreadySeated, Observes, TableIsOver
from domain.events import KittyDealt, ObserverAdmitted
from domain.ids import PlayerId, Seat
from domain.people import Occupant
from domain.sight import OpenCards, View
from domain.terms import Clock
from tests.driver import (
    Driver,
    hearts,
    hearts_of_people,
    hearts_to_come,
    of_bots,
    of_kind,
    of_people,
    person,
)


def player(number: int) -> PlayerId:
    """The player of that number."""
    occupant = person(number)
    assert occupant.player is not UNSET
    return occupant.player


LOOKER = player(70)


def seen(driver: Driver) -> list[View]:
    """What the public and each seat see."""
    seats = map(Seat, range(len(driver.table.seats)))
    return [views.view(driver.table, seat) for seat in (None, *seats)]


def test_an_admission_is_an_event_of_its_own_and_changes_nothing_else() -> None:
    """Decisions stay open as they were, whatever the deal waits for."""
    driver = hearts_of_people(seed=3)
    for _ in range(9):
        before, decisions = seen(driver), driver.table.decisions
        observer = PlayerId(player(100 + driver.table.version))
        assert driver.do(AdmitObserver(observer)) == [ObserverAdmitted(observer)]
        assert observer in driver.table.observers
        assert seen(driver) == before
        assert driver.table.decisions == decisions
        driver.step()


def test_an_admission_stops_no_clock() -> None:
    """Whose time ran goes on losing it."""
    driver = of_people(hearts(), Clock(seconds=60, bank=30), "auto_play")
    before = driver.table.clocks
    driver.now += timedelta(seconds=7)
    driver.do(AdmitObserver(LOOKER))
    assert driver.table.clocks == before


def test_the_event_is_public_and_opens_nothing() -> None:
    """Everybody reads who looks; no seat learns a card by it."""
    driver = hearts_of_people()
    driver.do(AdmitObserver(LOOKER))
    line = driver.lines[-1]
    assert line.kept is None
    event = log.public_event(line.body)
    assert event.type == "observer_admitted"
    assert json.loads(bytes(event.data)) == {"player": str(LOOKER)}
    assert not any(views.opens(event, Seat(seat)) for seat in range(4))


def test_a_player_of_the_table_is_not_admitted() -> None:
    """Not even one who has left it during the match."""
    driver = hearts_of_people()
    with pytest.raises(AlreadySeated):
        driver.do(AdmitObserver(player(2)))
    driver.do(LeaveSeat(Seat(2)))
    with pytest.raises(AlreadySeated):
        driver.do(AdmitObserver(player(2)))


def test_nobody_is_admitted_twice() -> None:
    """The log says it once."""
    driver = hearts_of_people()
    driver.do(AdmitObserver(LOOKER))
    with pytest.raises(Observes):
        driver.do(AdmitObserver(LOOKER))


def test_who_looks_does_not_sit_down() -> None:
    """Others do; who left before the start may look, and not come back."""
    driver = hearts_to_come()
    driver.do(TakeSeat(Seat(0), person(0)))
    driver.do(LeaveSeat(Seat(0)))
    driver.do(AdmitObserver(player(0)))
    with pytest.raises(Observes):
        driver.do(TakeSeat(Seat(0), person(0)))
    driver.do(TakeSeat(Seat(0), person(1)))


def test_a_table_that_is_over_admits_nobody() -> None:
    """There is nothing left to hide."""
    driver = hearts().abandon()
    with pytest.raises(TableIsOver):
        driver.do(AdmitObserver(LOOKER))


def test_an_admission_is_judged_again() -> None:
    """A record that has one leads to the same command and the same event."""
    driver = hearts_of_people()
    before = driver.table
    events = driver.do(AdmitObserver(LOOKER))
    again = adjudicated(driver.id, before, events, driver.moments[-1])
    assert again == events


def test_a_rematch_begins_without_observers() -> None:
    """Who looked at one table is nobody at another."""
    assert hearts_of_people().table.observers == frozenset()
    driver = hearts_of_people()
    driver.do(AdmitObserver(LOOKER))
    opening = driver.abandon().commands[0]
    assert isinstance(opening, OpenTable)
    again = Driver(replace(opening, rematch_of=driver.id), seed=1)
    assert again.table.opened.rematch_of == driver.id
    assert again.table.observers == frozenset()
    again.do(TakeSeat(Seat(0), Occupant(player=LOOKER)))


def test_the_open_view_has_all_cards_and_the_others_none_of_them() -> None:
    """Hands by seat and the kitty; in every other view that part is missing."""
    driver = of_bots("cancellation-hearts", seats=7, seed=2)
    for _ in range(20):
        driver.step()
    shown = views.open_view(driver.table)
    hands = driver.play_state().hands
    assert shown.open is not None
    assert shown.open.hands == tuple(map(cards_of, hands))
    [kitty] = of_kind(driver.events(), KittyDealt)
    assert shown.open.kitty == kitty.cards
    assert shown.decision is None
    assert all(view.open is None for view in seen(driver))


def test_the_open_view_of_a_table_without_cards_is_empty() -> None:
    """Nothing was dealt yet."""
    shown = views.open_view(hearts_to_come().table)
    assert shown.open == OpenCards(hands=(), kitty=())
