"""Tables whose deals were chosen in advance."""

import json

import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from domain import views
from domain.cards import Card, cards_of
from domain.commands import OpenTable
from domain.errors import InvalidTable
from domain.events import DealRevealed, DealStarted, MatchRevealed
from domain.ids import Seat
from domain.shuffle import deal_commitment, deal_secret
from domain.terms import ArrangedDeal, Arrangement
from tests.driver import BOT, HOST, Driver, arranged, cards, hearts
from tests.hearts_positions import MIXED, strong_hands


def refused_field(arrangement: Arrangement, *, seats: int = 4) -> object:
    """Where a table with this arrangement is wrong."""
    with pytest.raises(InvalidTable) as caught:
        hearts(arrangement=arrangement, seats=seats)
    return caught.value.facts["field"]


def test_the_hands_are_dealt_as_arranged() -> None:
    """And the deal says that it was."""
    driver = hearts(arrangement=arranged(MIXED))
    assert [set(cards_of(hand)) for hand in driver.play_state().hands] == [
        set(cards(hand)) for hand in MIXED
    ]
    started = driver.table.started
    assert started is not None
    assert started.arranged


def test_the_first_dealer_and_the_scores_are_as_arranged() -> None:
    """A match can be taken up where another one stood."""
    driver = hearts(arrangement=arranged(first_dealer=2, scores=[17, 12, 9, 6]))
    assert driver.play_state().dealer == 2
    assert driver.play_state().scores == (17, 12, 9, 6)


def test_the_scores_are_shown_before_the_match_starts() -> None:
    """Also to the public."""
    chosen = arranged(scores=[17, 12, 9, 6])
    plan = (BOT, BOT, BOT, BOT)
    opening = OpenTable("hearts", {}, plan, HOST, autostart=False, arrangement=chosen)
    table = Driver(opening).table
    assert views.view(table, None).scores == (17, 12, 9, 6)


def test_only_the_dealer_may_be_arranged_too() -> None:
    """With no deal in the list all are shuffled as ever."""
    driver = hearts(arrangement=arranged(first_dealer=3))
    started = driver.table.started
    assert started is not None
    assert not started.arranged
    expected = deal_secret(driver.id, 1, driver.table.opened.secret)
    assert started.secret == expected


def test_after_the_list_deals_are_shuffled_as_usual() -> None:
    """Their secrets come from the match's; those of arranged deals do not."""
    driver = hearts({"passing": []}, arrangement=arranged(MIXED))
    while driver.play_state().deal == 1:
        driver.step()
    first, second = [
        event
        for append in driver.appends
        for event in append
        if isinstance(event, DealStarted)
    ]
    match = driver.table.opened.secret
    assert (first.arranged, second.arranged) == (True, False)
    assert first.secret != deal_secret(driver.id, 1, match)
    assert second.secret == deal_secret(driver.id, 2, match)
    committed = deal_commitment(driver.id, 1, first.secret)
    assert first.commitment == committed.hex()


def test_the_list_is_sealed_until_the_end() -> None:
    """The first event has a commitment in its place, opened by the match's reveal."""
    driver = hearts({"target": 1}, arrangement=arranged(strong_hands(4)))
    data = json.loads(driver.lines[0].body)["data"]
    assert len(data["arranged"]) == 64
    assert "arrangement" not in data
    assert "secret" not in data
    driver.finish()
    [revealed] = [it for it in driver.appends[-1] if isinstance(it, MatchRevealed)]
    [opened] = revealed.opened
    assert opened.version == 1
    hands = json.loads(opened.body)["arrangement"]["deals"][0]["hands"]
    assert [set(hand) for hand in hands] == [
        set(hand.split()) for hand in strong_hands(4)
    ]


def test_a_table_that_is_not_arranged_says_so() -> None:
    """Nothing is sealed in its first event, and nothing of it is opened at the end."""
    driver = hearts({"target": 1}).finish()
    assert json.loads(driver.lines[0].body)["data"]["arranged"] is None
    [revealed] = [it for it in driver.appends[-1] if isinstance(it, MatchRevealed)]
    assert revealed.opened == ()


def test_each_arranged_deal_is_opened_when_it_ends() -> None:
    """With the secret it was sealed under."""
    driver = hearts({"passing": []}, arrangement=arranged(MIXED))
    secret = driver.table.started.secret if driver.table.started else b""
    while driver.play_state().deal == 1:
        driver.step()
    [revealed] = [it for it in driver.appends[-1] if isinstance(it, DealRevealed)]
    assert revealed.secret == secret.hex()
    assert len(revealed.opened) == 4


@pytest.mark.parametrize("dealer", [-1, 4])
def test_the_first_dealer_must_have_a_seat(dealer: int) -> None:
    """The refusal points at `arrangement.first_dealer`."""
    chosen = arranged(first_dealer=dealer)
    assert refused_field(chosen) == "arrangement.first_dealer"


@pytest.mark.parametrize("scores", [[], [1, 2, 3], [1, 2, 3, 4, 5]], ids=str)
def test_there_must_be_a_score_for_every_seat(scores: list[int]) -> None:
    """The refusal points at `arrangement.scores`."""
    assert refused_field(arranged(scores=scores)) == "arrangement.scores"


MOVED = (f"{MIXED[0]} {MIXED[1][:2]}", MIXED[1][3:], *MIXED[2:])
TWICE = (MIXED[0].replace("2C", "3C"), *MIXED[1:])


@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(MIXED[:3], id="a hand is missing"),
        pytest.param((*MIXED, ""), id="a hand too many"),
        pytest.param(MOVED, id="one hand longer than another"),
        pytest.param(TWICE, id="a card twice and another missing"),
        pytest.param((MIXED[0].replace("2C", "JK"), *MIXED[1:]), id="the joker"),
    ],
)
def test_every_card_must_have_one_place(hands: tuple[str, ...]) -> None:
    """The refusal points at `arrangement.deals`."""
    assert refused_field(arranged(hands)) == "arrangement.deals"


def test_the_refusal_names_the_wrong_cards() -> None:
    """Both the one that is there twice and the one that is nowhere."""
    with pytest.raises(InvalidTable) as caught:
        hearts(arrangement=arranged(TWICE))
    assert caught.value.facts["cards"] == ["2C", "3C"]


def test_a_card_that_is_left_out_has_no_place() -> None:
    """Three players play without the two of diamonds."""
    hands = [hand.replace("3D", "2D") for hand in strong_hands(3)]
    assert refused_field(arranged(hands), seats=3) == "arrangement.deals"


@pytest.mark.parametrize(
    "change",
    [{"kitty": (Card("2C"),)}, {"turned": Card("2C")}, {"photograph": Card("2C")}],
    ids=str,
)
def test_hearts_has_no_card_apart(change: dict[str, object]) -> None:
    """Neither a kitty nor a turned card."""
    chosen = arranged(MIXED)
    deal: ArrangedDeal = replace(chosen.deals[0], **change)
    assert refused_field(replace(chosen, deals=(deal,))) == "arrangement.deals"


def test_every_deal_of_the_list_is_looked_at() -> None:
    """A fault in the last one is found when the table is made."""
    assert refused_field(arranged(MIXED, MIXED, TWICE)) == "arrangement.deals"


def test_no_more_than_64_deals_are_arranged() -> None:
    """64 are read, 65 are not."""
    deal = {"hands": [hand.split() for hand in MIXED]}
    assert len(convert({"deals": [deal] * 64}, Arrangement).deals) == 64
    with pytest.raises(ValidationError):
        convert({"deals": [deal] * 65}, Arrangement)


def test_no_score_is_beyond_a_million() -> None:
    """So that all sums stay within what a number in an event may be."""
    assert convert({"scores": [-1_000_000, 1_000_000]}, Arrangement).scores
    with pytest.raises(ValidationError):
        convert({"scores": [1_000_001]}, Arrangement)


def test_an_arranged_table_is_unrated() -> None:
    """The refusal points at `rated`."""
    opening = OpenTable(
        "hearts", {}, (BOT,) * 4, HOST, rated=True, arrangement=arranged(MIXED)
    )
    with pytest.raises(InvalidTable) as caught:
        Driver(opening)
    assert caught.value.facts["field"] == "rated"


def test_cards_left_of_the_first_dealer_come_next() -> None:
    """The deal passes on from the arranged dealer."""
    driver = hearts({"passing": []}, arrangement=arranged(MIXED, first_dealer=3))
    while driver.play_state().deal == 1:
        driver.step()
    assert driver.play_state().dealer == Seat(0)
