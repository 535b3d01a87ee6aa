"""Random tables of Hearts, and what must hold of each beside what does of any game."""

from typing import Final

from hypothesis import strategies as st

from domain.cards import cards_of
from domain.events import DealScored, DealStarted, MoonShot
from domain.ids import Seat
from domain.packs import PACK
from domain.terms import ArrangedDeal, Arrangement, Options
from tests.driver import Driver, Law, arranged, hearts
from tests.hearts_positions import strong_hands
from tests.independent.record_check import check


@st.composite
def options(draw: st.DrawFn, seats: int) -> Options:
    """Any options of Hearts that a table of so many seats may have.

    The target is low, so that matches are short and end in every way there is.
    """
    ways = ["left", "right", "hold", *(["across"] if seats % 2 == 0 else [])]
    flags = (
        "queen_breaks_hearts",
        "break_required",
        "lead_hearts_instead_of_qs",
        "points_on_first_trick",
        "jack_floor",
        "slam_needs_bonus",
        "shoot_sun",
        "exact_target",
        "tiebreak_deal",
    )
    chosen: Options = {
        "target": draw(st.sampled_from([1, 20, 26, 40, 60])),
        "passing": draw(
            st.just("standard") | st.lists(st.sampled_from(ways), max_size=3)
        ),
        "moon": draw(st.sampled_from(["add", "subtract", "choice", "auto", "none"])),
        "opening": draw(st.sampled_from(["lowest_club", "any_club", "left_of_dealer"])),
        "jack_of_diamonds": draw(st.sampled_from([0, -10])),
        "no_trick_bonus": draw(st.sampled_from([0, -5])),
    }
    return chosen | {flag: draw(st.booleans()) for flag in flags}


@st.composite
def arrangements(draw: st.DrawFn, seats: int) -> Arrangement:
    """One or two arranged deals, in which seat 0 may hold all the high cards."""
    dealer = draw(st.integers(0, seats - 1))
    if draw(st.booleans()):
        return arranged(strong_hands(seats), strong_hands(seats), first_dealer=dealer)
    pack = draw(st.permutations(cards_of(PACK[seats])))
    deal = ArrangedDeal(hands=tuple(tuple(pack[seat::seats]) for seat in range(seats)))
    return Arrangement(first_dealer=Seat(dealer), scores=None, deals=(deal,))


@st.composite
def tables(draw: st.DrawFn) -> Driver:
    """A table of Hearts at the start of its match, with any options and seats.

    At some of them seat 0 plays for tricks, so that moons and suns come up.
    """
    seats = draw(st.integers(3, 7))
    driver = hearts(
        draw(options(seats)),
        seats=seats,
        seed=draw(st.integers(0, 2**32)),
        arrangement=draw(st.none() | arrangements(seats)),
    )
    driver.grasping = draw(st.sampled_from([None, Seat(0)]))
    return driver


def recorded() -> Driver:
    """A match with a moon in its first deal, that goes on for another or two."""
    driver = hearts(
        {"target": 27, "moon": "choice"},
        seed=1,
        arrangement=arranged(strong_hands(4)),
    )
    driver.grasping = Seat(0)
    return driver.finish()


def cards_are_conserved(driver: Driver) -> None:
    """In every deal the hands, the trick and the captures are the pack."""
    for table in driver.prefixes():
        play = table.play
        assert play is not None
        held = [*play.hands, *play.taken, *(card.bit for card in play.trick)]
        assert sum(held) == PACK[play.seats]


def points_are_conserved(driver: Driver) -> None:
    """26 in a deal with neither moon, jack nor bonus; scores are sums of points."""
    driver.finish()
    options = driver.table.opened.options
    total = [0] * len(driver.table.seats)
    plain = not options["jack_of_diamonds"] and not options["no_trick_bonus"]
    moon = False
    for event in driver.events():
        if isinstance(event, DealStarted):
            moon = False
        elif isinstance(event, MoonShot):
            moon = True
        elif isinstance(event, DealScored):
            total = [old + new for old, new in zip(total, event.points, strict=True)]
            assert event.scores == tuple(total)
            if plain and not moon:
                assert sum(event.points) == 26


def records_stand_up_to_the_independent_checker(driver: Driver) -> None:
    """Whatever was played, a second program finds no fault in the record."""
    assert check(driver.finish().record()) == []


LAWS: Final[list[Law]] = [
    cards_are_conserved,
    points_are_conserved,
    records_stand_up_to_the_independent_checker,
]
