"""Revokes of Tetka: refused, or found at the end and paid for in tricks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import views
from domain.cards import Card
from domain.commands import Play
from domain.events import (
    CounterPlaced,
    RevokeFound,
)
from domain.games.tetka import GAME
from domain.games.tetka.legality import honest
from domain.games.tetka.most_tricks import most_tricks
from domain.games.tetka.revokes import after_penalties, revokes
from domain.ids import Seat
from domain.tricks import Trick
from tests.driver import cards
from tests.property.effort import QUICK
from tests.tetka_positions import (
    ME,
    PENALISED,
    TWO_SUITS,
    accepted,
    listed,
    photographed,
    position,
    refused,
    state_of,
    tetka,
    won_by,
)


def test_x_11_where_revokes_are_penalised_the_whole_hand_is_listed() -> None:
    """With nothing to tell which cards would be one, and all are accepted."""
    state = position("3D QS", table="2D", options=PENALISED)
    assert listed(state) == accepted(state) == "3D QS"
    assert listed(position("3D QS", table="2D")) == "3D"
    assert refused(state, Card("KH")) == "CM-8"


def test_x_11_bots_follow_suit_all_the_same() -> None:
    """What is honest is listed, but not all that is listed."""
    driver = tetka(
        {"revokes": "penalised"}, arrangement=photographed(("5S", TWO_SUITS))
    )
    assert len(honest(views.sight(driver.table, ME))) == 13
    driver.play("2C")
    sight = views.sight(driver.table, Seat(1))
    assert len(GAME.legal(state_of(driver), Seat(1))) == 13
    plays = {move.card for move in honest(sight) if isinstance(move, Play)}
    assert plays == set(cards("9C TC JC QC KC AC"))
    driver.play("9C")
    assert len(honest(views.sight(driver.table, Seat(2)))) == 13


def test_nobody_is_asked_for_an_honest_play_out_of_turn() -> None:
    """A bot that is not to act is a mistake of who calls it."""
    with pytest.raises(LookupError):
        honest(views.sight(tetka(arrangement=photographed()).table, Seat(2)))


def test_tk_r19_a_revoke_shows_only_when_the_deal_is_over() -> None:
    """Then each is an event of its own, in order of play, before most tricks."""
    driver = tetka(
        {"revokes": "penalised", "length": "deals", "deals": 1},
        arrangement=photographed(("5S", TWO_SUITS)),
    )
    driver.play("2C 2D 2H 9H")  # seat 1 has clubs
    driver.play("3C 9C 3H TH")
    driver.play("TC 4H JH 9D")  # seat 0 has clubs
    while driver.table.status == "playing":
        [seat] = views.to_act(driver.table)
        events = driver.move(seat, honest(views.sight(driver.table, seat))[0])
        assert (RevokeFound in map(type, events)) == (driver.table.status != "playing")
    last = driver.appends[-1]
    first = list(map(type, last)).index(RevokeFound)
    assert last[first : first + 2] == [
        RevokeFound(Seat(1), 1, Card("2D")),
        RevokeFound(ME, 3, Card("9D")),
    ]
    most = last[first + 2]
    assert isinstance(most, CounterPlaced)
    assert most.reason == "most_tricks"


def test_tk_r19_who_has_no_card_of_the_suit_left_does_not_revoke() -> None:
    """Not even if such cards have been played before."""
    tricks = [
        Trick(1, ME, cards("2C 3C 4C 5C"), Seat(3)),
        Trick(2, Seat(3), cards("6C 2D 3D 4D"), Seat(3)),
        Trick(3, Seat(3), cards("5H 6H 2H 9C"), Seat(0)),
    ]
    assert revokes(tricks, 4) == [RevokeFound(Seat(2), 2, Card("4D"))]


def test_tk_r19_each_revoke_moves_a_trick_from_each_other_player() -> None:
    """Three more and one less, once for every revoke."""
    revoke = RevokeFound(Seat(3), 2, Card("4C"))
    assert after_penalties((5, 4, 3, 1), [revoke]) == (4, 3, 2, 4)
    assert after_penalties((5, 4, 3, 1), [revoke, revoke]) == (3, 2, 1, 7)


def test_tk_r20_who_has_no_trick_gives_none() -> None:
    """Neither at the beginning nor once others' revokes have taken the last."""
    by_three = RevokeFound(Seat(3), 2, Card("4C"))
    by_two = RevokeFound(Seat(2), 2, Card("4C"))
    assert after_penalties((12, 0, 1, 0), [by_three]) == (11, 0, 0, 2)
    assert after_penalties((12, 0, 1, 0), [by_three, by_two]) == (10, 0, 2, 1)
    assert after_penalties((12, 0, 1, 0), [by_two, by_three]) == (10, 0, 1, 2)


@QUICK
@given(
    winners=st.lists(st.integers(0, 3), min_size=13, max_size=13),
    revoked=st.lists(st.integers(0, 3), max_size=20),
)
def test_tk_r20_tricks_go_from_hand_to_hand(
    winners: list[int], revoked: list[int]
) -> None:
    """There are thirteen always, and nobody has less than none."""
    found = [RevokeFound(Seat(seat), 1, Card("4C")) for seat in revoked]
    counts = after_penalties([winners.count(seat) for seat in range(4)], found)
    assert sum(counts) == 13
    assert min(counts) >= 0


def test_tk_r20_given_tricks_are_nobodys_last_own_trick() -> None:
    """Tied by them, one pays only if the own last trick is the latest."""
    revoke = RevokeFound(Seat(3), 2, Card("4C"))
    early = won_by("3 1 1 1 1 2 2 2 0 0 0 0 0")
    assert most_tricks(early, [revoke]) == 0


def test_tk_r20_an_own_trick_is_later_than_any_given_one() -> None:
    """Even if it was the first of all, and the other player revoked later."""
    state = won_by("0 1 1 1 1 1 1 1 1 1 1 1 1")
    found = [RevokeFound(Seat(int(it)), 2, Card("4C")) for it in "003030303"]
    assert after_penalties(state.tricks_taken(), found) == (5, 3, 0, 5)
    assert most_tricks(state, found) == 0


def test_players_tied_without_a_trick_of_their_own() -> None:
    """The one whose revoke came last pays, for somebody must."""
    state = won_by(" ".join("3" * 13))
    for last, order in (1, "0001010101"), (0, "0001101010"):
        found = [RevokeFound(Seat(int(it)), 1, Card("4C")) for it in order]
        assert after_penalties(state.tricks_taken(), found) == (5, 5, 0, 3)
        assert most_tricks(state, found) == last
