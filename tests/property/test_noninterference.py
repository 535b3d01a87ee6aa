"""What a seat, or the public, sees and is told does not depend on hidden cards."""

from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import views
from domain.cards import Card, cards_of
from domain.errors import RuleViolation
from domain.games.cancellation_hearts import view as cancellation_view
from domain.games.hearts import legality, play
from domain.games.hearts.state import HeartsState
from domain.ids import Seat
from domain.sight import View
from domain.table import Table
from tests.cancellation_positions import cancellation_hearts, state_of
from tests.driver import Driver, arranged, cards, hearts
from tests.games import TRIALS
from tests.hearts_positions import MIXED
from tests.property.effort import QUICK, THOROUGH
from tests.property.noninterference import assert_nothing_hidden_shows, twins

every_game = pytest.mark.parametrize("game", TRIALS)


def viewers(driver: Driver) -> st.SearchStrategy[Seat | None]:
    """The public, or any seat."""
    return st.sampled_from([None, *map(Seat, range(len(driver.table.seats)))])


def hold_at_a_random_moment(game: str, data: st.DataObject) -> None:
    """A random viewer of a random table after a random number of moves."""
    driver = data.draw(TRIALS[game].tables)
    viewer = data.draw(viewers(driver))
    for table in driver.prefixes(data.draw(st.integers(0, 90))):
        if table.status != "playing":
            return
    worlds = assert_nothing_hidden_shows(driver, viewer, driver.chance)
    event(f"other worlds: {'none' if not worlds else 'some'}")


@every_game
@settings(QUICK, max_examples=100)
@given(data=st.data())
def test_nothing_hidden_shows(game: str, data: st.DataObject) -> None:
    """At a few moments of a few games."""
    hold_at_a_random_moment(game, data)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@every_game
@settings(THOROUGH, max_examples=200)
@given(data=st.data())
def test_nothing_hidden_shows_at_many_moments(game: str, data: st.DataObject) -> None:
    """At many moments of many games."""
    hold_at_a_random_moment(game, data)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@every_game
@settings(THOROUGH, max_examples=2)
@given(data=st.data())
def test_nothing_hidden_shows_at_any_moment(game: str, data: st.DataObject) -> None:
    """To anybody, at every moment of the first deals of a few games."""
    driver = data.draw(TRIALS[game].tables)
    for table in driver.prefixes(150):
        for viewer in (None, *map(Seat, range(len(table.seats)))):
            if table.status == "playing":
                assert_nothing_hidden_shows(driver, viewer, driver.chance, tries=5)


@pytest.fixture
def driver() -> Driver:
    """A table in the middle of its first trick, after a pass."""
    driver = hearts(arrangement=arranged(MIXED))
    driver.passes("AC QH 3S", "KH AD QS", "AH KS 6H", "AS QD JH")
    driver.play("2C 3C")
    return driver


def test_there_are_other_worlds(driver: Driver) -> None:
    """Early in a deal most exchanges of two hidden cards make a possible world."""
    chance = Random(1)
    assert len(list(twins(driver, Seat(0), chance))) > 20


def test_another_world_keeps_what_the_viewer_knows(driver: Driver) -> None:
    """Its own hand, what it passed, what it was passed, and all that was played."""
    chance = Random(1)
    *_, far = twins(driver, Seat(0), chance)
    here, there = driver.table.play, far.table.play
    assert here is not None
    assert there is not None
    assert there.hands[0] == here.hands[0]
    assert there.trick == here.trick
    assert [hand.bit_count() for hand in there.hands] == [
        hand.bit_count() for hand in here.hands
    ]
    assert {*cards("AC QH 3S")} <= {*cards_of(there.hands[1])}
    assert there.hands[1:] != here.hands[1:]


@pytest.mark.parametrize("seat", [0, None])
def test_a_view_that_shows_too_much_is_found(
    driver: Driver, seat: Seat | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The harness fails where a view lets another seat's hand through."""
    right = views.view

    def leaking(table: Table, seat: Seat | None) -> View:
        view = right(table, seat)
        assert view.deal is not None
        assert table.play is not None
        lowest = cards_of(table.play.hands[2])[:1]
        return replace(view, deal=replace(view.deal, hand=lowest))

    monkeypatch.setattr(views, "view", leaking)
    chance = Random(2)
    with pytest.raises(AssertionError):
        assert_nothing_hidden_shows(driver, seat, chance)


def test_a_refusal_that_tells_of_another_hand_is_found(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The harness fails where the text of a refusal depends on who holds a card."""
    right = legality.check_card

    def telling(state: HeartsState, seat: Seat, card: Card) -> None:
        for holder, hand in enumerate(state.hands):
            if holder != seat and hand & card.bit:
                raise RuleViolation("CM-8", f"Seat {holder} holds {card}.")
        right(state, seat, card)

    monkeypatch.setattr(play, "check_card", telling)
    chance = Random(1)
    with pytest.raises(AssertionError):
        assert_nothing_hidden_shows(driver, Seat(2), chance)


@pytest.fixture
def kitty_taken() -> Driver:
    """A table with two packs at which a seat has just taken the kitty."""
    driver = cancellation_hearts({"passing": []}, seats=7, seed=5)
    while state_of(driver).kitty_waits:
        driver.step()
    return driver


def test_other_worlds_have_other_kitties(kitty_taken: Driver) -> None:
    """Equal cards or not, its cards change places with those of hands."""
    kitty, taker = state_of(kitty_taken).kitty, state_of(kitty_taken).kitty_taker
    for seat in (None, *map(Seat, range(7))):
        worlds = list(twins(kitty_taken, seat, Random(1)))
        kitties = {getattr(world.table.play, "kitty", 0) for world in worlds}
        assert len(worlds) > 20
        assert kitties == {kitty} if seat == taker else len(kitties) > 5


@pytest.mark.parametrize("viewer", ["another seat", "the public"])
def test_a_view_that_counts_points_in_the_kitty_is_found(
    kitty_taken: Driver, viewer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The harness fails where points tell what somebody else's kitty has cost."""
    monkeypatch.setattr(cancellation_view, "_seen_taken", lambda state: state.taken)
    taker = state_of(kitty_taken).kitty_taker
    assert taker is not None
    seat = Seat((taker + 1) % 7) if viewer == "another seat" else None
    assert_nothing_hidden_shows(kitty_taken, taker, Random(1))
    chance = Random(1)
    with pytest.raises(AssertionError):
        assert_nothing_hidden_shows(kitty_taken, seat, chance)
