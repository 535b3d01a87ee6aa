"""Cancellation Hearts at a table: players, packs, deals, refusals, its catalogue."""

import pytest
from msgspec.structs import replace

from domain import course
from domain.cards import Card, cards_of
from domain.commands import Move, OpenTable, Pass, Play, SettleMoon
from domain.decisions import Phase
from domain.errors import InvalidTable, NotYourTurn, RuleViolation
from domain.events import DealStarted, KittyDealt
from domain.games.cancellation_hearts import GAME, PACK
from domain.games.cancellation_hearts.catalogue import RULES
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat, Secret
from domain.shuffle import Words
from domain.terms import ArrangedDeal, Arrangement
from tests.cancellation_positions import (
    ME,
    STANDARD,
    VERSION,
    cancellation_hearts,
    divided,
    ended,
    ending,
    passing,
    position,
    state_of,
)
from tests.driver import BOT, HOST, Driver, cards, of_kind

HANDS_AND_KITTIES = {
    6: (17, 2),
    7: (14, 6),
    8: (13, 0),
    9: (11, 5),
    10: (10, 4),
    11: (9, 5),
}


# Players, packs, hands.


@pytest.mark.parametrize("seats", [5, 12])
def test_ch_r1_no_fewer_than_six_and_no_more_than_eleven_play(seats: int) -> None:
    """A table of another size cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        Driver(OpenTable("cancellation-hearts", {}, (BOT,) * seats, HOST))
    assert refusal.value.facts["field"] == "seats"


def test_six_sit_down_unless_more_are_asked_for() -> None:
    """The fewest that may play; a match may also begin with any scores."""
    assert GAME.usual_seats == 6
    scores = (3, 1, 4, 1, 5, 9)
    driver = cancellation_hearts(arrangement=Arrangement(scores=scores))
    assert state_of(driver).scores == scores


@pytest.mark.parametrize("seats", HANDS_AND_KITTIES)
def test_ch_r2_every_card_is_there_twice(seats: int) -> None:
    """Hands and kitty together are two packs without a joker."""
    state = state_of(cancellation_hearts(seats=seats))
    held = [card for some in (*state.hands, state.kitty) for card in cards_of(some)]
    assert sorted(held, key=str) == sorted(PACK, key=str)
    assert len(held) == 104
    assert {held.count(card) for card in held} == {2}


@pytest.mark.parametrize("seats", HANDS_AND_KITTIES)
def test_ch_r3_equal_hands_and_a_kitty(seats: int) -> None:
    """As many cards each as the table of the rule says; the rest is the kitty."""
    driver = cancellation_hearts(seats=seats)
    state = state_of(driver)
    hand, kitty = HANDS_AND_KITTIES[seats]
    assert [held.bit_count() for held in state.hands] == [hand] * seats
    assert state.kitty.bit_count() == kitty
    sizes = [event.count for event in of_kind(driver.events(), KittyDealt)]
    assert sizes == ([kitty] if kitty else [])


def test_ch_r3_cards_are_dealt_one_at_a_time_from_dealers_left() -> None:
    """With seat 1 dealing, seat 2 gets the first; what is left at the end lies over."""
    key = bytes(32)
    order = Words(key).shuffled(PACK)
    layout = GAME.shuffle(GAME.begin(STANDARD, 6, None), Seat(1), Words(key))
    for place, seat in enumerate([2, 3, 4, 5, 0, 1]):
        mine = order[place:102:6]
        assert sorted(cards_of(layout.hands[seat]), key=str) == sorted(mine, key=str)
    assert sorted(cards_of(layout.kitty), key=str) == sorted(order[102:], key=str)


def arranging(deal: ArrangedDeal, seats: int = 6) -> InvalidTable:
    """Why a table with this arranged deal cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        cancellation_hearts(seats=seats, arrangement=Arrangement(deals=(deal,)))
    assert refusal.value.facts["field"] == "arrangement.deals"
    return refusal.value


def test_an_arranged_deal_has_every_card_twice() -> None:
    """A third copy, a kitty left out, a hand too short, a turned card: all refused."""
    right = divided(PACK, 6)
    thrice = replace(right, kitty=cards("2C 2C"))
    assert arranging(thrice).facts["cards"] == ["2C", "AS", "KS"]
    assert arranging(replace(right, kitty=())).facts["cards"] == ["AS", "KS"]
    short = replace(right, hands=(right.hands[0][1:], *right.hands[1:]))
    assert arranging(short).text == "An arranged deal needs 6 hands of 17 cards."
    turned = replace(right, turned=Card("7D"))
    assert arranging(turned).text == "Cancellation Hearts turns no card."
    photograph = replace(right, photograph=Card("7D"))
    assert arranging(photograph).text == "Cancellation Hearts turns no card."
    assert arranging(right, seats=7).text == (
        "An arranged deal needs 7 hands of 14 cards."
    )


# From deal to deal.


def test_cm_6_the_deal_passes_to_the_left() -> None:
    """After each deal, and from the last seat to the first."""
    driver = cancellation_hearts(
        {"target": 1000, "passing": []}, arrangement=Arrangement(first_dealer=Seat(4))
    )
    while driver.play_state().deal < 4:
        driver.step()
    started = of_kind(driver.events(), DealStarted)
    assert [event.dealer for event in started] == [4, 5, 0, 1]


def test_the_next_deal_begins_afresh() -> None:
    """Hearts are unbroken, nothing lies aside, and nobody has a kitty."""
    end = ending("QS", aside="2H", kitty="3H", last="4C 4C 5C 5C 6C 6C")
    _, vanished = ended(end)
    over = replace(vanished, kitty_taker=ME)
    assert (over.broken, over.aside) != (False, 0)
    nothing = Secret(bytes(32))
    started = DealStarted(2, ME, nothing.hex(), arranged=False, secret=nothing)
    begun = course.after(over, GAME.steps, [started], VERSION)
    assert (begun.broken, begun.aside) == (False, 0)
    assert (begun.kitty, begun.kitty_taker) == (0, None)


# Refusals and the catalogue.


def move(text: str) -> Move:
    """A play of one card, a pass of several."""
    chosen = cards(text)
    return Play(card=chosen[0]) if len(chosen) == 1 else Pass(cards=chosen)


HAND = "3C 5D QS AH"
LEAD_HER = "Hearts are not broken, and you hold the queen of spades: lead her."
REFUSALS: dict[str, tuple[CancellationState, Move, str, str, dict[str, object]]] = {
    "a card that is not held": (
        position(HAND),
        move("KD"),
        "CM-8",
        "You do not hold KD.",
        {"card": "KD"},
    ),
    "another suit than the one led": (
        position(HAND, table="9D"),
        move("QS"),
        "CM-4",
        "You hold a diamond, so you must follow suit.",
        {"suit": "D"},
    ),
    "a penalty card led first": (
        position(HAND, first_trick=True),
        move("QS"),
        "CH-R10",
        "No heart and no queen of spades may be led to the first trick.",
        {"card": "QS"},
    ),
    "a heart led first beside the queen alone": (
        position("QS AH", first_trick=True),
        move("AH"),
        "CH-R11",
        LEAD_HER,
        {},
    ),
    "a heart led unbroken": (
        position(HAND),
        move("AH"),
        "CH-R15",
        "Hearts are not broken, and you hold other cards to lead.",
        {},
    ),
    "a heart led beside the queen alone": (
        position("QS AH"),
        move("AH"),
        "CH-R16",
        LEAD_HER,
        {},
    ),
    "too few cards to pass": (
        passing(HAND),
        move("3C 5D"),
        "CH-R7",
        "A pass is exactly 3 cards, not 2.",
        {"choose": 3},
    ),
    "a single card passed twice": (
        passing(HAND),
        move("3C 3C 5D"),
        "CH-R7",
        "You do not hold 3C that often.",
        {"card": "3C"},
    ),
    "a play before the pass": (
        passing(HAND),
        move("3C"),
        "CH-R7",
        "All must pass before the first card is led.",
        {"awaited": "pass"},
    ),
    "a pass while cards are played": (
        position(HAND),
        move("3C 5D QS"),
        "CM-3",
        "It is your turn to play a card.",
        {"awaited": "play"},
    ),
    "a play before a moon is settled": (
        replace(position(HAND), phase=Phase.SETTLING, turn=ME),
        move("3C"),
        "CH-R25",
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
    state, tried, rule, text, facts = REFUSALS[case]
    with pytest.raises(RuleViolation) as refusal:
        GAME.decide(state, ME, tried, VERSION)
    assert (refusal.value.rule, refusal.value.text) == (rule, text)
    assert dict(refusal.value.facts) == facts


def test_a_seat_out_of_turn_is_told_so() -> None:
    """Whatever it would play."""
    with pytest.raises(NotYourTurn) as refusal:
        GAME.decide(position(HAND), Seat(2), move("3C"), VERSION)
    assert dict(refusal.value.facts) == {"seat": 2}


def test_every_rule_has_its_sentence() -> None:
    """The catalogue has all rules of the game, the common ones, and the rulings."""
    wanted = [
        *(f"CM-{number}" for number in range(1, 10)),
        *(f"CH-R{number}" for number in range(1, 33)),
        *("X-1", "X-8", "X-9", "X-16", "X-17", "X-19", "X-21", "X-23", "X-27"),
    ]
    assert [rule for rule in wanted if not RULES.get(rule)] == []
