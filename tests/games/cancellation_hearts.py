"""Random tables of Cancellation Hearts, and what must hold of each of them."""

from collections import Counter
from random import Random
from typing import Final

from hypothesis import strategies as st

from domain.black_lady import points
from domain.cards import Card, cards_of, holding
from domain.events import (
    CardPlayed,
    DealScored,
    DealStarted,
    KittyDealt,
    KittyTaken,
    MoonShot,
    TrickCancelled,
    TrickTaken,
)
from domain.games.cancellation_hearts import PACK
from domain.ids import Seat
from domain.terms import Arrangement, Options
from tests.cancellation_positions import (
    cancellation_hearts,
    state_of,
    strong_deal,
    twin_deal,
)
from tests.driver import Driver, Law


@st.composite
def options(draw: st.DrawFn, seats: int) -> Options:
    """Any options of Cancellation Hearts that a table of so many seats may have.

    The target is low, so that matches are short and end in every way there is.
    """
    ways = ["left", "right", "hold", *(["across"] if seats % 2 == 0 else [])]
    flags = ("two_pairs_void", "lead_hearts_instead_of_qs", "tiebreak_deal")
    chosen: Options = {
        "target": draw(st.sampled_from([1, 13, 30])),
        "passing": draw(
            st.just("standard") | st.lists(st.sampled_from(ways), max_size=3)
        ),
        "moon": draw(st.sampled_from(["add", "subtract", "choice", "auto", "none"])),
        "moon_value": draw(st.sampled_from([26, 52])),
        "kitty": draw(st.sampled_from(["first_trick", "last_trick"])),
        "last_trick_cancelled": draw(st.sampled_from(["nobody", "leader"])),
    }
    return chosen | {flag: draw(st.booleans()) for flag in flags}


@st.composite
def arrangements(draw: st.DrawFn, seats: int) -> Arrangement:
    """Two arranged deals, in which seat 0 has all the high cards, or many cancel."""
    chance = Random(draw(st.integers(0, 2**32)))
    deals = [strong_deal(seats), twin_deal(seats, chance), twin_deal(seats, chance)]
    first = draw(st.integers(0, 1))
    return Arrangement(
        first_dealer=Seat(draw(st.sampled_from([seats - 1, 0]))),
        deals=tuple(deals[first:][:2]),
    )


@st.composite
def tables(draw: st.DrawFn) -> Driver:
    """A table of Cancellation Hearts at the start of its match.

    At some of them seat 0 plays for tricks, so that moons come up; at others equal
    cards come together, so that they cancel.
    """
    seats = draw(st.integers(6, 11))
    driver = cancellation_hearts(
        draw(options(seats)),
        seats=seats,
        seed=draw(st.integers(0, 2**32)),
        arrangement=draw(st.none() | arrangements(seats)),
    )
    driver.grasping = draw(st.sampled_from([None, Seat(0)]))
    driver.pairing = draw(st.booleans())
    return driver


def recorded() -> Driver:
    """A match of two deals: a moon without a pass; a pass and a cancelled trick."""
    driver = cancellation_hearts(
        {"target": 27, "passing": ["hold", "left"]},
        seed=11,
        arrangement=Arrangement(first_dealer=Seat(5), deals=(strong_deal(6),)),
    )
    driver.grasping = Seat(0)
    return driver.finish()


def cards_are_conserved(driver: Driver) -> None:
    """Hands, trick, captures, what is set aside and a waiting kitty are two packs."""
    for _ in driver.prefixes():
        state = state_of(driver)
        waiting = state.kitty if state.kitty_taker is None else 0
        lying = [*state.hands, *state.taken, state.aside, waiting]
        held = Counter(card for some in lying for card in cards_of(some))
        held.update(state.trick)
        assert held == Counter(PACK)


def points_are_conserved(driver: Driver) -> None:
    """52 in a deal without a moon, less what vanished; scores are sums of points."""
    driver.finish()
    total = [0] * len(driver.table.seats)
    trick: list[Card] = []
    waiting = kitty = 0
    moon = False
    for event in driver.events():
        match event:
            case DealStarted():
                waiting = kitty = 0
                moon = False
            case KittyDealt(cards=cards):
                kitty = points(holding(cards))
            case CardPlayed(card=card):
                trick.append(card)
            case TrickTaken():
                trick, waiting = [], 0
            case TrickCancelled():
                waiting += points(holding(trick))
                trick = []
            case KittyTaken():
                kitty = 0
            case MoonShot():
                moon = True
                assert waiting == kitty == 0
            case DealScored(points=dealt, scores=scores):
                total = [old + new for old, new in zip(total, dealt, strict=True)]
                assert scores == tuple(total)
                assert moon or sum(dealt) == 52 - waiting - kitty
            case _:
                pass


def copies_cannot_be_told_apart(driver: Driver) -> None:
    """Of two equal cards in a hand one play is listed, and every list is in order."""
    for table in driver.prefixes():
        for seat in map(Seat, range(len(table.seats))):
            listed = [str(move) for move in table.game.legal(table.play, seat)]
            assert len(listed) == len(set(listed))
    for event in driver.events():
        cards: tuple[Card, ...] | None = getattr(event, "cards", None)
        if cards:
            assert list(cards) == sorted(cards, key=lambda card: card.index)


LAWS: Final[list[Law]] = [
    cards_are_conserved,
    points_are_conserved,
    copies_cannot_be_told_apart,
]
