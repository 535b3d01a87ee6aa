"""Random tables, for properties that must hold of every game that can be played."""

from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from domain.cards import cards_of
from domain.events import ArrangedDeal, Arrangement, Options
from domain.games.hearts.legality import PACK
from domain.ids import Seat
from tests.driver import Driver, arranged, hearts
from tests.hearts_positions import strong_hands

QUICK: Final = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
"""A few games, the same ones always."""

THOROUGH: Final = settings(QUICK, max_examples=300, derandomize=False)
"""Many games, new ones each time."""


@st.composite
def hearts_options(draw: st.DrawFn, seats: int) -> Options:
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
def hearts_arrangements(draw: st.DrawFn, seats: int) -> Arrangement:
    """One or two arranged deals, in which seat 0 may hold all the high cards."""
    dealer = draw(st.integers(0, seats - 1))
    if draw(st.booleans()):
        return arranged(strong_hands(seats), strong_hands(seats), first_dealer=dealer)
    pack = draw(st.permutations(cards_of(PACK[seats])))
    deal = ArrangedDeal(hands=tuple(tuple(pack[seat::seats]) for seat in range(seats)))
    return Arrangement(first_dealer=Seat(dealer), scores=None, deals=(deal,))


@st.composite
def hearts_tables(draw: st.DrawFn) -> Driver:
    """A table of Hearts at the start of its match, with any options and seats.

    At some of them seat 0 plays for tricks, so that moons and suns come up.
    """
    seats = draw(st.integers(3, 7))
    driver = hearts(
        draw(hearts_options(seats)),
        seats=seats,
        seed=draw(st.integers(0, 2**32)),
        arrangement=draw(st.none() | hearts_arrangements(seats)),
    )
    driver.grasping = draw(st.sampled_from([None, Seat(0)]))
    return driver


TABLES: Final[dict[str, SearchStrategy[Driver]]] = {"hearts": hearts_tables()}
"""How to come by a random table, by game."""
