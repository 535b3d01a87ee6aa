"""What Cancellation Hearts shows of a deal, to a seat and to the public."""

from collections import Counter
from random import Random

import pytest

from domain import views
from domain.black_lady import points
from domain.cards import Card, cards_of
from domain.commands import Pass
from domain.decisions import Phase
from domain.games.cancellation_hearts import GAME
from domain.games.cancellation_hearts.state import CancellationState
from domain.games.cancellation_hearts.view import CancellationView, KittyView
from domain.ids import Seat
from domain.terms import Arrangement
from tests.cancellation_positions import (
    after_cards,
    cancellation_hearts,
    late,
    state_of,
    trick_of,
    twin_deal,
)
from tests.driver import Driver, cards


def shown(state: CancellationState, seat: int | None) -> CancellationView:
    """What the seat, or the public, is shown."""
    view = GAME.view(state, None if seat is None else Seat(seat))
    assert isinstance(view, CancellationView)
    return view


@pytest.fixture
def taken() -> Driver:
    """A deal of which the first trick is won, and a kitty of six cards taken."""
    driver = cancellation_hearts({"passing": [], "target": 1}, seats=7, seed=5)
    while state_of(driver).kitty_waits:
        driver.step()
    assert points(state_of(driver).kitty) > 0
    return driver


def test_a_seat_sees_its_pass_and_the_public_the_direction() -> None:
    """Cards that were given and received are their own seats' to see."""
    driver = cancellation_hearts()
    first = cards_of(state_of(driver).hands[5])[:3]
    driver.move(5, Pass(cards=first))
    mine, public = shown(state_of(driver), 5), shown(state_of(driver), None)
    assert (mine.pass_direction, mine.pass_to, mine.given) == ("left", 0, first)
    assert (public.pass_direction, public.pass_to, public.given) == ("left", None, None)
    assert mine.passed == public.passed == (False,) * 5 + (True,)
    assert shown(state_of(driver), 0).received is None
    while state_of(driver).phase is Phase.PASSING:
        driver.step()
    assert shown(state_of(driver), 0).received == first
    assert shown(state_of(driver), 1).received != first


def test_the_kitty_waits_unseen() -> None:
    """Everybody knows how many cards it has, and nobody which."""
    state = state_of(cancellation_hearts({"passing": []}, seats=7))
    for seat in (None, *range(7)):
        assert shown(state, seat).kitty == KittyView(6, None, None)
    none = state_of(cancellation_hearts({"passing": []}, seats=8))
    assert shown(none, 0).kitty == KittyView(0, None, None)


def test_only_the_taker_sees_what_was_in_the_kitty(taken: Driver) -> None:
    """In the kitty, among the captured cards, and in the points of the deal."""
    state = state_of(taken)
    taker = state.kitty_taker
    assert taker is not None
    in_tricks = sum(points(card.bit) for card in state.tricks[-1].cards)
    for seat in (None, *range(7)):
        view = shown(state, seat)
        own = seat == taker
        assert view.kitty == KittyView(6, taker, cards_of(state.kitty) if own else None)
        assert view.points[taker] == in_tricks + own * points(state.kitty)
    assert shown(state, taker).captured == cards_of(state.taken[taker])
    assert shown(state, None).captured is None
    other = (taker + 1) % 7
    assert shown(state, other).captured == ()


def test_all_lies_open_when_the_deal_is_over(taken: Driver) -> None:
    """Then the points are those that were scored."""
    taken.finish()
    state = state_of(taken)
    view = shown(state, None)
    assert view.kitty.cards == cards_of(state.kitty)
    assert view.points == state.scores


def test_what_is_set_aside_is_everybodys_to_see() -> None:
    """In pack order, equal cards side by side, until somebody wins it."""
    _, state = trick_of("KS KS 2C QS QS 2C", left="2D")
    for seat in (None, 0, 3):
        assert shown(state, seat).set_aside == cards("2C 2C QS QS KS KS")
        assert shown(state, seat).points == (0,) * 6
    state = late("4C TS", "4C 2S", "5C 3S", "5C AS", "2H KS", "3H 4S")
    _, state = after_cards(state, "4C 4C 5C 5C 2H 3H")
    assert len(shown(state, None).set_aside) == 6
    _, state = after_cards(state, "TS 2S 3S AS KS 4S")
    assert shown(state, None).set_aside == ()
    assert shown(state, None).points == (0, 0, 0, 2, 0, 0)


def test_hearts_broken_is_shown() -> None:
    """From the first penalty card on."""
    driver = cancellation_hearts({"passing": []})
    assert not shown(state_of(driver), None).hearts_broken
    while not state_of(driver).broken:
        driver.step()
    assert shown(state_of(driver), None).hearts_broken


def test_a_cancelled_trick_may_be_looked_back_at() -> None:
    """The last one, and it has no winner."""
    driver = cancellation_hearts(
        {"passing": []}, arrangement=Arrangement(deals=(twin_deal(6, Random(1)),))
    )
    driver.pairing = True
    state = state_of(driver)
    while not state.tricks or state.tricks[-1].winner is not None:
        driver.step()
        state = state_of(driver)
    deal = views.view(driver.table, None).deal
    assert deal is not None
    [last] = deal.last_tricks
    assert (last.number, last.winner) == (len(state.tricks), None)
    assert deal.trick.leader == last.leader
    assert sum(deal.tricks_taken) < len(state.tricks)
    while len(state_of(driver).tricks) < len(state.tricks) + 2:
        driver.step()
    assert GAME.last_tricks(state_of(driver)) == state_of(driver).tricks[-1:]


def test_a_hand_with_two_equal_cards_names_them_twice() -> None:
    """In pack order, and nothing tells one from the other."""
    driver = cancellation_hearts({"passing": []})
    deal = views.view(driver.table, Seat(0)).deal
    assert deal is not None
    hand = deal.hand or ()
    assert list(hand) == sorted(hand, key=lambda card: card.index)
    assert max(Counter(hand).values()) == 2
    assert all(isinstance(card, Card) for card in hand)
