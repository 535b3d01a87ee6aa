"""Passing in Cancellation Hearts, what may be led or played, breaking hearts."""

import pytest
from msgspec.structs import replace

from domain import views
from domain.cards import Card, cards_of, holding
from domain.commands import Pass, Play
from domain.decisions import PassChoices, Phase
from domain.errors import InvalidTable, RuleViolation
from domain.events import (
    CardPlayed,
    CardsPassed,
    DealStarted,
    HeartsBroken,
    KittyTaken,
    TrickCancelled,
)
from domain.games.cancellation_hearts import GAME, PACK
from domain.games.cancellation_hearts.options import Options, check
from domain.ids import Seat
from domain.terms import Arrangement
from domain.tricks import Trick
from tests.cancellation_positions import (
    ALL_HEARTS,
    ME,
    accepted,
    after,
    cancellation_hearts,
    divided,
    pass_refused,
    passing,
    position,
    refused,
    state_of,
)
from tests.driver import cards, of_kind


def ways(seats: int, deals: int, passing: object = "standard") -> list[int]:
    """By how many places each deal's cards were passed on, 0 where none were."""
    driver = cancellation_hearts(
        {"target": 1000, "passing": passing},  # type: ignore[dict-item]
        seats=seats,
    )
    while driver.play_state().deal <= deals:
        driver.step()
    found: list[set[int]] = []
    for event in driver.events():
        if isinstance(event, DealStarted):
            found.append(set())
        elif isinstance(event, CardsPassed):
            found[-1].add((event.to - event.seat) % seats)
    return [min(steps, default=0) for steps in found[:deals]]


# The pass.


@pytest.mark.parametrize(
    "chosen",
    ["", "2C", "2C 3C", "2C 3C 4C 5C", "2C 2C 3C", "6C 6C 6C", "2C 3C AS"],
)
def test_ch_r7_a_pass_is_three_cards_of_the_hand(chosen: str) -> None:
    """Too few, too many, one more often than it is held, one not held: refused."""
    assert pass_refused(passing("2C 3C 4C 5C 6C 6C"), chosen) == "CH-R7"


def test_ch_r7_no_card_moves_before_all_have_passed() -> None:
    """Until the last has chosen all hold what they were dealt, and nobody plays."""
    driver = cancellation_hearts()
    dealt = state_of(driver).hands
    for seat in range(5):
        driver.move(seat, Pass(cards=cards_of(dealt[seat])[:3]))
        assert state_of(driver).hands == dealt
        assert GAME.choices(state_of(driver), Seat(seat)) is None
    assert views.to_act(driver.table) == (5,)
    with pytest.raises(RuleViolation) as refusal:
        driver.move(5, Play(card=cards_of(dealt[5])[0]))
    assert refusal.value.rule == "CH-R7"
    driver.move(5, Pass(cards=cards_of(dealt[5])[:3]))
    assert state_of(driver).hands != dealt
    assert [hand.bit_count() for hand in state_of(driver).hands] == [17] * 6


def test_x_9_two_identical_cards_may_be_passed_by_who_holds_both() -> None:
    """Both are gone then, and their taker holds both."""
    state = passing("6C 6C 4C 5C")
    assert pass_refused(state, "6C 6C 4C") is None
    choices = GAME.choices(state, ME)
    assert isinstance(choices, PassChoices)
    assert choices.from_ == cards("4C 5C 6C 6C")
    order = sorted(PACK, key=lambda card: card.index)
    driver = cancellation_hearts(
        arrangement=Arrangement(first_dealer=Seat(5), deals=(divided(order, 6),))
    )
    passed = [cards_of(hand)[:3] for hand in state_of(driver).hands]
    assert passed[0] == cards("2C 2C 3C")
    for seat, chosen in enumerate(passed):
        driver.move(seat, Pass(cards=chosen))
    assert Card("2C") not in cards_of(state_of(driver).hands[0])
    assert cards_of(state_of(driver).hands[1])[:3] == cards("2C 2C 3C")


@pytest.mark.parametrize("seats", [6, 9])
def test_ch_r8_the_pass_goes_left_and_right_in_turn(seats: int) -> None:
    """Over four deals, without one in which nothing is passed."""
    assert ways(seats, 4) == [1, seats - 1, 1, seats - 1]


def test_ch_r8_by_option_it_goes_elsewhere_or_nowhere() -> None:
    """As a list says, from its beginning again; with an empty one, nowhere."""
    assert ways(6, 4, ["across", "hold", "right"]) == [3, 0, 5, 3]
    assert ways(6, 2, []) == [0, 0]


def test_ch_r8_an_odd_number_cannot_pass_across() -> None:
    """Nobody sits across, so the option is refused."""
    check(Options(passing=("across",)), 6)
    with pytest.raises(InvalidTable) as refusal:
        check(Options(passing=("left", "across")), 7)
    assert refusal.value.facts["field"] == "options.passing"


# Leads and discards.


@pytest.mark.parametrize("dealer", [0, 4, 5])
def test_ch_r9_the_dealers_left_leads_first(dealer: int) -> None:
    """After the pass, and in a deal without one."""
    arrangement = Arrangement(first_dealer=Seat(dealer))
    for ways_to_pass in ([], ["left"]):
        driver = cancellation_hearts({"passing": ways_to_pass}, arrangement=arrangement)
        while state_of(driver).phase is Phase.PASSING:
            driver.step()
        assert views.to_act(driver.table) == ((dealer + 1) % 6,)


def test_ch_r10_no_heart_and_no_queen_of_spades_is_led_first() -> None:
    """All other cards may be, whatever their suit and rank."""
    state = position("2C AC 5D AH 2H QS KS", first_trick=True)
    assert accepted(state) == "2C AC 5D KS"
    assert [refused(state, card) for card in ("AH", "2H", "QS")] == ["CH-R10"] * 3


def test_ch_r11_with_nothing_else_the_queen_is_led_first_and_else_a_heart() -> None:
    """The limit that cannot be met is dropped, and breaking still binds."""
    beside = position("2H AH QS QS", first_trick=True)
    assert accepted(beside) == "QS"
    assert refused(beside, "2H") == "CH-R11"
    assert accepted(position("2H AH", first_trick=True)) == "2H AH"


def test_x_8_by_option_the_first_lead_from_hearts_and_queens_is_either() -> None:
    """Any other card in the hand brings CH-R10 back."""
    options = Options(lead_hearts_instead_of_qs=True)
    either = position("2H AH QS", first_trick=True, options=options)
    assert accepted(either) == "2H AH QS"
    bound = position("2H AH QS 2C", first_trick=True, options=options)
    assert accepted(bound) == "2C"


@pytest.mark.parametrize("first_trick", [True, False])
def test_ch_r12_who_cannot_follow_discards_what_he_likes(
    first_trick: bool,  # noqa: FBT001 -- a parameter
) -> None:
    """Hearts and queens of spades too, on the first trick too."""
    state = position("2D AH QS AS", table="5C", first_trick=first_trick)
    assert accepted(state) == "2D AH QS AS"
    bound = position("2D AH QS 9C", table="5C", first_trick=first_trick)
    assert accepted(bound) == "9C"
    assert refused(bound, "QS") == "CM-4"


def test_ch_r13_the_queen_is_led_at_any_later_time() -> None:
    """Though hearts are unbroken and other cards are held."""
    assert accepted(position("2C AH QS")) == "2C QS"


def test_ch_r13_a_lead_after_a_cancelled_first_trick_is_a_later_one() -> None:
    """The queen may be led again by the leader of the first trick."""
    first = Trick(1, ME, cards("4C 4C 5C 5C 6C 6C"), None)
    assert accepted(replace(position("QS 2C"), tricks=(first,))) == "2C QS"


def test_there_is_one_play_of_two_equal_cards() -> None:
    """Copies cannot be told apart, so neither can what is done with them."""
    state = position(f"3C 3C {ALL_HEARTS} {ALL_HEARTS}", broken=True)
    assert len(GAME.legal(state, ME)) == 14
    events, state = after(state, Play(card=Card("3C")))
    assert events == [CardPlayed(ME, Card("3C"))]
    assert cards_of(state.hands[ME])[:1] == cards("3C")


# Breaking hearts.


@pytest.mark.parametrize(
    ("table", "card"), [("5C", "2H"), ("5C", "QS"), ("", "QS"), ("5H", "2H")]
)
def test_ch_r14_a_heart_or_a_queen_breaks_hearts(table: str, card: str) -> None:
    """Led, followed or discarded, the first of them in a deal breaks hearts."""
    events, state = after(position(f"{card} 3D", table=table), Play(card=Card(card)))
    assert events == [CardPlayed(ME, Card(card)), HeartsBroken(ME, Card(card))]
    assert state.broken


def test_ch_r14_a_penalty_card_in_a_cancelled_trick_breaks_hearts() -> None:
    """The card was played, though nobody takes it."""
    before = position("2H 2D", table="5C 5C 7C 7C 3D")
    events, state = after(before, Play(card=Card("2H")))
    assert events[-1] == TrickCancelled(2)
    assert of_kind(events, HeartsBroken) == [HeartsBroken(ME, Card("2H"))]
    assert state.broken


@pytest.mark.parametrize("table", ["", "5C"])
@pytest.mark.parametrize(
    "card", ["2C", "QC", "AC", "2D", "QD", "AD", "2S", "JS", "KS", "AS"]
)
def test_ch_r14_no_other_card_breaks_hearts(card: str, table: str) -> None:
    """No other spade and no other queen, led, followed or discarded."""
    events, state = after(position(f"{card} 3D", table=table), Play(card=Card(card)))
    assert events == [CardPlayed(ME, Card(card))]
    assert not state.broken


def test_ch_r14_hearts_are_broken_once() -> None:
    """A second penalty card is no news."""
    events, _ = after(position("2H 3D", table="5C", broken=True), Play(card=Card("2H")))
    assert events == [CardPlayed(ME, Card("2H"))]


def test_ch_r14_hearts_in_the_kitty_break_nothing() -> None:
    """It is taken unseen."""
    state = replace(
        position("5C 2D", table="2C 3C 4C 6C 7C", first_trick=True),
        kitty=holding(cards("AH QS")),
    )
    events, state = after(state, Play(card=Card("5C")))
    assert len(of_kind(events, KittyTaken)) == 1
    assert of_kind(events, HeartsBroken) == []
    assert not state.broken


def test_ch_r15_no_heart_is_led_before_hearts_are_broken() -> None:
    """All other cards may be led; once hearts are broken, hearts too."""
    state = position("2C 5D AH")
    assert accepted(state) == "2C 5D"
    assert refused(state, "AH") == "CH-R15"
    assert accepted(position("2C 5D AH", broken=True)) == "2C 5D AH"


def test_ch_r16_who_has_hearts_only_may_lead_one() -> None:
    """Though hearts are unbroken, any of them."""
    assert accepted(position("2H 9H AH")) == "2H 9H AH"


def test_ch_r16_with_hearts_and_a_queen_she_must_be_led() -> None:
    """One of them or both; by option, a heart may be led too."""
    options = Options(lead_hearts_instead_of_qs=True)
    for hand in ("2H AH QS", "2H AH QS QS"):
        assert accepted(position(hand)) == "QS"
        assert refused(position(hand), "2H") == "CH-R16"
        assert accepted(position(hand, options=options)) == "2H AH QS"
