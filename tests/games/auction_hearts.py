"""Random tables of Auction Hearts, and what must hold of each of them."""

from typing import Final

from hypothesis import strategies as st

from domain.cards import cards_of
from domain.events import ChipsPaid, DealScored, DealStarted, PoolDivided
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat
from domain.packs import PACK
from domain.table import Table
from domain.terms import ArrangedDeal, Arrangement, Options
from tests.driver import Driver, Law, of_bots


@st.composite
def options(draw: st.DrawFn, seats: int) -> Options:  # noqa: ARG001 - any number
    """Any options of Auction Hearts, with which a match is over in a few deals."""
    flags = ("strict_first_trick", "jack_strict", "fewest_wins")
    chosen: Options = {
        "chips": draw(st.sampled_from([1, 10, 25])),
        "settlement": draw(st.sampled_from(["auction", "sweepstake", "howell"])),
        "deals": draw(st.sampled_from([0, 1, 2])),
    }
    return chosen | {flag: draw(st.booleans()) for flag in flags}


@st.composite
def arrangements(draw: st.DrawFn, seats: int) -> Arrangement:
    """A deal that was chosen, and chips that differ, of which there may be none."""
    pack = draw(st.permutations(cards_of(PACK[seats])))
    deal = ArrangedDeal(hands=tuple(tuple(pack[seat::seats]) for seat in range(seats)))
    chips = st.integers(-5, 40)
    return Arrangement(
        first_dealer=Seat(draw(st.integers(0, seats - 1))),
        scores=tuple(draw(chips) for _ in range(seats)),
        deals=(deal,),
    )


@st.composite
def tables(draw: st.DrawFn) -> Driver:
    """A table of Auction Hearts at the start of its match, any options and seats."""
    seats = draw(st.integers(3, 7))
    return of_bots(
        "auction-hearts",
        draw(options(seats)),
        seats=seats,
        seed=draw(st.integers(0, 2**32)),
        arrangement=draw(st.none() | arrangements(seats)),
    )


def recorded() -> Driver:
    """A jack, its heir, a pool that two halve, then a deal for which nobody bids."""
    return of_bots("auction-hearts", {"deals": 3}, seed=18).finish()


def state_of(table: Table) -> AuctionState:
    """The match as it stands."""
    assert isinstance(table.play, AuctionState)
    return table.play


def cards_are_conserved(driver: Driver) -> None:
    """In every deal the hands, the trick and the captures are the pack."""
    for table in driver.prefixes():
        play = state_of(table)
        held = [*play.hands, *play.taken, *(card.bit for card in play.trick)]
        assert sum(held) == PACK[play.seats]


def chips_are_conserved(driver: Driver) -> None:
    """At every moment the chips of the players and the pool are those of the start."""
    chips = sum(state_of(driver.tables[0]).scores)
    for table in driver.prefixes():
        play = state_of(table)
        assert sum(play.scores) + play.pool == chips
        assert play.pool >= 0


def chips_are_accounted_for(driver: Driver) -> None:
    """Scores change by payments and shares only, and points are what a deal changed."""
    total = list(state_of(driver.tables[0]).scores)
    pool, before = 0, tuple(total)
    driver.finish()
    for event in driver.events():
        if isinstance(event, DealStarted):
            before = tuple(total)
        elif isinstance(event, ChipsPaid):
            total[event.seat] -= event.chips
            pool += event.chips
        elif isinstance(event, PoolDivided):
            total = [old + won for old, won in zip(total, event.shares, strict=True)]
            pool -= sum(event.shares)
            assert pool == event.left
        elif isinstance(event, DealScored):
            assert event.scores == tuple(total)
            assert event.points == tuple(map(int.__sub__, total, before))


def the_whole_suit_is_paid_for(driver: Driver) -> None:
    """In every deal all cards of the suit that the pack has are taken and paid for."""
    for number, table in enumerate(driver.prefixes()):
        paid = sum(
            event.chips
            for event in driver.appends[number]
            if isinstance(event, ChipsPaid) and event.reason == "cards"
        )
        if paid:
            play = state_of(driver.tables[number - 1])
            assert play.suit is not None
            price = play.seats - 1 if play.options.settlement == "howell" else 1
            assert paid == price * (PACK[play.seats] & play.suit.all).bit_count()
        if table.status == "finished":
            assert paid


def most_chips_win(driver: Driver) -> None:
    """The winners are all who have most, and too few are left to be shared."""
    table = driver.finish().table
    if table.result is None:
        assert table.status == "abandoned"
        return
    scores, seats = state_of(table).scores, len(table.seats)
    best = {seat for seat in range(seats) if scores[seat] == max(scores)}
    assert set(table.result.winners) == best
    assert state_of(table).pool < seats


LAWS: Final[list[Law]] = [
    cards_are_conserved,
    chips_are_conserved,
    chips_are_accounted_for,
    the_whole_suit_is_paid_for,
    most_chips_win,
]
