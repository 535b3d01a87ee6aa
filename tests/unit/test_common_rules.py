"""The rules that every game here shares, held against Hearts."""

from itertools import pairwise

import pytest
from msgspec import to_builtins

from domain import views
from domain.cards import STANDARD_PACK, Card, cards_of
from domain.commands import Play
from domain.errors import NotYourTurn
from domain.events import DealStarted
from domain.ids import Seat
from domain.tricks import winner
from tests.driver import Driver, arranged, cards, hearts
from tests.hearts_positions import MIXED, accepted, position, refused, text


def at_play() -> Driver:
    """A table at its first trick, with mixed hands."""
    return hearts({"passing": []}, arrangement=arranged(MIXED))


def test_cm_1_the_higher_rank_wins() -> None:
    """From two to ace, each card beats the one before it in its suit."""
    for suit in range(4):
        ranks = STANDARD_PACK[13 * suit : 13 * suit + 13]
        for low, high in pairwise(ranks):
            assert winner((low, high), Seat(0)) == 1
            assert winner((high, low), Seat(0)) == 0


@pytest.mark.parametrize("led", ["2C", "2D", "2H", "2S"])
def test_cm_2_no_suit_is_trump(led: str) -> None:
    """The two that was led beats the aces of all other suits."""
    aces = [ace for ace in cards("AC AD AH AS") if ace.suit is not Card(led).suit]
    assert winner((Card(led), *aces), Seat(2)) == 2


def test_cm_3_play_goes_clockwise() -> None:
    """Each card of a trick comes from the seat to the left of the one before."""
    driver = at_play()
    turns: list[Seat] = []
    for card in ("2C", "3C", "4C", "5C"):
        turns += views.to_act(driver.table)
        driver.play(card)
    assert turns == [0, 1, 2, 3]


def test_cm_4_suit_must_be_followed() -> None:
    """Who holds a card of the suit led may play no other suit."""
    state = position("3C 9C 2D AH", table="5C")
    assert accepted(state) == "3C 9C"
    assert refused(state, "2D") == "CM-4"


def test_cm_4_without_the_suit_any_card_will_do() -> None:
    """After the first trick, a void lets even penalty cards be discarded."""
    assert accepted(position("2D AH QS", table="5C")) == "2D AH QS"


def test_cm_5_the_winner_leads() -> None:
    """The seat with the highest card of the suit led takes the trick and leads."""
    driver = at_play()
    driver.play("2C 3C QC 5C")
    assert views.to_act(driver.table) == (2,)
    assert text(driver.play_state().taken[2]) == "2C 3C 5C QC"


def test_cm_6_the_deal_passes_to_the_left() -> None:
    """Each deal's dealer sits to the left of the one before."""
    driver = hearts({"target": 60}).finish()
    dealers = [
        event.dealer
        for append in driver.appends
        for event in append
        if isinstance(event, DealStarted)
    ]
    assert len(dealers) > 2
    assert dealers == [(dealers[0] + deal) % 4 for deal in range(len(dealers))]


def test_cm_7_anybody_may_be_the_first_dealer() -> None:
    """Over 40 tables, every seat deals first at some."""
    assert {hearts(seed=seed).play_state().dealer for seed in range(40)} == {0, 1, 2, 3}


def test_cm_8_a_card_that_is_not_held_is_refused() -> None:
    """Neither another seat's card nor one that has been played can be played."""
    state = position("3C 2D", table="5C")
    assert refused(state, "7C") == "CM-8"
    assert refused(state, "5C") == "CM-8"
    assert refused(state, "JK") == "CM-8"


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_cm_8_a_card_out_of_turn_is_refused(seat: int) -> None:
    """Neither a later seat nor the one that has just played may play."""
    driver = at_play()
    driver.play("2C")
    before = driver.table
    card = cards_of(driver.play_state().hands[seat])[0]
    with pytest.raises(NotYourTurn):
        driver.move(seat, Play(card=card))
    assert driver.table == before


def test_cm_9_captured_cards_are_shown_to_their_owner_only() -> None:
    """A view lists the viewer's own captures, and of the others the last trick."""
    driver = at_play()
    driver.play("2C 3C QC 5C KS AS JS QS")
    shown = [views.view(driver.table, seat) for seat in (Seat(2), Seat(3), None)]
    captured = [to_builtins(view.deal)["game"]["captured"] for view in shown]
    assert captured == [("2C", "3C", "5C", "QC"), ("JS", "QS", "KS", "AS"), None]
    tricks = [view.deal.last_tricks for view in shown if view.deal]
    assert [[trick.number for trick in seen] for seen in tricks] == [[2]] * 3
