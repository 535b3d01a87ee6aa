"""What the bots play at Auction Hearts; seat 0 is the bot."""

from random import Random

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.bots import BOTS
from domain.cards import Card, Suit, holding
from domain.commands import Bid, Decline, Move, NameSuit, Play
from domain.decisions import Phase
from domain.games.auction_hearts.options import Options
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat, Version
from domain.people import BotName
from domain.tricks import Trick
from domain.views import sight
from tests.auction_positions import HOWELL, ME, STANDARD, auction, position
from tests.driver import cards

LIGHT = "2C 3C 4C 5C 7C 2D 4D 5D 8D 3H 6H 2S 5S"
"""Low cards, clubs most of all."""

HEAVY = "9C QC AC TD KD AD 9H JH KH AH TS QS KS"
"""High cards of every suit."""


def moves(state: AuctionState, name: BotName = "steady") -> list[Move]:
    """What the bot does with several seeds."""
    table = auction(to_builtins(state.options), seats=state.seats).table
    assert table.started is not None
    position = replace(
        table,
        play=state,
        started=replace(table.started, dealer=state.dealer),
        decisions=(Version(1), *table.decisions[1:]),
    )
    seeing = sight(position, ME)
    return [BOTS[name](seeing, Random(seed)) for seed in range(12)]


def plays(state: AuctionState) -> set[str]:
    """The cards that steady may play, over several seeds."""
    return {str(move.card) for move in moves(state) if isinstance(move, Play)}


def bidding(
    hand: str, *, highest: int = 0, pool: int = 0, chips: int = 50, dealer: int = 3
) -> AuctionState:
    """Seat 0 is to bid with this hand; its right neighbour bid highest."""
    return replace(
        position(hand),
        phase=Phase.BIDDING,
        suit=None,
        bidder=Seat(3) if highest else None,
        bids=(None, None, None, highest),
        scores=(chips, 50, 50, 50),
        pool=pool,
        dealer=Seat(dealer),
    )


def bid(state: AuctionState) -> int:
    """How many chips steady offers, always the same."""
    [chosen] = set(moves(state))
    return chosen.chips if isinstance(chosen, Bid) else 0


def having(state: AuctionState, *piles: str) -> AuctionState:
    """The position after the seats have taken these cards, all of them seen."""
    tricks = [
        Trick(seat + 1, Seat(seat), cards(pile), Seat(seat))
        for seat, pile in enumerate(piles)
        if pile
    ]
    taken = tuple(holding(cards(pile)) for pile in piles)
    return replace(state, tricks=tuple(tricks), taken=taken)


# Bidding and naming


def test_steady_bids_with_a_hand_that_has_a_safe_suit() -> None:
    """And declines with one that has none."""
    assert bid(bidding(LIGHT)) > 0
    assert bid(bidding(HEAVY)) == 0


def test_steady_bids_more_where_there_is_more_to_win() -> None:
    """A pool that waits makes the naming worth more."""
    assert bid(bidding(LIGHT, pool=40)) > bid(bidding(LIGHT)) + 3


def test_steady_leaves_a_bid_that_is_too_high() -> None:
    """Naming is not worth any price, and never the last chip."""
    assert bid(bidding(LIGHT, highest=30)) == 0
    assert bid(bidding(LIGHT, highest=2, chips=3, pool=40)) == 0


def test_the_dealer_bids_no_more_than_it_takes() -> None:
    """For nobody bids after."""
    assert bid(bidding(LIGHT, highest=1, pool=40, dealer=0)) == 2
    assert bid(bidding(LIGHT, highest=1, pool=40)) > 2


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        (LIGHT, Suit.CLUBS),
        ("9C QC AC TD KD AD 2H 3H 4H 6H TS QS KS", Suit.HEARTS),
        ("9C JC QC AC 9D JD QD KD 9H TH QH KH AH", Suit.SPADES),
    ],
)
def test_steady_names_the_suit_it_would_least_mind_taking(
    hand: str, suit: Suit
) -> None:
    """One of which it has low cards only, or none."""
    state = replace(position(hand), phase=Phase.NAMING, suit=None)
    assert set(moves(state)) == {NameSuit(suit=suit)}


# Play


def test_steady_ducks_a_trick_that_costs() -> None:
    """Under the king the jack goes, and not the ace."""
    state = position("6C 9C JC AC 4D 7D 6S", table="7C 2H KC", is_first=False)
    assert plays(state) == {"JC"}


def test_last_to_a_trick_that_costs_nothing_steady_plays_high() -> None:
    """The ace is best got rid of there."""
    state = position("6C 9C JC AC 4D 7D 6S", table="7C TC KC", is_first=False)
    assert plays(state) == {"AC"}


def test_forced_to_take_the_suit_steady_plays_high() -> None:
    """If the trick must be taken, it is taken with the highest card."""
    state = position("JC AC 4D 7D 3S", table="7C 2H TC", is_first=False)
    assert plays(state) == {"AC"}


def test_steady_throws_its_dangerous_hearts_on_the_tricks_of_others() -> None:
    """The highest first, where hearts cost."""
    state = position("4D 3H AH 7S", table="7C 9C KC", is_first=False)
    assert plays(state) == {"AH"}


def test_other_suits_are_no_danger_where_they_cost_nothing() -> None:
    """With spades named the ace of hearts is not in the way."""
    state = position("2H AH QS KS", table="7C 9C KC", suit=Suit.SPADES, is_first=False)
    assert plays(state) <= {"KS", "QS"}


MINE, THEIRS, OTHERS = "4H 5H JH", "6H 7H QH", "8H 9H KH"


def test_not_clear_itself_steady_sees_that_nobody_is_clear_alone() -> None:
    """A heart goes to the only one who is clear, rather than a card that is high."""
    discard = position("3H AS KS", table="7C 9C KC", is_first=False)
    assert plays(having(discard, MINE, THEIRS, OTHERS, "")) == {"3H"}
    assert plays(having(discard, MINE, "", OTHERS, THEIRS)) <= {"AS", "KS"}


def test_not_clear_itself_steady_leaves_a_heart_to_the_only_one_who_is() -> None:
    """It does not take the trick from them, though it would be rid of its ace."""
    follow = position("5C AC", table="7C 2H KC", is_first=False)
    assert plays(having(follow, MINE, THEIRS, OTHERS, "")) == {"5C"}


def test_howells_hearts_are_ducked_though_there_is_no_pool() -> None:
    """Each costs a chip for every player."""
    state = position(
        "6C 9C JC AC", table="7C 2H KC", is_first=False, options=HOWELL, bidder=None
    )
    assert plays(state) == {"JC"}


def test_the_fewest_are_worth_taking_where_they_win() -> None:
    """A trick with one heart is better than one with three."""
    fewest = Options(fewest_wins=True)
    for options in (STANDARD, fewest):
        state = position("6C AC 7D", table="7C 2H KC", is_first=False, options=options)
        assert plays(having(state, "4H", "6H", "7H", "8H")) == {"6C"}


def test_random_bids_and_declines() -> None:
    """It does either, and bids anything that it can pay."""
    chosen = moves(bidding(LIGHT, chips=3), "random")
    assert Decline() in chosen
    assert {move.chips for move in chosen if isinstance(move, Bid)} <= {1, 2, 3}
    assert any(isinstance(move, Bid) for move in chosen)


def test_random_plays_every_legal_card() -> None:
    """None is left out."""
    state = position("6D 9D KD", table="4D", is_first=False)
    chosen = {move.card for move in moves(state, "random") if isinstance(move, Play)}
    assert chosen == {Card("6D"), Card("9D"), Card("KD")}
