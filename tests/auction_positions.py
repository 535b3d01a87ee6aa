"""Tables, positions and ends of deals of Auction Hearts, and what they allow."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from domain import course
from domain.cards import Card, Holding, Suit, cards_of, holding
from domain.commands import Act, Bid, Decline, Move, Play
from domain.decisions import Phase
from domain.errors import RuleViolation
from domain.events import DealScored, Event
from domain.games.auction_hearts import GAME
from domain.games.auction_hearts.options import Options
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat, Version
from domain.packs import PACK
from domain.terms import Arrangement
from domain.terms import Options as TableOptions
from domain.tricks import Trick
from tests.driver import Driver, arranged, cards, of_bots

ME: Final = Seat(0)
VERSION: Final = Version(20)
STANDARD: Final = Options()
SWEEPSTAKE: Final = Options(settlement="sweepstake")
HOWELL: Final = Options(settlement="howell")

FOUR_SUITS: Final = (
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
)
"""Each seat holds a suit of its own, so that who leads first takes every trick."""


def auction(
    options: TableOptions | None = None,
    *,
    seats: int = 4,
    seed: int = 0,
    arrangement: Arrangement | None = None,
) -> Driver:
    """A table of Auction Hearts at the start of its match; seat 0 deals first."""
    arrangement = arrangement or arranged()
    return of_bots(
        "auction-hearts", options, seats=seats, seed=seed, arrangement=arrangement
    )


def state_of(driver: Driver) -> AuctionState:
    """The match as it stands."""
    state = driver.play_state()
    assert isinstance(state, AuctionState)
    return state


def to_act(driver: Driver) -> tuple[Seat, ...]:
    """Whose decision is open."""
    return GAME.to_act(state_of(driver))


def broken_rule(driver: Driver, seat: int, move: Move) -> str | None:
    """The rule by which a seat may not make a move now; else it makes it."""
    try:
        driver.do(Act(Seat(seat), move))
    except RuleViolation as violation:
        return violation.rule
    return None


def play_out(driver: Driver) -> list[Event]:
    """Any cards are played to the end of the deal; what came of the last one."""
    deal = state_of(driver).deal
    events: list[Event] = []
    while state_of(driver).phase is Phase.PLAYING and state_of(driver).deal == deal:
        events = driver.step()
    return events


def position(  # noqa: PLR0913 - what a position is made of
    hand: str,
    *,
    table: str = "",
    suit: Suit = Suit.HEARTS,
    bidder: int | None = 0,
    is_first: bool = True,
    options: Options = STANDARD,
) -> AuctionState:
    """Seat 0 with this hand is to play to these cards, in the first trick or later."""
    trick = cards(table)
    earlier = Trick(1, ME, (), ME)
    return AuctionState(
        options=options,
        seats=4,
        scores=(50,) * 4,
        before=(50,) * 4,
        deal=1,
        phase=Phase.PLAYING,
        hands=(holding(cards(hand)), 0, 0, 0),
        leader=Seat(-len(trick) % 4),
        turn=ME,
        trick=trick,
        tricks=() if is_first else (earlier,),
        taken=(0,) * 4,
        bids=(0,) * 4,
        bidder=None if bidder is None else Seat(bidder),
        suit=suit,
    )


def accepted(state: AuctionState) -> str:
    """The cards that seat 0 may play."""
    moves = GAME.legal(state, ME)
    return " ".join(str(move.card) for move in moves if isinstance(move, Play))


def refused(state: AuctionState, card: str) -> str | None:
    """The rule by which seat 0 may not play a card; None where it may."""
    try:
        GAME.decide(state, ME, Play(card=Card(card)), VERSION)
    except RuleViolation as violation:
        return violation.rule
    return None


def match(
    options: Options = STANDARD, *, seats: int = 4, chips: Sequence[int] | None = None
) -> AuctionState:
    """A match before its first deal."""
    return GAME.begin(options, seats, tuple(chips) if chips else None)


def deal(
    state: AuctionState,
    *taken: int,
    bidder: int | None = None,
    bid: int = 0,
    suit: Suit = Suit.HEARTS,
) -> tuple[list[Event], AuctionState]:
    """A further deal, in which the seats take so many cards of the suit.

    What the last card brings is answered, and the state after it.
    """
    seats, pack = state.seats, PACK[state.seats]
    scores = list(state.scores)
    if bidder is not None:
        scores[bidder] -= bid
    # The last trick has nothing of the suit, and goes to seat 0.
    *low, high = cards_of(pack & _other(suit).all)[:seats]
    last = replace(
        state,
        deal=state.deal + 1,
        phase=Phase.PLAYING,
        before=state.scores,
        scores=tuple(scores),
        pool=state.pool + bid,
        bidder=None if bidder is None else Seat(bidder),
        suit=suit,
        hands=(high.bit, *(0 for _ in low)),
        trick=tuple(low),
        tricks=(),
        leader=Seat(1),
        turn=ME,
        taken=_shared(pack & suit.all, taken),
    )
    events = GAME.decide(last, ME, Play(card=high), VERSION)
    return events, course.after(last, GAME.steps, events, VERSION)


def _other(suit: Suit) -> Suit:
    return Suit.CLUBS if suit is Suit.SPADES else Suit.SPADES


def _shared(whole: Holding, taken: Sequence[int]) -> tuple[Holding, ...]:
    """The cards of a suit by who took them."""
    left = list(cards_of(whole))
    piles = tuple(holding(left.pop() for _ in range(count)) for count in taken)
    assert not left, "all cards of the suit are taken"
    return piles


def points(events: Sequence[Event]) -> tuple[int, ...]:
    """What a deal brought each seat."""
    [scored] = [event for event in events if isinstance(event, DealScored)]
    return scored.points


def all_decline(driver: Driver) -> None:
    """Nobody bids."""
    while state_of(driver).phase is Phase.BIDDING:
        [seat] = to_act(driver)
        driver.move(seat, Decline())


def bids_one(driver: Driver, bidder: int) -> None:
    """Only this seat bids, a single chip."""
    while state_of(driver).phase is Phase.BIDDING:
        [seat] = to_act(driver)
        driver.move(seat, Bid(chips=1) if seat == bidder else Decline())
