"""What Auction Hearts shows of a deal, to a seat and to the public."""

from domain import views
from domain.cards import Suit, cards_of
from domain.commands import Bid, Decline, NameSuit
from domain.games.auction_hearts import GAME
from domain.games.auction_hearts.view import AuctionView
from domain.ids import Seat
from tests.auction_positions import FOUR_SUITS, auction, play_out, state_of
from tests.driver import Driver, arranged


def shown(driver: Driver, seat: int | None = None) -> AuctionView:
    """What the seat, or the public, is shown."""
    view = GAME.view(state_of(driver), None if seat is None else Seat(seat))
    assert isinstance(view, AuctionView)
    return view


def test_bids_are_everybodys_to_see() -> None:
    """None yet is null, a decline nought; who has bid most is named."""
    driver = auction()
    assert shown(driver).bids == (None, None, None, None)
    assert shown(driver).bidder is None
    driver.move(1, Bid(chips=3))
    driver.move(2, Decline())
    view = shown(driver)
    assert (view.bids, view.bidder) == ((None, 3, 0, None), 1)
    assert (view.pool, view.suit) == (0, None)
    driver.move(3, Bid(chips=4))
    driver.move(0, Decline())
    view = shown(driver)
    assert (view.bids, view.bidder, view.pool) == ((0, 3, 0, 4), 3, 4)
    driver.move(3, NameSuit(suit=Suit.DIAMONDS))
    assert shown(driver).suit is Suit.DIAMONDS


def test_nobody_leads_before_the_suit_is_named() -> None:
    """Then the bidder does."""
    driver = auction()
    for seat in (1, 2, 3):
        driver.move(seat, Decline())
    driver.move(0, Bid(chips=1))
    for leader in (None, 0):
        deal = views.view(driver.table, None).deal
        assert deal is not None
        assert (deal.trick.number, deal.trick.leader) == (1, leader)
        if leader is None:
            driver.move(0, NameSuit(suit=Suit.CLUBS))


def test_captured_cards_are_their_takers_and_the_suits_are_everybodys() -> None:
    """Each seat may look at its own captured cards, and all can count the suit."""
    driver = auction(arrangement=arranged(FOUR_SUITS))
    for seat in (1, 2, 3, 0):
        driver.move(seat, Decline())
    driver.play("2D 2H 2S 2C 3D")
    assert shown(driver).suit_taken == (0, 1, 0, 0)
    assert shown(driver).captured is None
    assert shown(driver, 0).captured == ()
    assert shown(driver, 1).captured == cards_of(state_of(driver).taken[1])
    assert {str(card) for card in shown(driver, 1).captured or ()} == {
        "2C",
        "2D",
        "2H",
        "2S",
    }


def test_a_jack_and_its_heir_are_shown() -> None:
    """With the pool; the bids of the deal before are gone."""
    driver = auction(arrangement=arranged(FOUR_SUITS))
    for seat in (1, 2, 3):
        driver.move(seat, Decline())
    driver.move(0, Bid(chips=2))
    driver.move(0, NameSuit(suit=Suit.HEARTS))
    play_out(driver)
    view = shown(driver)
    assert (view.pool, view.jack, view.bidder) == (15, True, 0)
    assert (view.bids, view.suit) == ((None,) * 4, None)
    assert view.suit_taken == (0, 0, 0, 0)


def test_what_nobody_won_is_in_the_pool_at_the_end() -> None:
    """Thirteen chips among four leave one."""
    driver = auction(
        {"deals": 1, "settlement": "sweepstake"}, arrangement=arranged(FOUR_SUITS)
    )
    play_out(driver)
    assert (shown(driver).pool, shown(driver).jack) == (1, False)


def test_one_trick_may_be_looked_back_at() -> None:
    """The last one."""
    driver = auction({"settlement": "howell"}, arrangement=arranged(FOUR_SUITS))
    driver.play("2D 2H 2S 2C 3D 3H 3S 3C 4D")
    looked = views.view(driver.table, Seat(0)).deal
    assert looked is not None
    assert [trick.number for trick in looked.last_tricks] == [2]
