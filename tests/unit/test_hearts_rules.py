"""The rules of a deal of Hearts, one by one: players, pack, pass, leads, discards."""

import pytest

from domain import views
from domain.cards import STANDARD_PACK, Card, cards_of
from domain.commands import OpenTable, Play, SettleMoon
from domain.errors import InvalidTable, NotYourTurn, RuleViolation
from domain.events import CardPlayed, CardsPassed, DealScored, DealStarted, HeartsBroken
from domain.games.hearts import GAME
from domain.games.hearts.catalogue import RULES
from domain.games.hearts.options import Options
from domain.ids import Seat
from domain.shuffle import Words
from domain.terms import Options as TableOptions
from tests.driver import BOT, HOST, Driver, arranged, hearts
from tests.hearts_positions import (
    ALL_HEARTS,
    ME,
    MIXED,
    STANDARD,
    VERSION,
    accepted,
    after,
    ended,
    ending,
    pass_refused,
    passing,
    position,
    refused,
)

NO_PASS: TableOptions = {"passing": []}
"""Without passing, to come to the first trick at once."""

FOUR_SUITS = (
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
)
"""Each seat holds a suit of its own."""


def pack_of(driver: Driver) -> set[str]:
    """All cards that were dealt."""
    return {str(card) for hand in driver.play_state().hands for card in cards_of(hand)}


def ways(seats: int, deals: int, passing: list[str] | None = None) -> list[int]:
    """By how many places each deal's cards were passed on, 0 where none were."""
    driver = hearts(
        {"target": 1000} if passing is None else {"target": 1000, "passing": passing},
        seats=seats,
    )
    while driver.play_state().deal <= deals:
        driver.step()
    found: list[set[int]] = []
    for event in (event for append in driver.appends for event in append):
        if isinstance(event, DealStarted):
            found.append(set())
        elif isinstance(event, CardsPassed):
            found[-1].add((event.to - event.seat) % seats)
    return [min(steps, default=0) for steps in found[:deals]]


# Players and pack.


@pytest.mark.parametrize("seats", [2, 8])
def test_he_r1_no_fewer_than_three_and_no_more_than_seven_play(seats: int) -> None:
    """A table of another size cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        Driver(OpenTable("hearts", {}, (BOT,) * seats, HOST))
    assert refusal.value.facts["field"] == "seats"


@pytest.mark.parametrize(
    ("seats", "left_out", "each"),
    [
        pytest.param(3, "2D", 17, id="HE-R2: three"),
        pytest.param(4, "", 13, id="HE-R2: four"),
        pytest.param(5, "2C 2D", 10, id="HE-R2: five"),
        pytest.param(6, "2C 3C 2D 2S", 8, id="HE-R3: six"),
        pytest.param(7, "2C 2D 2S", 7, id="HE-R4: seven"),
    ],
)
def test_he_r2_to_r4_low_cards_are_left_out(
    seats: int, left_out: str, each: int
) -> None:
    """The cards that are not dealt are these, and all hands are of one size."""
    driver = hearts(NO_PASS, seats=seats)
    missing = [str(card) for card in STANDARD_PACK if str(card) not in pack_of(driver)]
    assert " ".join(missing) == left_out
    assert [hand.bit_count() for hand in driver.play_state().hands] == [each] * seats


def test_he_r5_cards_are_dealt_one_at_a_time_from_dealers_left() -> None:
    """With seat 1 dealing, seat 2 gets the first, fifth, ninth ... of the order."""
    key = bytes(32)
    order = Words(key).shuffled(STANDARD_PACK)
    layout = GAME.shuffle(GAME.begin(STANDARD, 4, None), Seat(1), Words(key))
    for place, seat in enumerate([2, 3, 0, 1]):
        assert set(cards_of(layout.hands[seat])) == set(order[place::4])


# The pass.


def test_he_r6_four_pass_left_right_across_and_then_hold() -> None:
    """Over eight deals the directions come twice in this order."""
    assert ways(4, 8) == [1, 3, 2, 0, 1, 3, 2, 0]


@pytest.mark.parametrize("seats", [3, 5, 6, 7])
def test_he_r7_others_pass_left_right_and_then_hold(seats: int) -> None:
    """Over six deals the directions come twice in this order."""
    assert ways(seats, 6) == [1, seats - 1, 0, 1, seats - 1, 0]


def test_he_r7_six_may_pass_across() -> None:
    """A list with `across` sends the cards three places on."""
    assert ways(6, 3, ["across", "hold"]) == [3, 0, 3]


@pytest.mark.parametrize("seats", [3, 5, 7])
def test_he_r7_an_odd_number_cannot_pass_across(seats: int) -> None:
    """Nobody sits across, so the option is refused."""
    with pytest.raises(InvalidTable) as refusal:
        hearts({"passing": ["left", "across"]}, seats=seats)
    assert refusal.value.facts["field"] == "options.passing"


@pytest.mark.parametrize(
    "chosen",
    [
        [],
        ["2C"],
        ["2C", "3C"],
        ["2C", "3C", "4C", "5C"],
        ["2C", "2C", "3C"],
        ["2C", "2C", "2C"],
        ["2C", "3C", "AS"],
    ],
    ids=" ".join,
)
def test_he_r8_a_pass_is_three_distinct_cards_of_the_hand(chosen: list[str]) -> None:
    """Too few, too many, the same twice, a card that is not held: all are refused."""
    assert pass_refused(passing("2C 3C 4C 5C 6C"), *chosen) == "HE-R8"


def test_he_r8_three_distinct_cards_of_the_hand_are_a_pass() -> None:
    """In any order."""
    assert pass_refused(passing("2C 3C 4C 5C 6C"), "6C", "2C", "4C") is None


def test_he_r8_nobody_plays_before_all_have_passed() -> None:
    """A card played while cards are passed is refused, even the opening one."""
    assert refused(passing("2C 3C 4C 5C"), "2C") == "HE-R8"


def test_he_r8_nobody_passes_twice() -> None:
    """Who has passed has no open decision until all others have."""
    driver = hearts(arrangement=arranged(MIXED))
    driver.passes("2C 6C TC")
    with pytest.raises(NotYourTurn):
        driver.passes("AC 5D 9D")


def test_he_r8_the_opener_is_found_after_the_pass() -> None:
    """Who was passed the two of clubs leads it."""
    driver = hearts(arrangement=arranged(MIXED))
    driver.passes("2C 6C TC", "3C 7C JC", "4C 8C QC", "5C 9C KC")
    assert views.to_act(driver.table) == (1,)
    driver.play("2C")


def test_he_r8_the_opener_is_found_where_nobody_passes_too() -> None:
    """On a deal without a pass its holder leads the two of clubs at once."""
    turned = (*MIXED[1:], MIXED[0])
    driver = hearts({"passing": ["hold"]}, arrangement=arranged(turned))
    assert views.to_act(driver.table) == (3,)
    driver.play("2C")


# Leads and discards.


def test_he_r9_the_two_of_clubs_must_be_led() -> None:
    """To the first trick nothing else may be led, no other club either."""
    state = position("2C 3C AD QS", first_trick=True)
    assert accepted(state) == "2C"
    assert refused(state, "3C") == "HE-R9"
    assert refused(state, "AD") == "HE-R9"


def test_he_r9_by_option_any_club_may_be_led() -> None:
    """The holder of the two of clubs leads any club, and no other suit."""
    options = Options(opening="any_club")
    state = position("2C 3C AD QS", first_trick=True, options=options)
    assert accepted(state) == "2C 3C"
    assert refused(state, "AD") == "HE-R9"


@pytest.mark.parametrize(("seats", "opener"), [(5, "3C"), (6, "4C"), (7, "3C")])
def test_he_r10_without_the_two_the_lowest_club_opens(seats: int, opener: str) -> None:
    """Its holder is to act; every other card of the hand is refused."""
    driver = hearts(NO_PASS, seats=seats)
    [seat] = views.to_act(driver.table)
    for card in cards_of(driver.play_state().hands[seat]):
        if str(card) != opener:
            with pytest.raises(RuleViolation) as refusal:
                driver.move(seat, Play(card=card))
            assert refusal.value.rule == "HE-R10"
    driver.play(opener)


def test_he_r11_who_cannot_follow_discards_what_he_likes() -> None:
    """On the first trick, all but the penalty cards; later, anything."""
    hand = "2D 3D AS"
    assert accepted(position(hand, table="5C", first_trick=True)) == hand
    assert accepted(position(f"{hand} QS", table="5C")) == "2D 3D QS AS"


@pytest.mark.parametrize("card", ["2H", "AH", "QS"])
def test_he_r12_no_penalty_card_on_the_first_trick(card: str) -> None:
    """A heart or the queen of spades cannot be discarded beside other cards."""
    state = position("2D 2H AH QS", table="2C", first_trick=True)
    assert refused(state, card) == "HE-R12"
    assert accepted(state) == "2D"


def test_he_r12_is_lifted_by_option() -> None:
    """Where points may fall on the first trick, anything may be discarded."""
    options = Options(points_on_first_trick=True)
    state = position("2D AH QS", table="2C", first_trick=True, options=options)
    assert accepted(state) == "2D AH QS"


@pytest.mark.parametrize("hand", ["2H AH", "2H AH QS"])
def test_he_r13_who_has_nothing_else_may_discard_a_penalty_card(hand: str) -> None:
    """With penalty cards only, each of them may go on the first trick."""
    assert accepted(position(hand, table="2C", first_trick=True)) == hand


@pytest.mark.parametrize(
    ("table", "card"), [("5C", "2H"), ("5C", "QS"), ("", "QS"), ("5H", "2H")]
)
def test_he_r14_a_heart_or_the_queen_breaks_hearts(table: str, card: str) -> None:
    """Led, followed or discarded, the first of them in a deal breaks hearts."""
    events, state = after(position(f"{card} 3D", table=table), Play(card=Card(card)))
    assert events[:2] == [CardPlayed(ME, Card(card)), HeartsBroken(ME, Card(card))]
    assert state.broken


def test_he_r14_hearts_are_broken_once() -> None:
    """A second penalty card is no news."""
    events, _ = after(position("2H 3D", table="5C", broken=True), Play(card=Card("2H")))
    assert events == [CardPlayed(ME, Card("2H"))]


def test_he_r14_other_cards_break_nothing() -> None:
    """Neither high spades nor the jack of diamonds break hearts."""
    for card in ("AS", "KS", "JD"):
        _, state = after(position(f"{card} 3D", table="5C"), Play(card=Card(card)))
        assert not state.broken


def test_he_r14_by_option_the_queen_breaks_nothing() -> None:
    """Only a heart opens hearts then."""
    options = Options(queen_breaks_hearts=False)
    by_queen = position("QS 3D", table="5C", options=options)
    by_heart = position("2H 3D", table="5C", options=options)
    assert not after(by_queen, Play(card=Card("QS")))[1].broken
    assert after(by_heart, Play(card=Card("2H")))[1].broken


def test_he_r15_no_heart_is_led_before_hearts_are_broken() -> None:
    """All other cards may be led, the queen of spades among them."""
    state = position("2C 5D AH QS")
    assert accepted(state) == "2C 5D QS"
    assert refused(state, "AH") == "HE-R15"


def test_he_r15_a_broken_heart_may_be_led() -> None:
    """Once hearts are broken, or where they need not be, any card may be led."""
    options = Options(break_required=False)
    assert accepted(position("2C 5D AH QS", broken=True)) == "2C 5D AH QS"
    assert accepted(position("2C 5D AH QS", options=options)) == "2C 5D AH QS"


def test_he_r16_who_has_hearts_only_may_lead_one() -> None:
    """Though hearts are unbroken, any of them."""
    assert accepted(position("2H 9H AH")) == "2H 9H AH"


def test_he_r17_with_hearts_and_the_queen_she_must_be_led() -> None:
    """The hearts beside her stay where they are."""
    state = position("2H AH QS")
    assert accepted(state) == "QS"
    assert refused(state, "2H") == "HE-R17"


def test_he_r17_binds_no_hand_with_another_card() -> None:
    """With a diamond beside her it is HE-R15 that refuses the heart."""
    assert refused(position("2D AH QS"), "AH") == "HE-R15"


def test_he_r17_by_option_either_may_be_led() -> None:
    """With hearts and the queen only; another card beside them brings HE-R15 back."""
    options = Options(lead_hearts_instead_of_qs=True)
    assert accepted(position("2H AH QS", options=options)) == "2H AH QS"
    assert refused(position("2D AH QS", options=options), "AH") == "HE-R15"


def test_he_r24_a_deal_is_played_to_its_last_card() -> None:
    """Though all 26 points are taken, nothing is scored while cards are held."""
    over = ending(f"{ALL_HEARTS} QS", "", "", "")
    early = ending(f"{ALL_HEARTS} QS", "", "", "", left="6C")
    assert any(isinstance(event, DealScored) for event in ended(over)[0])
    assert not any(isinstance(event, DealScored) for event in ended(early)[0])


def test_x_7_the_dealers_left_leads_what_he_likes() -> None:
    """With that option no club is asked for, by whom or what."""
    driver = hearts(
        {"passing": [], "opening": "left_of_dealer"},
        arrangement=arranged(FOUR_SUITS, first_dealer=0),
    )
    assert views.to_act(driver.table) == (1,)
    driver.play("9D")
    free = Options(opening="left_of_dealer")
    assert accepted(position("2C 5D QS", first_trick=True, options=free)) == "2C 5D QS"


def test_x_7_hearts_must_be_broken_before_that_lead_too() -> None:
    """A heart is no opening lead for who holds other cards."""
    state = position(
        "2C 5D AH", first_trick=True, options=Options(opening="left_of_dealer")
    )
    assert accepted(state) == "2C 5D"
    assert refused(state, "AH") == "HE-R15"


@pytest.mark.parametrize("led", ["5D", "5S"])
def test_x_7_penalty_cards_stay_out_of_that_trick_too(led: str) -> None:
    """HE-R12 holds for whatever suit was led."""
    state = position(
        "2C AH", table=led, first_trick=True, options=Options(opening="left_of_dealer")
    )
    assert accepted(state) == "2C"
    assert refused(state, "AH") == "HE-R12"


# The catalogue.


def test_every_rule_has_its_sentence() -> None:
    """The catalogue has all rules of Hearts, the common ones, and the rulings."""
    wanted = [
        *(f"CM-{number}" for number in range(1, 10)),
        *(f"HE-R{number}" for number in range(1, 25)),
        *(f"X-{number}" for number in range(1, 8)),
    ]
    assert [rule for rule in wanted if not RULES.get(rule)] == []


def test_a_move_of_the_wrong_kind_names_a_rule() -> None:
    """Settling a moon that was not shot, passing while playing: each names a rule."""
    for state, move in [
        (position("2C"), SettleMoon(how="add")),
        (passing("2C 3C 4C"), SettleMoon(how="add")),
        (passing("2C 3C 4C"), Play(card=Card("2C"))),
    ]:
        with pytest.raises(RuleViolation) as refusal:
            GAME.decide(state, ME, move, VERSION)
        assert refusal.value.rule in RULES
