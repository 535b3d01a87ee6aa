"""What a deal of Auction Hearts costs, who wins the pool, and the end of a match."""

import pytest

from domain.cards import Suit
from domain.decisions import Phase
from domain.events import (
    ChipsPaid,
    DealScored,
    MatchEnded,
    PoolDivided,
    TrickTaken,
)
from domain.games.auction_hearts import GAME
from domain.games.auction_hearts.options import Options
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat
from tests.auction_positions import (
    FOUR_SUITS,
    HOWELL,
    ME,
    STANDARD,
    SWEEPSTAKE,
    auction,
    deal,
    match,
    play_out,
    points,
    state_of,
)
from tests.driver import arranged

JACK_STRICT = Options(jack_strict=True)
FEWEST = Options(fewest_wins=True)


def shares(
    *taken: int, options: Options = STANDARD, suit: Suit = Suit.HEARTS
) -> tuple[int, ...] | None:
    """How a first deal divides its pool; None where it is a jack."""
    events, _ = deal(match(options, seats=len(taken)), *taken, suit=suit)
    divided = [event for event in events if isinstance(event, PoolDivided)]
    return divided[0].shares if divided else None


def after_jack(options: Options, *taken: int) -> AuctionState:
    """The second deal, after a first that nobody won."""
    _, jack = deal(match(options), 3, 3, 3, 4)
    return deal(jack, *taken)[1]


# What is paid and won.


def test_au_r9_a_chip_for_each_card_of_the_named_suit() -> None:
    """In the order of the seats, and nothing for cards of other suits."""
    events, _ = deal(match(), 3, 1, 4, 5, suit=Suit.CLUBS)
    assert events[1:] == [
        TrickTaken(1, ME),
        *(
            ChipsPaid(Seat(seat), chips, "cards")
            for seat, chips in enumerate([3, 1, 4, 5])
        ),
        DealScored((-3, -1, -4, -5), (47, 49, 46, 45)),
    ]


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ((0, 6, 7), (13, 0, 0)),
        ((1, 0, 8, 4), (0, 13, 0, 0)),
        ((1, 2, 3, 4, 3, 0), (0, 0, 0, 0, 0, 13)),
    ],
    ids=str,
)
def test_au_r10_who_alone_is_clear_wins_the_pool(
    taken: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """With any number of players."""
    assert shares(*taken) == expected


@pytest.mark.parametrize(
    ("taken", "expected"),
    [((0, 0, 1, 12), (6, 6, 0, 0)), ((2, 0, 4, 0, 7), (0, 6, 0, 6, 0))],
    ids=str,
)
def test_au_r11_two_who_are_clear_halve_the_pool(
    taken: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """The odd chip stays, and is no jack."""
    assert shares(*taken) == expected
    _, state = deal(match(seats=len(taken)), *taken)
    assert (state.pool, state.jack) == (1, False)


@pytest.mark.parametrize(
    "taken",
    [
        pytest.param((3, 3, 3, 4), id="nobody is clear"),
        pytest.param((0, 0, 0, 6, 7), id="three are clear"),
        pytest.param((0, 0, 0, 13), id="one of four took all"),
        pytest.param((0, 13, 0), id="one of three took all"),
    ],
)
def test_au_r12_in_every_other_case_nobody_wins(taken: tuple[int, ...]) -> None:
    """The pool stays, and is a jack."""
    assert shares(*taken) is None
    _, state = deal(match(seats=len(taken)), *taken)
    assert (state.pool, state.jack) == (13, True)


def test_au_r14_a_jack_is_won_like_any_pool() -> None:
    """By one who is clear, or by two."""
    one = after_jack(STANDARD, 0, 5, 5, 3)
    assert (one.scores, one.pool, one.jack) == ((73, 42, 42, 43), 0, False)
    two = after_jack(STANDARD, 0, 0, 6, 7)
    assert (two.scores, two.pool, two.jack) == ((60, 60, 41, 39), 0, False)


def test_au_r14_by_option_two_do_not_win_a_jack() -> None:
    """One does, and two win a pool that is none."""
    assert after_jack(JACK_STRICT, 0, 5, 5, 3).pool == 0
    two = after_jack(JACK_STRICT, 0, 0, 6, 7)
    assert (two.pool, two.jack) == (26, True)
    assert shares(0, 0, 6, 7, options=JACK_STRICT) == (6, 6, 0, 0)


@pytest.mark.parametrize(
    ("taken", "suit", "whole"),
    [
        ((0, 0, 12, 0, 0), Suit.CLUBS, 12),
        ((0, 11, 0, 0, 0, 0), Suit.CLUBS, 11),
        ((0, 0, 0, 0, 0, 0, 12), Suit.SPADES, 12),
    ],
)
def test_au_r16_the_whole_suit_is_what_the_pack_has_of_it(
    taken: tuple[int, ...], suit: Suit, whole: int
) -> None:
    """Who takes all of it wins nobody the pool, and nothing else is owed."""
    events, state = deal(match(seats=len(taken)), *taken, suit=suit)
    assert sum(points(events)) == -whole
    assert (state.pool, state.jack) == (whole, True)


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ((1, 2, 4, 6), (13, 0, 0, 0)),
        ((5, 0, 4, 4), (0, 13, 0, 0)),
        ((1, 1, 5, 6), None),
        ((0, 0, 6, 7), None),
        ((0, 0, 0, 13), None),
    ],
    ids=str,
)
def test_x_14_by_option_the_fewest_cards_win(
    taken: tuple[int, ...], expected: tuple[int, ...] | None
) -> None:
    """Equal players for that make a jack, those who are clear among them."""
    assert shares(*taken, options=FEWEST) == expected


def test_x_14_a_strict_jack_is_not_won_by_fewest() -> None:
    """Where both options are on, only who alone is clear wins a jack."""
    both = Options(fewest_wins=True, jack_strict=True)
    assert after_jack(both, 1, 2, 4, 6).jack
    assert not after_jack(both, 0, 2, 5, 6).jack
    assert not after_jack(FEWEST, 1, 2, 4, 6).jack
    assert shares(1, 2, 4, 6, options=both) == (13, 0, 0, 0)


def test_au_r19_the_chips_are_always_as_many() -> None:
    """Those of the players and the pool."""
    state = match()
    for taken in [(4, 0, 8, 1), (1, 2, 4, 6), (0, 0, 7, 6), (0, 0, 0, 13)]:
        _, state = deal(state, *taken, bidder=1, bid=7)
        assert sum(state.scores) + state.pool == 200


def test_x_27_points_are_chips_won_less_paid() -> None:
    """The bid among what was paid."""
    events, _ = deal(match(), 4, 8, 0, 1, bidder=1, bid=5)
    assert points(events) == (-4, -13, 18, -1)


# Sweepstake and Howell.


def test_sw_r1_hearts_cost_a_chip_each() -> None:
    """Into the pool."""
    events, state = deal(match(SWEEPSTAKE), 1, 2, 4, 6)
    assert points(events) == (-1, -2, -4, -6)
    assert state.pool == 13


@pytest.mark.parametrize(
    ("taken", "expected"),
    [((2, 0, 5, 6), (0, 13, 0, 0)), ((0, 0, 9, 4), (6, 6, 0, 0))],
    ids=str,
)
def test_sw_r2_one_or_two_who_are_clear_win(
    taken: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """The first pool, or one after it was won."""
    assert shares(*taken, options=SWEEPSTAKE) == expected


@pytest.mark.parametrize(
    "taken", [(1, 2, 4, 6), (0, 0, 13, 0), (0, 0, 0, 6, 7)], ids=str
)
def test_sw_r3_in_other_cases_the_pool_is_a_jack(taken: tuple[int, ...]) -> None:
    """None clear, one player with all, three clear."""
    assert shares(*taken, options=SWEEPSTAKE) is None


def test_sw_r4_a_jack_is_won_by_one_who_is_clear_only() -> None:
    """Whatever the option says, and every deal adds thirteen until then."""
    for options in (SWEEPSTAKE, Options(settlement="sweepstake", fewest_wins=True)):
        two = after_jack(options, 0, 0, 6, 7)
        assert (two.pool, two.jack) == (26, True)
        one = after_jack(options, 0, 4, 3, 6)
        assert (one.pool, one.jack) == (0, False)


def test_sw_r5_an_odd_counter_is_no_jack() -> None:
    """Two may halve the pool that it waits in."""
    _, odd = deal(match(SWEEPSTAKE), 0, 0, 6, 7)
    assert (odd.pool, odd.jack) == (1, False)
    _, state = deal(odd, 0, 0, 6, 7)
    assert (state.scores, state.pool) == ((63, 63, 38, 36), 0)


def test_sw_r6_of_three_players_two_are_never_winners() -> None:
    """For the third has all hearts."""
    assert shares(0, 0, 13, options=SWEEPSTAKE) is None
    assert shares(0, 1, 12, options=SWEEPSTAKE) == (13, 0, 0)


def test_hw_r1_each_heart_costs_a_chip_for_every_other_player() -> None:
    """Then all draw a chip for each heart that they did not take."""
    events, state = deal(match(HOWELL), 2, 0, 6, 5)
    assert events[2:] == [
        ChipsPaid(Seat(0), 6, "cards"),
        ChipsPaid(Seat(2), 18, "cards"),
        ChipsPaid(Seat(3), 15, "cards"),
        PoolDivided((11, 13, 7, 8), 0),
        DealScored((5, 13, -11, -7), (55, 63, 39, 43)),
    ]
    assert state.pool == 0


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_hw_r2_there_are_no_jacks(seats: int) -> None:
    """One player with all hearts pays all others; the nets are as the formula has."""
    taken = (13, *[0] * (seats - 1))
    options = Options(settlement="howell", fewest_wins=True, jack_strict=True)
    events, state = deal(match(options, seats=seats), *taken)
    assert points(events) == tuple(13 - seats * count for count in taken)
    assert (state.pool, state.jack) == (0, False)


# The end of the match.


@pytest.mark.parametrize(
    ("chips", "over"), [(13, True), (12, True), (14, False)], ids=str
)
def test_au_r17_the_match_ends_when_somebody_is_out_of_chips(
    chips: int, *, over: bool
) -> None:
    """At nought or below it, for all is paid in full."""
    _, state = deal(match(chips=(50, 50, 50, chips)), 0, 0, 0, 13)
    assert (GAME.result(state) is not None) == over


def test_au_r17_after_the_agreed_number_of_deals() -> None:
    """Or earlier, when somebody is out of chips."""
    state = match(Options(deals=2))
    for over in (False, True):
        _, state = deal(state, 1, 2, 4, 6)
        assert (GAME.result(state) is not None) == over
    _, early = deal(match(Options(deals=2), chips=(9, 9, 9, 9)), 0, 0, 4, 9)
    assert GAME.result(early) is not None


def test_au_r17_most_chips_win_and_equals_jointly() -> None:
    """Not the fewest."""
    _, state = deal(match(Options(deals=1)), 0, 0, 6, 7)
    result = GAME.result(state)
    assert result is not None
    assert (result.winners, result.settlement) == ((0, 1), None)
    _, state = deal(match(Options(deals=1)), 5, 5, 3, 0)
    result = GAME.result(state)
    assert result is not None
    assert result.winners == (3,)


def test_x_12_the_pool_is_divided_before_anybody_is_found_out_of_chips() -> None:
    """Who has paid the last chips, and wins the pool, plays on."""
    _, state = deal(match(chips=(50, 5, 50, 50)), 4, 0, 8, 1, bidder=1, bid=5)
    assert state.scores == (46, 18, 42, 49)
    assert GAME.result(state) is None


def test_au_r18_the_pool_is_shared_at_the_end() -> None:
    """Equally, after the jack is found; what cannot be shared stays apart."""
    events, state = deal(match(chips=(50, 50, 50, 13)), 0, 0, 0, 13, bidder=0, bid=2)
    assert events[2:] == [
        ChipsPaid(Seat(3), 13, "cards"),
        PoolDivided((3, 3, 3, 3), 3),
        DealScored((1, 3, 3, -10), (51, 53, 53, 3)),
    ]
    assert state.pool == 3
    result = GAME.result(state)
    assert result is not None
    assert result.winners == (1, 2)


def test_au_r18_an_odd_chip_is_left_in_the_pool() -> None:
    """Too few for all are nobody's; and of an empty pool nothing is said."""
    events, state = deal(match(Options(deals=1)), 0, 0, 6, 7)
    assert events[-3:-1] == [
        PoolDivided((6, 6, 0, 0), 1),
        PoolDivided((0, 0, 0, 0), 1),
    ]
    assert state.pool == 1
    events, state = deal(match(Options(deals=1)), 0, 1, 6, 6)
    assert [it for it in events if isinstance(it, PoolDivided)] == [
        PoolDivided((13, 0, 0, 0), 0)
    ]


def test_x_12_the_final_scores_have_the_shares_in_them() -> None:
    """Those of the deal, and those of the match."""
    driver = auction(
        {"settlement": "sweepstake", "deals": 1}, arrangement=arranged(FOUR_SUITS)
    )
    last = play_out(driver)
    assert DealScored((3, -10, 3, 3), (53, 40, 53, 53)) in last
    assert last[-1] == MatchEnded((Seat(0), Seat(2), Seat(3)), (53, 40, 53, 53), None)
    assert state_of(driver).phase is Phase.DONE


def test_au_r9_nothing_is_paid_before_the_last_card() -> None:
    """Though cards of the suit are taken all the while."""
    driver = auction(
        {"settlement": "sweepstake"}, arrangement=arranged(FOUR_SUITS, first_dealer=1)
    )
    # Seat 2 leads its hearts, the whole suit, one by one.
    for _ in range(12 * 4):
        driver.step()
    assert state_of(driver).suit_taken() == (0, 0, 12, 0)
    for _ in range(3):
        driver.step()
    assert state_of(driver).scores == (50, 50, 50, 50)
    assert ChipsPaid(Seat(2), 13, "cards") in driver.step()
