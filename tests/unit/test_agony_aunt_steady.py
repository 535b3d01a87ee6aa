"""What steady plays at Agony Aunt, seat 0 being the bot: sensible cards."""

from random import Random

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.bots import BOTS
from domain.cards import Card, Suit, holding
from domain.commands import Play
from domain.games.agony_aunt.counting import count
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat, Version
from domain.people import BotName
from domain.sight import Sight
from domain.tricks import Trick
from domain.views import sight
from tests.agony_aunt_positions import ME, agony_aunt, board, earlier, position
from tests.driver import cards


def seen(state: AgonyAuntState) -> Sight:
    """What seat 0, whose decision is open, goes by."""
    table = agony_aunt(to_builtins(state.options)).table
    decisions = (Version(1), *table.decisions[1:])
    return sight(replace(table, play=state, decisions=decisions), ME)


def plays(state: AgonyAuntState, name: BotName = "steady") -> set[str]:
    """The cards that the bot may play, over several seeds."""
    seeing = seen(state)
    moves = [BOTS[name](seeing, Random(seed)) for seed in range(12)]
    return {str(move.card) for move in moves if isinstance(move, Play)}


def later(state: AgonyAuntState, *tricks: tuple[int, str, int]) -> AgonyAuntState:
    """The position after more tricks, each with its leader, cards and winner."""
    over = list(state.tricks)
    taken = list(state.taken)
    for leader, text, winner in tricks:
        played = cards(text)
        over.append(Trick(len(over) + 1, Seat(leader), played, Seat(winner)))
        taken[winner] |= holding(played)
    return replace(state, tricks=tuple(over), taken=tuple(taken))


@pytest.mark.parametrize("name", ["random", "steady"])
def test_a_forced_card_is_played(name: BotName) -> None:
    """A Joker that alone can follow suit."""
    assert plays(position("JK KS 4C", table="2D", turned="7D"), name) == {"JK"}


# Who is last to play knows what the trick costs.


def test_the_last_to_play_ducks_a_queen_with_its_highest() -> None:
    """The jack goes under her, the ace stays away."""
    assert plays(position("2C JC AC", table="3C QC 9C")) == {"JC"}


def test_the_last_to_play_takes_a_trick_that_costs_nothing() -> None:
    """To be rid of a high card that may cost a counter later."""
    assert plays(position("3C AC 2H 3H", table="4C 6C 5C", number=2)) == {"AC"}


def test_the_dumpth_trick_is_ducked() -> None:
    """The same trick, when it is the seventh."""
    assert plays(position("3C AC 2H 3H", table="4C 6C 5C", number=7)) == {"3C"}


def test_the_last_trick_but_one_keeps_a_low_card_for_the_last() -> None:
    """The ace is played while it costs nothing."""
    assert plays(position("2C AC", table="4C 6C 5C", number=12)) == {"AC"}


def test_the_joker_is_ducked_too() -> None:
    """When the trick has it, a seven of diamonds."""
    assert plays(position("5D 9D AD", table="2D JK 3D", turned="7D")) == {"5D"}


# Discards.


@pytest.mark.parametrize(
    ("hand", "turned", "discard"),
    [
        ("QD QS AH 2H", "7D", "QD"),
        ("JK AH 2H 3H", "7D", "JK"),
        ("QD JK AH 2H", "7D", "QD"),
        ("QH JK AS 2S", "QD", "JK"),
        ("QS AH 2H", "7D", "QS"),
    ],
)
def test_what_costs_most_is_discarded(hand: str, turned: str, discard: str) -> None:
    """Agony Aunt before another queen, a Joker that is a queen before all."""
    assert plays(position(hand, table="4C 6C 5C", turned=turned)) == {discard}


def test_a_queen_goes_where_she_makes_a_line() -> None:
    """Seat 2 wins the trick, and would have three in the middle row with diamonds."""
    owners = board("- - -", "2 2 -", "- - -")
    state = position("QD QC 2H 3H", table="4S KS 5S", turned="7S", owners=owners)
    assert plays(state) == {"QD"}
    owners = board("- 2 -", "- 2 -", "- - -")
    state = position("QD QC 2H 3H", table="4S KS 5S", turned="7S", owners=owners)
    assert plays(state) == {"QC"}


# Leads.


def test_a_low_card_is_led_to_the_dumpth_trick() -> None:
    """So that somebody else pays."""
    assert plays(position("2C AC 2H AH", number=7)) <= {"2C", "2H"}


def test_neither_the_joker_nor_a_queen_is_led_while_it_may_win() -> None:
    """A low card of a long suit is."""
    assert plays(position("JK QS 2C 4C 6C", turned="AD")) <= {"2C", "4C", "6C"}


# What comes back.


def test_who_has_lost_much_and_won_nothing_ducks_a_trick_that_costs_nothing() -> None:
    """For without a trick all counters come back; with nothing lost the ace goes."""
    table, hand = "4C 6C 5C", "3C AC"
    lost = position(hand, table=table, number=12, scores=(3, 17, 17, 17))
    assert plays(lost) == {"3C"}
    full = position(hand, table=table, number=12)
    assert plays(full) == {"AC"}


def test_who_can_take_every_trick_does() -> None:
    """With all tricks so far, and the high diamonds to draw the two that are out."""
    begun = replace(position("2D KD AD", turned="7C"), tricks=earlier([8]))
    all_tricks = later(begun, (0, "QD 3D 4D 5D", 0), (0, "JD 6D 7D 8D", 0))
    assert plays(all_tricks) == {"KD", "AD"}
    not_all = later(begun, (0, "QD 3D 4D 5D", 0), (1, "6D 7D 8D JD", 1))
    assert plays(not_all) == {"2D"}


# What a seat counts.


def test_who_did_not_follow_a_joker_has_none_of_the_turned_suit() -> None:
    """Seat 3 discarded, and so cannot have a diamond; the others may have."""
    state = later(position("AD 2H 3H"), (1, "JK 5D 2S 6D", 0))
    voids = count(seen(state)).voids
    assert [bool(suits & Suit.DIAMONDS.all) for suits in voids[1:]] == [
        False,
        False,
        True,
    ]


def test_who_discarded_a_joker_did_not_follow() -> None:
    """Seat 2 has no spades, but may have diamonds."""
    state = later(position("AD 2H 3H"), (1, "5S JK 2S 6S", 3))
    assert count(seen(state)).voids[2] == Suit.SPADES.all


def test_a_joker_that_nobody_has_seen_is_out_as_the_turned_card() -> None:
    """Until it is played, or in one's own hand."""
    turned = Card("7D")
    assert count(seen(position("AD 2H 3H"))).out & turned.bit
    assert not count(seen(position("AD 2H JK"))).out & turned.bit
    on_table = position("AD 2H 3H", table="4S JK")
    assert not count(seen(on_table)).out & turned.bit
    assert count(seen(on_table)).trick == cards("4S 7D")
