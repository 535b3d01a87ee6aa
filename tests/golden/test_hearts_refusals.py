"""What Hearts says when it refuses a move, word by word, with its facts as data."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.cards import Card
from domain.commands import Move, Pass, Play, SettleMoon
from domain.decisions import Phase
from domain.errors import InvalidTable, NotYourTurn, Refusal, RuleViolation
from domain.games.hearts import GAME
from domain.games.hearts.options import Options, check
from domain.games.hearts.state import HeartsState
from domain.ids import Seat
from domain.terms import ArrangedDeal
from tests.driver import cards
from tests.hearts_positions import ME, VERSION, passing, position

HAND = "3C 5D QS AH"


def play(card: str) -> Play:
    """A play of that card."""
    return Play(card=Card(card))


def give(text: str) -> Pass:
    """A pass of those cards."""
    return Pass(cards=cards(text))


REFUSALS: dict[str, tuple[HeartsState, Move, str, str, dict[str, Any]]] = {
    "a card that is not held": (
        position(HAND),
        play("KD"),
        "CM-8",
        "You do not hold KD.",
        {"card": "KD"},
    ),
    "another suit than the one led": (
        position(HAND, table="9D"),
        play("QS"),
        "CM-4",
        "You hold a diamond, so you must follow suit.",
        {"suit": "D"},
    ),
    "a heart on the first trick": (
        position("5D QS AH", table="2C", first_trick=True),
        play("AH"),
        "HE-R12",
        "No heart and no queen of spades may be discarded on the first trick.",
        {"card": "AH"},
    ),
    "a heart led unbroken": (
        position(HAND),
        play("AH"),
        "HE-R15",
        "Hearts are not broken, and you hold other cards to lead.",
        {},
    ),
    "a heart led beside the queen alone": (
        position("QS AH"),
        play("AH"),
        "HE-R17",
        "Hearts are not broken, and you hold the queen of spades: lead her.",
        {},
    ),
    "another opening than the lowest club": (
        position("2C 5C QS", first_trick=True),
        play("5C"),
        "HE-R9",
        "2C must be led to the first trick.",
        {"card": "2C"},
    ),
    "another opening than a club": (
        position("2C QS", first_trick=True, options=Options(opening="any_club")),
        play("QS"),
        "HE-R9",
        "A club must be led to the first trick.",
        {"suit": "C"},
    ),
    "too few cards to pass": (
        passing(HAND),
        give("3C 5D"),
        "HE-R8",
        "A pass is exactly 3 cards, not 2.",
        {"choose": 3},
    ),
    "a card passed twice": (
        passing(HAND),
        give("3C 3C 5D"),
        "HE-R8",
        "You do not hold 3C that often.",
        {"card": "3C"},
    ),
    "cards to pass that are not held": (
        passing(HAND),
        give("3C KD 2S"),
        "HE-R8",
        "You do not hold KD.",
        {"card": "KD"},
    ),
    "a play before the pass": (
        passing(HAND),
        play("3C"),
        "HE-R8",
        "All must pass before the first card is led.",
        {"awaited": "pass"},
    ),
    "a pass while cards are played": (
        position(HAND),
        give("3C 5D QS"),
        "CM-3",
        "It is your turn to play a card.",
        {"awaited": "play"},
    ),
    "a play before a moon is settled": (
        replace(position(HAND), phase=Phase.SETTLING, turn=ME),
        play("3C"),
        "HE-R20",
        "Say first how your moon counts.",
        {"awaited": "settle_moon"},
    ),
    "a moon that nobody shot": (
        position(HAND),
        SettleMoon(how="add"),
        "CM-3",
        "It is your turn to play a card.",
        {"awaited": "play"},
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_names_rule_reason_and_facts(case: str) -> None:
    """The sentence is for people, the facts for programs; both are pinned."""
    state, move, rule, text, facts = REFUSALS[case]
    with pytest.raises(RuleViolation) as refused:
        GAME.decide(state, ME, move, VERSION)
    assert (refused.value.rule, refused.value.text) == (rule, text)
    assert dict(refused.value.facts) == facts


def refusal(state: HeartsState, seat: int, move: Move) -> Refusal:
    """Why the seat may not make the move."""
    with pytest.raises(Refusal) as refused:
        GAME.decide(state, Seat(seat), move, VERSION)
    return refused.value


def test_a_seat_out_of_turn_is_told_so() -> None:
    """Whatever it would play."""
    told = refusal(position(HAND), 2, play("3C"))
    assert isinstance(told, NotYourTurn)
    assert told.text == "No decision of this seat is open."
    assert dict(told.facts) == {"seat": 2}


def test_what_cannot_be_a_table_is_refused_with_its_field() -> None:
    """A pass across needs an even number of seats; no card is turned in Hearts."""
    with pytest.raises(InvalidTable) as across:
        check(Options(passing=("across",)), 5)
    assert across.value.text == (
        "With 5 seats nobody sits across, so no pass can go there."
    )
    assert dict(across.value.facts) == {"field": "options.passing"}
    deal = ArrangedDeal(hands=(), turned=Card("7D"))
    with pytest.raises(InvalidTable) as turned:
        GAME.check_deal(Options(), 4, deal)
    assert turned.value.text == "Hearts turns no card."
    assert dict(turned.value.facts) == {"field": "arrangement.deals"}
