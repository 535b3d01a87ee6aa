"""What Tetka shows of a deal, to a seat and to the public."""

from domain.cards import Card, cards_of
from domain.games.tetka.view import TetkaView, view
from domain.ids import Seat
from tests.driver import Driver, cards
from tests.tetka_positions import FOUR_SUITS, photographed, state_of, tetka


def shown(driver: Driver, seat: int | None) -> TetkaView:
    """What the seat, or the public, is shown."""
    at = None if seat is None else Seat(seat)
    return view(state_of(driver), at)


def test_everybody_sees_the_photograph_and_which_trick_counts() -> None:
    """From the beginning, with no mark given yet."""
    driver = tetka(arrangement=photographed(("JC", FOUR_SUITS)))
    for seat in (None, 0, 3):
        seen = shown(driver, seat)
        assert (seen.photograph, seen.counting_trick) == (Card("JC"), 11)
        assert seen.marks == (0, 0, 0, 0)
        assert seen.marked_for == ((), (), (), ())
        assert (seen.rubber, seen.totals) == (1, (0, 0, 0, 0))


def test_everybody_sees_marks_and_what_they_were_for() -> None:
    """As soon as they are given; the totals have them when the deal is over."""
    driver = tetka(arrangement=photographed(("2C", FOUR_SUITS), scores=[4, 3, 2, 1]))
    driver.play("2C QD QH 2S")
    seen = shown(driver, None)
    assert seen.marks == (3, 0, 0, 0)
    assert seen.marked_for == (("photograph", "queen", "queen"), (), (), ())
    assert seen.totals == (4, 3, 2, 1)
    while state_of(driver).deal == 1:
        driver.step()
    seen = shown(driver, None)
    assert seen.totals == (11, 3, 2, 1)
    assert seen.marks == (0, 0, 0, 0)


def test_captured_cards_are_their_takers() -> None:
    """Each seat may look at its own, and nobody at another's (CM-9)."""
    driver = tetka(arrangement=photographed(("2C", FOUR_SUITS)))
    driver.play("2C QD QH 2S")
    assert shown(driver, 0).captured == cards("2C QD QH 2S")
    assert shown(driver, 1).captured == ()
    assert shown(driver, None).captured is None


def test_a_view_of_the_last_deal_stays_when_the_match_is_over() -> None:
    """With the record of its rubber as the scores."""
    driver = tetka({"rubber_points": 1}, seed=1).finish()
    state = state_of(driver)
    assert sum(state.scores) == 7
    assert shown(driver, 2).totals == state.scores
    assert shown(driver, 2).captured == cards_of(state.taken[2])
