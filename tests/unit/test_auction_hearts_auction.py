"""The auction of Auction Hearts: bids, who names the suit, what is paid."""

import pytest

from domain import views
from domain.cards import Card, Suit
from domain.commands import Bid, Decline, NameSuit, Play
from domain.decisions import BidChoices, Phase
from domain.errors import NotYourTurn, RuleViolation
from domain.events import (
    ChipsPaid,
    SuitNamed,
)
from domain.games.auction_hearts import GAME
from domain.ids import Seat
from tests.auction_positions import (
    FOUR_SUITS,
    all_decline,
    auction,
    bids_one,
    broken_rule,
    play_out,
    state_of,
    to_act,
)
from tests.driver import arranged


def test_au_r4_each_has_one_turn_from_dealers_left_to_the_dealer() -> None:
    """With seat 2 dealing; who has spoken, or is yet to speak, has no decision."""
    driver = auction(arrangement=arranged(first_dealer=2))
    for seat, move in [
        (3, Bid(chips=1)),
        (0, Decline()),
        (1, Bid(chips=5)),
        (2, Bid(chips=6)),
    ]:
        assert to_act(driver) == (seat,)
        for other in {0, 1, 2, 3} - {seat}:
            with pytest.raises(NotYourTurn):
                driver.move(other, Bid(chips=20))
        driver.move(seat, move)
    assert state_of(driver).phase is Phase.NAMING


@pytest.mark.parametrize(("chips", "rule"), [(3, "AU-R4"), (4, "AU-R4"), (5, None)])
def test_au_r4_a_bid_is_higher_than_every_earlier_one(
    chips: int, rule: str | None
) -> None:
    """Also where somebody declined after it."""
    driver = auction()
    driver.move(1, Bid(chips=4))
    driver.move(2, Decline())
    assert broken_rule(driver, 3, Bid(chips=chips)) == rule


def test_au_r4_the_suit_is_not_named_before_all_have_bid() -> None:
    """A seat that is to bid can neither name a suit nor play a card."""
    driver = auction(arrangement=arranged(FOUR_SUITS))
    assert broken_rule(driver, 1, NameSuit(suit=Suit.CLUBS)) == "AU-R4"
    assert broken_rule(driver, 1, Play(card=Card("2D"))) == "AU-R4"


@pytest.mark.parametrize(
    ("chips", "rule"), [(0, "AU-R5"), (1, None), (50, None), (51, "AU-R5")]
)
def test_au_r5_a_bid_can_be_paid(chips: int, rule: str | None) -> None:
    """From one chip to all that the bidder has."""
    assert broken_rule(auction(), 1, Bid(chips=chips)) == rule


def test_au_r5_the_bids_offered_are_those_that_can_be_made() -> None:
    """Above the highest and up to one's chips; where there is none, none is offered."""
    driver = auction(arrangement=arranged(scores=[50, 9, 4, 5]))
    offers = []
    for seat, move in [(1, Bid(chips=4)), (2, Decline()), (3, Decline())]:
        decision = views.decision(driver.table, Seat(seat))
        assert decision is not None
        assert decision.kind == "bid"
        assert decision.legal == (Decline(),)
        offers.append(decision.choices)
        driver.move(seat, move)
    assert offers == [BidChoices(min=1, max=9), None, BidChoices(min=5, max=5)]


def test_au_r5_refusals_say_what_can_be_bid() -> None:
    """The facts are the bounds."""
    driver = auction(arrangement=arranged(scores=[50, 9, 4, 5]))
    driver.move(1, Bid(chips=4))
    for chips, text, facts in [
        (0, "A bid is one chip or more.", {"min": 1}),
        (5, "You cannot pay 5 chips: you have 4.", {"max": 4}),
        (4, "A bid must be higher than 4.", {"highest": 4}),
    ]:
        with pytest.raises(RuleViolation) as refusal:
            driver.move(2, Bid(chips=chips))
        assert (refusal.value.text, refusal.value.facts) == (text, facts)


def test_au_r6_the_highest_bidder_pays_names_and_leads() -> None:
    """Though another bid after it declined, and whoever deals."""
    driver = auction()
    driver.move(1, Bid(chips=3))
    driver.move(2, Bid(chips=8))
    driver.move(3, Decline())
    events = driver.move(0, Decline())
    assert events[1:] == [ChipsPaid(Seat(2), 8, "bid")]
    assert state_of(driver).scores == (50, 50, 42, 50)
    assert state_of(driver).pool == 8
    assert to_act(driver) == (2,)
    assert GAME.legal(state_of(driver), Seat(2)) == tuple(
        NameSuit(suit=suit) for suit in Suit
    )
    driver.move(2, NameSuit(suit=Suit.CLUBS))
    assert state_of(driver).suit is Suit.CLUBS
    assert to_act(driver) == (2,)


def test_au_r6_no_card_is_led_before_the_suit_is_named() -> None:
    """And nobody bids any more."""
    driver = auction(arrangement=arranged(FOUR_SUITS))
    bids_one(driver, 3)
    assert broken_rule(driver, 3, Play(card=Card("2S"))) == "AU-R6"
    assert broken_rule(driver, 3, Bid(chips=2)) == "AU-R6"
    assert broken_rule(driver, 3, NameSuit(suit=Suit.SPADES)) is None
    assert broken_rule(driver, 3, NameSuit(suit=Suit.CLUBS)) == "CM-3"


def test_au_r7_hearts_cost_where_nobody_bids() -> None:
    """The rules name them, for nothing, and the dealer's left leads."""
    driver = auction(arrangement=arranged(first_dealer=1))
    all_decline(driver)
    assert driver.appends[-1][1:] == [SuitNamed(None, Suit.HEARTS)]
    assert state_of(driver).pool == 0
    assert to_act(driver) == (2,)


@pytest.mark.parametrize("settlement", ["sweepstake", "howell"])
def test_x_24_without_an_auction_the_dealers_left_leads(settlement: str) -> None:
    """Hearts are named with the deal, and cards are played at once, in every deal."""
    driver = auction({"settlement": settlement})
    assert driver.appends[0][-1] == SuitNamed(None, Suit.HEARTS)
    assert to_act(driver) == (1,)
    assert broken_rule(driver, 1, Bid(chips=1)) == "CM-3"
    play_out(driver)
    assert driver.appends[-1][-1] == SuitNamed(None, Suit.HEARTS)
    assert to_act(driver) == (2,)
