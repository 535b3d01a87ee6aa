"""The rules of a deal of Auction Hearts, one by one: bids, the suit, the play."""

import pytest
from msgspec.structs import replace

from domain import views
from domain.cards import STANDARD_PACK, Card, Suit, cards_of
from domain.commands import Bid, Decline, Move, NameSuit, OpenTable, Pass, Play
from domain.decisions import Phase
from domain.errors import InvalidTable, RuleViolation
from domain.events import (
    CardPlayed,
    CardsPassed,
    ChipsPaid,
    DealStarted,
    TrickTaken,
)
from domain.games.auction_hearts import GAME
from domain.games.auction_hearts.catalogue import RULES
from domain.games.auction_hearts.options import PRESETS, Options
from domain.ids import Seat
from domain.shuffle import Words
from domain.terms import Options as TableOptions
from tests.auction_positions import (
    FOUR_SUITS,
    ME,
    STANDARD,
    VERSION,
    accepted,
    all_decline,
    auction,
    bids_one,
    broken_rule,
    play_out,
    position,
    refused,
    state_of,
    to_act,
)
from tests.driver import BOT, HOST, Driver, arranged

STRICT = Options(strict_first_trick=True)

TWO_TAKERS = (
    *FOUR_SUITS[:2],
    "3H 4H 5H 6H 7H 8H 9H TH JH QH KH KS AS",
    "2H AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS",
)
"""Only seats 2 and 3 can take hearts."""


# Players, pack and chips.


@pytest.mark.parametrize("seats", [2, 8])
def test_au_r1_three_to_seven_play(seats: int) -> None:
    """A table of another size cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        Driver(OpenTable("auction-hearts", {}, (BOT,) * seats, HOST))
    assert refusal.value.facts["field"] == "seats"


@pytest.mark.parametrize(
    ("seats", "left_out", "each"),
    [
        (3, "2D", 17),
        (4, "", 13),
        (5, "2C 2D", 10),
        (6, "2C 3C 2D 2S", 8),
        (7, "2C 2D 2S", 7),
    ],
)
def test_au_r1_low_cards_are_left_out(seats: int, left_out: str, each: int) -> None:
    """So that all hands are of one size."""
    hands = state_of(auction(seats=seats)).hands
    dealt = {str(card) for hand in hands for card in cards_of(hand)}
    missing = [str(card) for card in STANDARD_PACK if str(card) not in dealt]
    assert " ".join(missing) == left_out
    assert [hand.bit_count() for hand in hands] == [each] * seats


def test_au_r1_cards_are_dealt_one_at_a_time_from_dealers_left() -> None:
    """With seat 1 dealing, seat 2 gets the first, fifth, ninth ... of the order."""
    key = bytes(32)
    order = Words(key).shuffled(STANDARD_PACK)
    layout = GAME.shuffle(GAME.begin(STANDARD, 4, None), Seat(1), Words(key))
    for place, seat in enumerate([2, 3, 0, 1]):
        assert set(cards_of(layout.hands[seat])) == set(order[place::4])


@pytest.mark.parametrize(("options", "chips"), [({}, 50), ({"chips": 12}, 12)])
def test_au_r2_all_begin_with_fifty_chips(options: TableOptions, chips: int) -> None:
    """Or as many as were agreed."""
    state = state_of(auction(options, seats=5))
    assert state.scores == (chips,) * 5
    assert state.pool == 0


@pytest.mark.parametrize("chips", [0, 1001, -5])
def test_au_r2_so_few_or_so_many_chips_are_not_agreed(chips: int) -> None:
    """The refusal points at the option."""
    with pytest.raises(InvalidTable) as refusal:
        auction({"chips": chips})
    assert refusal.value.facts["field"] == "options.chips"


def test_au_r3_nothing_is_passed() -> None:
    """The first decision of a deal is a bid, and a pass is no move of the game."""
    driver = auction()
    assert not any(isinstance(event, CardsPassed) for event in driver.events())
    assert state_of(driver).phase is Phase.BIDDING
    cards = cards_of(state_of(driver).hands[1])[:3]
    assert broken_rule(driver, 1, Pass(cards=cards)) == "AU-R4"


def test_au_r3_the_queen_of_spades_costs_nothing_of_her_own() -> None:
    """With spades named, whoever takes all of them pays 13, the queen one of them."""
    driver = auction(
        {"deals": 1}, arrangement=arranged((FOUR_SUITS[3], *FOUR_SUITS[:3]))
    )
    bids_one(driver, 0)
    driver.move(0, NameSuit(suit=Suit.SPADES))
    play_out(driver)
    paid = [event for event in driver.events() if isinstance(event, ChipsPaid)]
    assert paid == [ChipsPaid(ME, 1, "bid"), ChipsPaid(ME, 13, "cards")]


def test_cards_apart_are_refused() -> None:
    """No card is turned, and every one has its place in a hand."""
    chosen = arranged(FOUR_SUITS)
    [deal] = chosen.deals
    for wrong in (
        replace(deal, turned=Card("2C")),
        replace(deal, photograph=Card("2C")),
        replace(deal, kitty=(Card("2C"),)),
        replace(deal, hands=deal.hands[:3]),
    ):
        with pytest.raises(InvalidTable) as refusal:
            auction(arrangement=replace(chosen, deals=(wrong,)))
        assert refusal.value.facts["field"] == "arrangement.deals"


# The play.


def test_cm_4_suit_is_followed() -> None:
    """A discard of the costly suit is no exception."""
    state = position("2C AC 5H", table="9C", is_first=False)
    assert accepted(state) == "2C AC"
    assert refused(state, "5H") == "CM-4"


def test_cm_8_a_card_must_be_held() -> None:
    """Whatever it is."""
    assert refused(position("2C AC"), "5H") == "CM-8"


def test_cm_5_the_highest_of_the_suit_led_wins_and_leads() -> None:
    """The named suit is no trump (CM-2)."""
    driver = auction(arrangement=arranged(FOUR_SUITS))
    bids_one(driver, 0)
    driver.move(0, NameSuit(suit=Suit.SPADES))
    events = driver.play("2C AD AH AS")
    assert events[-1] == TrickTaken(1, ME)
    assert isinstance(events[0], CardPlayed)
    assert to_act(driver) == (0,)


def test_au_r8_any_card_may_be_led_and_any_discarded() -> None:
    """On the first trick already."""
    assert accepted(position("2C 3D 5H QS")) == "2C 3D 5H QS"
    assert accepted(position("3D 5H QS", table="9C")) == "3D 5H QS"


def test_au_r8_by_option_the_bidder_does_not_lead_the_named_suit() -> None:
    """To the first trick; later it may."""
    state = position("2C 3D 5H QS", options=STRICT)
    assert accepted(state) == "2C 3D QS"
    assert refused(state, "5H") == "AU-R8"
    later = position("2C 3D 5H QS", is_first=False, options=STRICT)
    assert accepted(later) == "2C 3D 5H QS"


def test_au_r8_by_option_the_named_suit_is_not_discarded() -> None:
    """On the first trick, by nobody; later it may be."""
    state = position("3D 5H QS", table="9C", bidder=1, options=STRICT)
    assert accepted(state) == "3D QS"
    assert refused(state, "5H") == "AU-R8"
    later = position("3D 5H QS", table="9C", is_first=False, options=STRICT)
    assert accepted(later) == "3D 5H QS"


def test_au_r8_binds_the_suit_that_was_named() -> None:
    """Hearts are free where diamonds cost."""
    state = position("2C 3D 5H QS", suit=Suit.DIAMONDS, options=STRICT)
    assert accepted(state) == "2C 5H QS"


def test_au_r8_says_what_may_not_be_done() -> None:
    """In words for a lead and for a discard, with the suit as a fact."""
    for state, text in [
        (
            position("2C 5H", options=STRICT),
            "No heart may be led to the first trick.",
        ),
        (
            position("3D 5H", table="9C", options=STRICT),
            "No heart may be discarded on the first trick.",
        ),
    ]:
        with pytest.raises(RuleViolation) as refusal:
            GAME.decide(state, ME, Play(card=Card("5H")), VERSION)
        assert refusal.value.text == text
        assert refusal.value.facts == {"suit": "H"}


@pytest.mark.parametrize("table", ["", "9C"])
def test_x_13_who_has_nothing_else_is_free(table: str) -> None:
    """A hand of the named suit only may lead it and discard it."""
    state = position("3H 5H", table=table, options=STRICT)
    assert accepted(state) == "3H 5H"


def test_x_13_where_nobody_bid_only_discards_are_bound() -> None:
    """The dealer's left may lead a heart, and who has hearts follows to it."""
    lead = position("2C 5H", bidder=None, options=STRICT)
    assert accepted(lead) == "2C 5H"
    follows = position("2C 5H", table="9H", bidder=None, options=STRICT)
    assert accepted(follows) == "5H"
    discard = position("3D 5H", table="9C", bidder=None, options=STRICT)
    assert accepted(discard) == "3D"


def test_au_r20_a_revoke_cannot_happen() -> None:
    """The card is refused, nothing is paid, and the seat is still to play."""
    clubs, diamonds, *others = FOUR_SUITS
    mixed = (clubs.replace("2C", "2D"), diamonds.replace("2D", "2C"), *others)
    driver = auction(arrangement=arranged(mixed))
    bids_one(driver, 0)
    driver.move(0, NameSuit(suit=Suit.HEARTS))
    driver.play("3C")
    assert broken_rule(driver, 1, Play(card=Card("3D"))) == "CM-4"
    assert state_of(driver).scores == (49, 50, 50, 50)
    assert to_act(driver) == (1,)


# From deal to deal.


def test_cm_6_the_deal_passes_to_the_left() -> None:
    """After a jack as after any deal."""
    driver = auction(arrangement=arranged(FOUR_SUITS, FOUR_SUITS, first_dealer=3))
    bids_one(driver, 0)
    driver.move(0, NameSuit(suit=Suit.HEARTS))
    play_out(driver)
    assert [it.dealer for it in driver.events() if isinstance(it, DealStarted)] == [
        3,
        0,
    ]


def after_a_jack(bidder: int | None) -> Driver:
    """The second deal, when in the first one seat took the whole suit."""
    driver = auction(arrangement=arranged(FOUR_SUITS, FOUR_SUITS))
    if bidder is None:
        all_decline(driver)
    else:
        bids_one(driver, bidder)
        driver.move(bidder, NameSuit(suit=Suit.HEARTS))
    play_out(driver)
    assert state_of(driver).jack
    return driver


def test_au_r13_after_a_jack_the_same_bidder_names_and_leads() -> None:
    """Without bidding or payment, any suit, and what is paid joins the pool."""
    driver = after_a_jack(3)
    state = state_of(driver)
    assert state.phase is Phase.NAMING
    assert (state.scores, state.pool) == ((50, 50, 50, 36), 14)
    assert to_act(driver) == (3,)
    assert len(GAME.legal(state, Seat(3))) == 4
    driver.move(3, NameSuit(suit=Suit.CLUBS))
    assert to_act(driver) == (3,)
    assert state_of(driver).pool == 14
    assert driver.play("2S 2C 2D 2H")[-1] == TrickTaken(1, Seat(3))
    play_out(driver)
    assert state_of(driver).pool == 27


def test_au_r13_the_bidder_names_until_the_pool_is_won() -> None:
    """A second jack leaves the right to name where it was."""
    hands = (FOUR_SUITS, FOUR_SUITS, FOUR_SUITS)
    driver = auction(arrangement=arranged(*hands))
    bids_one(driver, 2)
    for suit in (Suit.HEARTS, Suit.CLUBS):
        driver.move(2, NameSuit(suit=suit))
        play_out(driver)
    assert state_of(driver).phase is Phase.NAMING
    assert to_act(driver) == (2,)


def test_au_r15_after_a_jack_without_a_bid_all_bid_again() -> None:
    """The pool stays."""
    driver = after_a_jack(None)
    assert state_of(driver).phase is Phase.BIDDING
    assert state_of(driver).pool == 13
    assert to_act(driver) == (2,)


def test_au_r11_after_a_won_pool_all_bid_again() -> None:
    """The earlier bidder has no right left, though an odd chip is in the pool."""
    driver = auction(arrangement=arranged(TWO_TAKERS))
    for seat, move in [(1, Decline()), (2, Bid(chips=2)), (3, Decline())]:
        driver.move(seat, move)
    driver.move(0, Decline())
    driver.move(2, NameSuit(suit=Suit.HEARTS))
    driver.play("3H 2H 2C 2D 4H AH 3C 3D")
    play_out(driver)
    state = state_of(driver)
    assert (state.pool, state.jack) == (1, False)
    assert state.phase is Phase.BIDDING
    assert state.bidder is None


def test_x_15_scores_are_shown_after_the_bid_is_paid() -> None:
    """To everybody, as soon as the auction is over."""
    driver = auction()
    assert views.view(driver.table, None).scores == (50, 50, 50, 50)
    driver.move(1, Bid(chips=7))
    assert views.view(driver.table, None).scores == (50, 50, 50, 50)
    all_decline(driver)
    assert views.view(driver.table, None).scores == (50, 43, 50, 50)


# The catalogue.


def test_every_rule_has_its_sentence() -> None:
    """The catalogue has all rules of the game and its settlements, and the rulings."""
    wanted = [
        *(f"CM-{number}" for number in range(1, 10)),
        *(f"AU-R{number}" for number in range(1, 21)),
        *(f"SW-R{number}" for number in range(1, 7)),
        *("HW-R1", "HW-R2"),
        *(f"X-{number}" for number in (12, 13, 14, 15, 16, 17, 19, 21, 24, 27)),
    ]
    assert [rule for rule in wanted if not RULES.get(rule)] == []


def test_the_standard_game_is_the_auction() -> None:
    """The presets differ in the settlement only."""
    assert GAME.default_preset == "standard"
    assert PRESETS["standard"] == Options()
    assert {name: it.settlement for name, it in PRESETS.items()} == {
        "standard": "auction",
        "sweepstake": "sweepstake",
        "howell": "howell",
    }


@pytest.mark.parametrize(
    ("phase", "move", "awaited", "text"),
    [
        (
            Phase.BIDDING,
            Play(card=Card("2C")),
            "bid",
            "It is your turn to bid, or to decline.",
        ),
        (
            Phase.NAMING,
            Decline(),
            "name_suit",
            "Name the suit that costs chips in this deal.",
        ),
        (Phase.PLAYING, Decline(), "play", "It is your turn to play a card."),
    ],
)
def test_a_move_of_the_wrong_kind_is_told_what_is_awaited(
    phase: Phase, move: Move, awaited: str, text: str
) -> None:
    """In words, and by the move's type."""
    state = replace(position("2C"), phase=phase)
    with pytest.raises(RuleViolation) as refusal:
        GAME.decide(state, ME, move, VERSION)
    assert refusal.value.rule in RULES
    assert refusal.value.text == text
    assert refusal.value.facts == {"awaited": awaited}
