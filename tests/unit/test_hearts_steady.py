"""What the bots play at Hearts: only legal moves, and sensibly.

Seat 0 is the bot. Ids like ISS-15 name reports of what bots
elsewhere got wrong.
"""

from random import Random

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.bots import BOTS
from domain.cards import holding
from domain.commands import Move, Pass, Play, SettleMoon
from domain.decisions import Phase
from domain.games.hearts.options import Options
from domain.games.hearts.state import HeartsState
from domain.ids import Seat, Version
from domain.people import BotName
from domain.sight import Sight
from domain.tricks import Trick, winner
from domain.views import sight
from tests.driver import cards, hearts
from tests.hearts_positions import ALL_HEARTS, ME, passing, position

OMNIBUS = Options(jack_of_diamonds=-10)
"""Hearts in which the jack of diamonds is wanted."""

NAMES: tuple[BotName, ...] = ("random", "steady")
both_bots = pytest.mark.parametrize("name", NAMES)


def luck(seed: int) -> Random:
    """Random numbers that are the same for the same seed."""
    return Random(seed)


def seen(state: HeartsState) -> Sight:
    """What seat 0, whose decision is open, goes by."""
    table = hearts(to_builtins(state.options), seats=state.seats).table
    decisions = (Version(1), *table.decisions[1:])
    return sight(replace(table, play=state, decisions=decisions), ME)


def moves(state: HeartsState, name: BotName = "steady") -> list[Move]:
    """What the bot does with several seeds."""
    seeing = seen(state)
    return [BOTS[name](seeing, luck(seed)) for seed in range(12)]


def plays(state: HeartsState, name: BotName = "steady") -> set[str]:
    """The cards that the bot may play, over several seeds."""
    chosen = moves(state, name)
    return {str(move.card) for move in chosen if isinstance(move, Play)}


def passes(hand: str, options: Options = Options()) -> set[str]:  # noqa: B008 -- frozen
    """The cards that steady passes."""
    move = moves(passing(hand, options=options))[0]
    assert isinstance(move, Pass)
    return set(map(str, move.cards))


def later(state: HeartsState, *tricks: tuple[int, str]) -> HeartsState:
    """The position after more tricks, each given as its leader and its cards."""
    over, taken = list(state.tricks), list(state.taken)
    for leader, text in tricks:
        played = cards(text)
        seat = winner(played, Seat(leader))
        over.append(Trick(len(over) + 1, Seat(leader), played, seat))
        taken[seat] |= holding(played)
    return replace(state, tricks=tuple(over), taken=tuple(taken))


# Legality


@both_bots
def test_a_forced_card_is_played(name: BotName) -> None:
    """With only hearts beside the queen of spades she must be led (ISS-12)."""
    assert plays(position(f"QS {ALL_HEARTS}"), name) == {"QS"}


@both_bots
def test_no_points_are_thrown_on_the_first_trick(name: BotName) -> None:
    """Without clubs, neither hearts nor the queen are discarded at first (ISS-07)."""
    hand = "4D 9D KD 2H 8H JH QH KH AH 2S 7S QS AS"
    state = position(hand, table="2C TC AC", first_trick=True)
    assert plays(state, name) <= {"4D", "9D", "KD", "2S", "7S", "AS"}


def test_random_plays_every_legal_card() -> None:
    """The bot `random` leaves none of its legal cards out."""
    assert plays(position("6D 9D KD", table="4D"), "random") == {"6D", "9D", "KD"}


# Following


def test_steady_ducks_with_its_highest_card_that_loses() -> None:
    """Under a king with points on the trick, the jack goes rather than the nine."""
    state = position("6C 9C JC AC 4D 7D 3H 6S", table="7C 2H KC")
    assert plays(state) == {"JC"}


def test_last_to_a_trick_without_points_steady_plays_high() -> None:
    """The ace is best got rid of on a trick that costs nothing."""
    state = position("6C 9C JC AC 4D 7D 3H 6S", table="7C TC KC")
    assert plays(state) == {"AC"}


def test_forced_to_take_points_steady_plays_high() -> None:
    """If the trick must be taken, it is taken with the highest card."""
    assert plays(position("JC AC 4D 7D 3H 6S", table="7C 2H TC")) == {"AC"}


def test_last_seat_ducks_the_queen() -> None:
    """The queen of spades on a diamond trick is not taken by the last seat (ISS-15)."""
    hand = "3D 9D KD AD 7C 9C 4H 6H 4S 6S"
    assert plays(position(hand, table="TD QS 8D")) == {"9D"}


def test_last_seat_ducks_the_queen_although_the_jack_is_there() -> None:
    """The jack's ten do not make up for the queen's thirteen (ISS-15)."""
    hand = "3D 9D KD AD 7C 9C 4H 6H 4S 6S"
    assert plays(position(hand, table="TD QS JD", options=OMNIBUS)) == {"9D"}


@pytest.mark.parametrize("high", ["AS", "KS"])
def test_the_queen_goes_under_a_higher_spade(high: str) -> None:
    """Under ace or king of spades the queen goes, not another spade (ISS-16)."""
    hand = "QS JS 4S 8C KC AC 7D AD 4H"
    assert plays(position(hand, table=f"6S {high}")) == {"QS"}


def test_the_queen_goes_under_the_ace_before_the_king_does() -> None:
    """With king and queen under the ace, it is the queen that goes (ISS-16)."""
    assert plays(position("KS QS 8C KC AC 7D AD 4H", table="AS")) == {"QS"}


def test_steady_takes_the_jack_only_where_it_is_wanted() -> None:
    """A heart is a small price for the jack's ten, and too much without (ISS-13)."""
    hand = "3D 9D QD 7C 9C 4H 6H 4S 6S"
    table = "4D JD 3H"
    assert plays(position(hand, table=table, options=OMNIBUS)) == {"QD"}
    assert plays(position(hand, table=table)) == {"9D"}


@pytest.mark.parametrize(("points_fall", "card"), [(False, "AC"), (True, "7C")])
def test_the_first_trick_is_taken_only_if_no_points_can_fall(
    points_fall: bool,  # noqa: FBT001 -- a parameter
    card: str,
) -> None:
    """The ace of clubs is safe at first, but not where points may fall (ISS-17)."""
    hand = "4C 7C JC AC 4D 5D 9D 3S 4S 8S 2H 3H 9H"
    options = Options(points_on_first_trick=points_fall)
    state = position(hand, table="8C", first_trick=True, options=options)
    assert plays(state) == {card}


# Discarding


def test_the_queen_is_the_first_discard() -> None:
    """Without the suit led, the queen goes before ace of spades and of hearts."""
    hand = "QS AS AH KH 8C KC 3S"
    assert plays(position(hand, table="TD")) == {"QS"}


def test_ace_and_king_of_spades_go_while_the_queen_is_out() -> None:
    """A bare ace of spades is a greater danger than high hearts with low ones below."""
    hand = "AS JH 3H 2H 6C 8C 9C"
    assert plays(position(hand, table="TD")) == {"AS"}


def test_high_hearts_go_before_low_cards() -> None:
    """Without dangerous spades, the highest heart goes."""
    assert plays(position("AH 9H 6C 8C 9C 3S 4S", table="TD")) == {"AH"}


# Leading


def test_steady_does_not_lead_a_dead_suit() -> None:
    """A suit of which nobody else has a card is not led (ISS-18)."""
    state = later(
        position("9D 6C 2S", broken=True),
        (3, "2D 3D 4D 5D"),
        (3, "6D 7D 8D TD"),
        (2, "JD QD KD AD"),
    )
    assert "9D" not in plays(state)


def test_low_spades_drive_the_queen_out() -> None:
    """Without queen, king and ace of spades, low spades are led."""
    hand = "4S 7S 8S TD QD 9D 8C JC KC 5H 9H"
    assert plays(position(hand)) <= {"4S", "7S", "8S"}


def test_ace_and_king_of_spades_are_not_led_while_the_queen_is_out() -> None:
    """The queen would fall on them."""
    hand = "KS AS 6C 8C 7D 9D 5H 9H"
    assert not plays(position(hand)) & {"KS", "AS"}


def test_no_high_spade_is_led_into_a_queen_that_was_passed() -> None:
    """Steady knows to whom it passed the queen of spades (ISS-13)."""
    passed = holding(cards("QS AD KD"))
    state = position("AS JS 6C 8C 7D 9D 5H 9H")
    state = replace(state, passed=(passed, 0, 0, 0))
    given_away = seen(state).view.deal
    assert given_away is not None
    assert not plays(state) & {"AS"}


# The moon


def moon_in_sight(hand: str, table: str, options: Options) -> HeartsState:
    """Seat 1 has taken the queen and five hearts, which are all points so far."""
    return later(
        position(hand, table=table, broken=True, options=options),
        (1, "AS QS 2S 3S"),
        (1, "AH 2H 3H 4H"),
        (1, "KD AC 5H JD"),
    )


def test_steady_stops_a_moon() -> None:
    """A trick with a heart is taken from one who has all points so far (ISS-14)."""
    hand, table = "6D AD 9C TC JC 8S 9S TS 9H", "QD TH 7D"
    assert plays(moon_in_sight(hand, table, Options())) == {"AD"}
    assert plays(moon_in_sight(hand, table, Options(moon="none"))) == {"6D"}


def test_a_moon_is_not_stopped_twice() -> None:
    """Once somebody else has points, there is no reason to take any."""
    hand, table = "6D AD 9C TC JC 8S 9S TS", "QD TH 7D"
    state = later(moon_in_sight(hand, table, Options()), (2, "KH 9H 8H 7H"))
    assert plays(state) == {"6D"}


def test_steady_finishes_a_moon_that_is_certain() -> None:
    """Four high hearts draw the four that are out, and then the eight is good too."""
    hand = position("AH KH QH JH 8H", broken=True)
    mine = later(hand, (0, "AS QS 2S 3S"), (0, "7H 3H 4H 5H"))
    assert plays(mine) <= {"AH", "KH", "QH", "JH"}
    shared = later(hand, (0, "2S QS AS 3S"), (0, "7H 3H 4H 5H"))
    assert plays(shared) == {"8H"}


@pytest.mark.parametrize(
    ("scores", "how"),
    [
        ((40, 30, 20, 10), "add"),
        ((60, 30, 20, 80), "subtract"),
        ((10, 30, 20, 80), "add"),
    ],
)
def test_a_moon_adds_unless_that_loses_the_match(
    scores: tuple[int, ...], how: str
) -> None:
    """Adding would bring seat 3 over the target while seat 0 is not lowest."""
    every_point = holding(cards(f"QS {ALL_HEARTS}"))
    state = replace(
        position("", options=Options(moon="choice")),
        scores=scores,
        taken=(every_point, 0, 0, 0),
        tricks=(Trick(1, ME, cards(f"QS {ALL_HEARTS}"), ME),),
        phase=Phase.SETTLING,
        turn=ME,
    )
    assert {move.how for move in moves(state) if isinstance(move, SettleMoon)} == {how}


# Passing


def test_an_unguarded_queen_is_passed_with_ace_and_king() -> None:
    """With one low spade the high ones are all dangers."""
    hand = "4S QS KS AS 2C 5C 9C TC 3D 6D 8D 2H 5H"
    assert passes(hand) == {"QS", "KS", "AS"}


def test_a_guarded_queen_is_kept() -> None:
    """Four low spades guard the queen, and none of them is passed (ISS-18)."""
    hand = "2S 5S 7S JS QS 2C 5C 9C KC 3D 6D AD KH"
    assert not passes(hand) & {"2S", "5S", "7S", "JS", "QS"}


def test_a_short_suit_is_passed_away() -> None:
    """Two middle diamonds go, so that there are discards soon (ISS-18)."""
    hand = "2S 5S 7S JS 2C 3C 4C 5C 2H 3H 4H 9D TD"
    assert passes(hand) >= {"9D", "TD"}


def test_the_jack_is_passed_only_where_it_is_not_wanted() -> None:
    """Two diamonds are a short suit, but the jack may be worth ten (ISS-13)."""
    hand = "2S 5S 7S TS 2C 3C 4C 5C 2H 3H 4H JD AD"
    assert "JD" in passes(hand)
    assert "JD" not in passes(hand, OMNIBUS)
