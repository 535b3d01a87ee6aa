"""What steady plays at Cancellation Hearts: it pairs, ducks, sheds, and counts copies.

Seat 0 is the bot.
"""

from random import Random

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.bots import BOTS
from domain.cards import cards_of, holding
from domain.commands import Move, Pass, Play, SettleMoon
from domain.decisions import Phase
from domain.games.cancellation_hearts.counting import TWO_PACKS, count
from domain.games.cancellation_hearts.options import Options
from domain.games.cancellation_hearts.state import CancellationState
from domain.games.cancellation_hearts.weighing import chance_of_winning
from domain.ids import Seat, Version
from domain.sight import Sight
from domain.tricks import Trick
from domain.views import sight
from tests.cancellation_positions import (
    EVERYTHING,
    ME,
    cancellation_hearts,
    passing,
    position,
)
from tests.driver import cards

REST = "4C 6C 7C TC 3S 5S 8S TS 2H 5H 7H 8H"
"""What may fill a hand."""


def seen(state: CancellationState) -> Sight:
    """What seat 0, whose decision is open, goes by."""
    table = cancellation_hearts(to_builtins(state.options)).table
    decisions = (Version(1), *table.decisions[1:])
    return sight(replace(table, play=state, decisions=decisions), ME)


def moves(state: CancellationState) -> list[Move]:
    """What steady does with several seeds."""
    seeing = seen(state)
    return [BOTS["steady"](seeing, Random(seed)) for seed in range(8)]


def plays(state: CancellationState) -> set[str]:
    """The cards that steady may play, over several seeds."""
    return {str(move.card) for move in moves(state) if isinstance(move, Play)}


def passes(hand: str) -> list[str]:
    """The cards that steady passes, in pack order."""
    move = moves(passing(hand))[0]
    assert isinstance(move, Pass)
    return [str(card) for card in cards_of(holding(move.cards))]


def after_trick(state: CancellationState, leader: int, text: str) -> CancellationState:
    """The position after one more trick, which nobody won."""
    number = len(state.tricks) + 1
    over = Trick(number, Seat(leader), cards(text), None)
    return replace(state, tricks=(*state.tricks, over))


# Cancelling.


def test_a_pair_takes_no_queen() -> None:
    """On a trick with a queen the high card goes that is cancelled by its twin."""
    assert plays(position("2D 9D AD KC", table="AD QS TD KD 3D")) == {"AD"}


def test_a_card_that_cannot_be_cancelled_is_no_way_out() -> None:
    """With a queen on the trick, and the ace's twin in the own hand, it is ducked."""
    assert plays(position("2D 9D AD AD KC", table="TD QS KD 3D 4D")) == {"9D"}


def test_the_highest_card_is_no_danger_once_a_pair_is_out() -> None:
    """A king under cancelled aces wins: with points about, the low card is played."""
    assert plays(position("3D KD 4C", table="AD AD QS 4D 5D")) == {"3D"}
    assert plays(position("3D KD 4C", table="AD 6D QS 4D 5D")) == {"KD"}


def test_two_pairs_that_void_the_trick_make_every_card_safe() -> None:
    """By that option the high card goes, though nothing covers it."""
    options = Options(two_pairs_void=True)
    table = "4D QS QS 3C 3C"
    assert plays(position("2D AD 4C", table=table, options=options)) == {"AD"}
    assert plays(position("2D AD 4C", table=table)) == {"2D"}


def test_chances_know_of_twins() -> None:
    """A lead is surer to win if its twin is in the own hand, or was played."""
    single = count(seen(position("AD 2C 3C", table="2D")))
    double = count(seen(position("AD AD 3C", table="2D")))
    played = after_trick(position("AD 2C 3C", table="2D"), 1, "AD 9S 3S 4S 5S 6S")
    gone = count(seen(played))
    [ace] = cards("AD")
    assert chance_of_winning(single, ace) < 1
    assert chance_of_winning(double, ace) == 1
    assert chance_of_winning(gone, ace) == 1
    assert chance_of_winning(count(seen(position("AD", table="AD"))), ace) == 0
    assert chance_of_winning(count(seen(position("AD", table="2C"))), ace) == 0


def test_what_lies_under_an_uncovered_ace_may_still_win_by_its_twin() -> None:
    """While somebody behind may cancel the ace, the king is a little dangerous."""
    king = cards("KD")[0]
    behind = count(seen(position("KD 2D 3C", table="3D AD")))
    last = count(seen(position("KD 2D 3C", table="3D AD 5D 6D 7D")))
    assert 0 < chance_of_winning(behind, king) < 0.5
    assert chance_of_winning(last, king) == 0


def test_a_twin_that_no_hand_can_hold_pairs_with_nothing() -> None:
    """It is in the kitty where all others have failed to follow its suit."""
    state = position("AD 2C 3C")
    for leader in range(1, 3):
        state = after_trick(state, leader, "2D 9S 9S 8S 8S 7S")
    known = count(seen(state))
    [ace] = cards("AD")
    assert known.out & ace.bit
    assert known.chance_of_pairing(ace) == 0
    assert chance_of_winning(known, ace) == 1


# Points, the kitty, what is set aside.


def test_points_set_aside_are_ducked() -> None:
    """A trick without a point is not worth winning while a queen waits aside."""
    state = position("2D AD 9C TC", table="TD 3D 4D 5D 6D")
    assert plays(state) == {"AD"}
    assert plays(replace(state, aside=holding(cards("QS 3S 3S 4S 4S 5S")))) == {"2D"}


def test_the_first_trick_is_ducked_for_its_kitty() -> None:
    """Six unseen cards cost more than a good exit is worth; later there are none."""
    state = position(f"2D AD {REST}", table="TD 3D 4D 5D 6D", first_trick=True)
    waiting = replace(state, kitty=holding(cards("2C 3C 4S 5S 6S 7S")))
    assert plays(waiting) == {"2D"}
    assert plays(replace(waiting, kitty_taker=Seat(3))) == {"AD"}
    late = replace(state.options, kitty="last_trick")
    assert plays(replace(waiting, options=late)) == {"AD"}


def test_the_taker_of_the_kitty_counts_its_cards() -> None:
    """They are in no other hand."""
    kitty = holding(cards("QS AH"))
    state = replace(position("2D 3D"), kitty=kitty, kitty_taker=ME)
    mine = count(seen(replace(state, taken=(kitty, 0, 0, 0, 0, 0))))
    other = count(seen(replace(state, kitty_taker=Seat(1))))
    assert mine.out & other.out == mine.out
    assert mine.out.bit_count() == other.out.bit_count() - 2
    assert other.out.bit_count() == TWO_PACKS.bit_count() - 2 - 6


def test_queens_go_first_of_the_discards() -> None:
    """Without the suit led, a queen goes before the ace of hearts."""
    assert plays(position("QS QS AH KH 8C", table="TD")) == {"QS"}


def test_the_queen_goes_under_a_higher_spade_or_on_her_twin() -> None:
    """Under an uncovered ace, and where the other queen lies already."""
    assert plays(position("QS JS 4S 8C", table="6S AS")) == {"QS"}
    assert plays(position("QS KS 4S 8C", table="6S QS")) == {"QS"}


def test_a_low_card_is_led() -> None:
    """Not the ace, with five players behind."""
    assert plays(position(f"2D AD AC {REST}")) <= {"2D", "3S"}


# The pass and the moon.


def test_unguarded_queens_are_passed_both() -> None:
    """With one low spade they are dangers, as is the ace."""
    hand = "4S QS QS AS 2C 5C 9C TC 3D 6D 8D 2H 5H 5C 6C 7C 8C"
    assert passes(hand) == ["QS", "QS", "AS"]


def test_guarded_queens_are_kept() -> None:
    """Four low spades guard them, and none of those is passed."""
    hand = "2S 5S 7S JS QS QS 2C 5C 9C KC 3D 6D AD KH AH 4C 3C"
    assert not {*passes(hand)} & {"2S", "5S", "7S", "JS", "QS"}


@pytest.mark.parametrize(
    ("scores", "how"),
    [
        ((40, 30, 20, 10, 0, 0), "add"),
        ((60, 30, 20, 10, 0, 140), "subtract"),
        ((10, 30, 20, 10, 0, 140), "add"),
    ],
)
def test_ch_r29_a_moon_adds_unless_that_loses_the_match(
    scores: tuple[int, ...], how: str
) -> None:
    """Adding would bring seat 5 over the target while seat 0 is not lowest."""
    state = replace(
        position(""),
        scores=scores,
        taken=(holding(cards(EVERYTHING)), 0, 0, 0, 0, 0),
        phase=Phase.SETTLING,
        turn=ME,
    )
    assert {move.how for move in moves(state) if isinstance(move, SettleMoon)} == {how}


def test_a_moon_in_sight_is_stopped() -> None:
    """A heart is taken from one who has both queens and twelve hearts, all so far."""
    pile = holding(cards("QS QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))
    trick = Trick(2, Seat(1), cards("QS QS 2H 3H 4H 5H"), Seat(1))
    state = position("6D AD 9C TC", table="KD TH 7D 8D 9D", broken=True)
    state = replace(state, taken=(0, pile, 0, 0, 0, 0), tricks=(*state.tricks, trick))
    assert plays(state) == {"AD"}
    shared = replace(state, taken=(0, pile, holding(cards("KH")), 0, 0, 0))
    assert plays(shared) == {"6D"}
    none = replace(state.options, moon="none")
    assert plays(replace(state, options=none)) == {"6D"}
