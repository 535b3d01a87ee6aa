"""What Agony Aunt shows of a deal, to a seat and to the public."""

from domain import views
from domain.cards import Card, Suit, cards_of
from domain.games.agony_aunt import GAME
from domain.games.agony_aunt.options import Options
from domain.games.agony_aunt.state import AgonyAuntState
from domain.games.agony_aunt.view import AgonyAuntView
from domain.ids import Seat
from tests.agony_aunt_positions import (
    SQUARES,
    after,
    agony_aunt,
    board,
    position,
    state_of,
)


def shown(state: AgonyAuntState, seat: int | None) -> AgonyAuntView:
    """What the seat, or the public, is shown."""
    view = GAME.view(state, None if seat is None else Seat(seat))
    assert isinstance(view, AgonyAuntView)
    return view


def test_the_turned_card_gives_the_dump_suit_and_number() -> None:
    """All can see them; an ace is one."""
    view = shown(position("2C", turned="AH"), None)
    assert (view.turned, view.dump_suit) == (Card("AH"), Suit.HEARTS)
    assert view.dump_number == 1


def test_the_board_is_shown_row_by_row() -> None:
    """Each square with its owner, null where no counter lies."""
    owners = board("0 1 -", "- 3 3", "- - 2")
    view = shown(position("2C", owners=owners), None)
    assert tuple(it.square for it in view.board) == SQUARES
    assert [it.seat for it in view.board] == [0, 1, None, None, 3, 3, None, None, 2]


def test_the_board_is_shown_as_the_table_has_it() -> None:
    """In alphabetical order the clubs are at the top, the spades at the bottom."""
    view = shown(position("2C", options=Options(board="alphabetical")), None)
    assert " ".join(it.square for it in view.board) == (
        "joker clubs omega diamonds aunt hearts plus spades hash"
    )


def test_counters_in_hand_are_those_not_put_down() -> None:
    """None are less than nought, whatever is owed."""
    owners = board("0 1 -", "- 3 3", "- - 3")
    view = shown(position("2C", owners=owners, scores=(17, 1, 5, 2)), 0)
    assert view.counters == (16, 0, 5, 0)


def test_after_the_match_the_counters_are_the_scores() -> None:
    """What was given back is among them, and the last board is there to see."""
    driver = agony_aunt({"counters": 4}).finish()
    view = shown(state_of(driver), None)
    assert view.counters == state_of(driver).scores
    assert all(it.seat is not None for it in view.board)


def test_captured_cards_are_their_takers_alone() -> None:
    """The Joker is shown as itself."""
    _, state = after(position("9C 2H", table="2C JK 4C"), "9C")
    assert shown(state, 0).captured == tuple(map(Card, ("2C", "4C", "9C", "JK")))
    assert shown(state, 1).captured == ()
    assert shown(state, None).captured is None


def test_one_trick_may_be_looked_back_at() -> None:
    """The last one."""
    driver = agony_aunt(seed=2)
    while len(state_of(driver).tricks) < 3:
        driver.step()
    looked = views.view(driver.table, Seat(0)).deal
    assert looked is not None
    assert [trick.number for trick in looked.last_tricks] == [3]
    assert [play.card for play in looked.last_tricks[0].plays] == list(
        state_of(driver).tricks[2].cards
    )


def test_a_hand_shows_its_joker_last() -> None:
    """Hands are in pack order."""
    state = position("JK 2C AS")
    assert cards_of(state.hands[0]) == tuple(map(Card, ("2C", "AS", "JK")))
