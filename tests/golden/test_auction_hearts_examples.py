"""The worked examples of the rules of Auction Hearts, AU-1 to AU-8."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain import views
from domain.cards import Card, Suit
from domain.commands import Bid, Decline, Move, NameSuit
from domain.events import (
    BidDeclined,
    BidMade,
    CardPlayed,
    ChipsPaid,
    DealScored,
    PoolDivided,
    SuitNamed,
    TrickTaken,
)
from domain.ids import Seat
from tests.auction_positions import (
    HOWELL,
    SWEEPSTAKE,
    auction,
    broken_rule,
    deal,
    match,
    points,
    state_of,
    to_act,
)
from tests.driver import Driver, arranged

AU_1: list[tuple[int, Move]] = [
    (1, Bid(chips=2)),
    (2, Decline()),
    (3, Bid(chips=4)),
    (0, Decline()),
]


def bid_as_in_au_1(driver: Driver) -> None:
    """Seat 3 gets the naming for four chips."""
    for seat, move in AU_1:
        assert to_act(driver) == (seat,)
        driver.move(seat, move)


def test_au_1_the_highest_bidder_pays_and_names() -> None:
    """2, pass, 4, pass: seat 3 pays 4, and is to name."""
    driver = auction()
    bid_as_in_au_1(driver)
    assert driver.appends[1:] == [
        [BidMade(Seat(1), 2)],
        [BidDeclined(Seat(2))],
        [BidMade(Seat(3), 4)],
        [BidDeclined(Seat(0)), ChipsPaid(Seat(3), 4, "bid")],
    ]
    state = state_of(driver)
    assert (state.scores, state.pool) == ((50, 50, 50, 46), 4)
    assert to_act(driver) == (3,)
    assert driver.move(3, NameSuit(suit=Suit.SPADES)) == [
        SuitNamed(Seat(3), Suit.SPADES)
    ]
    assert to_act(driver) == (3,)


def test_au_1_an_equal_bid_is_refused() -> None:
    """After 2, another 2 is not higher."""
    driver = auction()
    driver.move(1, Bid(chips=2))
    assert broken_rule(driver, 2, Bid(chips=2)) == "AU-R4"


def test_au_1_a_bid_of_more_chips_than_one_has_is_refused() -> None:
    """7 with 6 chips."""
    driver = auction(arrangement=arranged(scores=[50, 6, 50, 50]))
    assert broken_rule(driver, 1, Bid(chips=7)) == "AU-R5"
    assert broken_rule(driver, 1, Bid(chips=6)) is None


def test_au_1_four_passes_leave_hearts() -> None:
    """Nothing is paid, and the dealer's left leads."""
    driver = auction()
    for seat in (1, 2, 3):
        driver.move(seat, Decline())
    assert driver.move(0, Decline()) == [
        BidDeclined(Seat(0)),
        SuitNamed(None, Suit.HEARTS),
    ]
    assert state_of(driver).pool == 0
    assert to_act(driver) == (1,)


def test_au_2_a_sole_winner() -> None:
    """With 4-0-8-1 taken, the pool of 18 goes to the bidder of 5."""
    events, state = deal(match(), 4, 0, 8, 1, bidder=1, bid=5)
    assert events[2:] == [
        ChipsPaid(Seat(0), 4, "cards"),
        ChipsPaid(Seat(2), 8, "cards"),
        ChipsPaid(Seat(3), 1, "cards"),
        PoolDivided((0, 18, 0, 0), 0),
        DealScored((-4, 13, -8, -1), (46, 63, 42, 49)),
    ]
    assert (state.scores, state.pool) == ((46, 63, 42, 49), 0)


@pytest.fixture
def au_3() -> dict[str, Any]:
    """The deal of AU-3."""
    text = Path(__file__).with_name("deals.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)["AU-3"]
    return found


def test_au_3_card_by_card(au_3: dict[str, Any]) -> None:
    """Each trick goes where AU-3 says; two are clear, and one chip is left over."""
    driver = auction(arrangement=arranged([" ".join(hand) for hand in au_3["hands"]]))
    bid_as_in_au_1(driver)
    driver.move(3, NameSuit(suit=Suit.DIAMONDS))
    for number, (leader, played, winner) in enumerate(au_3["tricks"], 1):
        assert views.to_act(driver.table) == (leader,)
        events = driver.play(" ".join(played))
        assert [it for it in events if isinstance(it, CardPlayed | TrickTaken)] == [
            *(
                CardPlayed(Seat((leader + place) % 4), Card(card))
                for place, card in enumerate(played)
            ),
            TrickTaken(number, winner),
        ]
    paid = [event for event in driver.appends[-1] if isinstance(event, ChipsPaid)]
    assert paid == [
        ChipsPaid(Seat(seat), count, "cards")
        for seat, count in enumerate(au_3["took"])
        if count
    ]
    assert PoolDivided((8, 0, 8, 0), 1) in driver.appends[-1]
    assert DealScored((8, -4, 8, -13), (58, 46, 58, 37)) in driver.appends[-1]
    assert state_of(driver).pool == 1


def test_au_5_an_odd_chip_waits_for_the_next_deal() -> None:
    """Two halve 15 chips, and the one left over is in the next winner's 19."""
    _, state = deal(match(), 0, 0, 6, 7, bidder=0, bid=2)
    assert (state.scores, state.pool) == ((55, 57, 44, 43), 1)
    _, state = deal(state, 4, 0, 8, 1, bidder=1, bid=5)
    assert (state.scores, state.pool) == ((51, 71, 36, 42), 0)


def test_au_7_a_series_of_sweepstakes() -> None:
    """Jacks that only a single clear player wins, and an odd chip that is none."""
    state = match(SWEEPSTAKE)
    for taken, chips, pool, jack in [
        ((1, 2, 4, 6), (49, 48, 46, 44), 13, True),
        ((0, 0, 6, 7), (49, 48, 40, 37), 26, True),
        ((0, 5, 5, 3), (88, 43, 35, 34), 0, False),
        ((0, 0, 9, 4), (94, 49, 26, 30), 1, False),
        ((0, 0, 0, 13), (94, 49, 26, 17), 14, True),
        ((3, 0, 9, 1), (91, 76, 17, 16), 0, False),
    ]:
        _, state = deal(state, *taken)
        assert (state.scores, state.pool, state.jack) == (chips, pool, jack)


@pytest.mark.parametrize(
    ("taken", "nets"),
    [
        ((2, 0, 6, 5), (5, 13, -11, -7)),
        ((13, 0, 0, 0), (-39, 13, 13, 13)),
        ((4, 4, 5), (1, 1, -2)),
        ((0, 1, 2, 4, 6), (13, 8, 3, -7, -17)),
        ((0, 0, 0, 3, 4, 6), (13, 13, 13, -5, -11, -23)),
        ((1, 1, 1, 2, 2, 2, 4), (6, 6, 6, -1, -1, -1, -15)),
    ],
    ids=str,
)
def test_au_8_howells_nets(taken: tuple[int, ...], nets: tuple[int, ...]) -> None:
    """With so many hearts taken, so much is won or lost; the pool is empty again."""
    events, state = deal(match(HOWELL, seats=len(taken)), *taken)
    assert points(events) == nets
    assert sum(nets) == 0
    assert state.pool == 0
