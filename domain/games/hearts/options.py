"""The options of Hearts and its presets."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from domain import passing
from domain.black_lady.moons import Agreed
from domain.game import GameOptions
from domain.passing import Direction, Directions


class Options(GameOptions, frozen=True, kw_only=True):
    """How Hearts is played at a table."""

    target: Annotated[
        int,
        Meta(ge=1, le=1000, description="The match ends when a score reaches it."),
    ] = 100
    passing: Annotated[
        Literal["standard"] | Directions,
        Meta(
            description="Directions of the pass, deal by deal, then again from the"
            " first. An empty list turns passing off; `standard` is left, right,"
            " (across with four players,) hold."
        ),
    ] = "standard"
    moon: Annotated[
        Agreed,
        Meta(
            description="How a moon counts: 26 to all others, 26 off the shooter's"
            " score, as the shooter chooses, `add` unless that would lose the match,"
            " or not at all."
        ),
    ] = "add"
    queen_breaks_hearts: Annotated[
        bool, Meta(description="The queen of spades breaks hearts too.")
    ] = True
    break_required: Annotated[
        bool, Meta(description="Hearts may not be led before they are broken.")
    ] = True
    lead_hearts_instead_of_qs: Annotated[
        bool,
        Meta(
            description="A leader with nothing but hearts and the queen of spades may"
            " lead either although hearts are unbroken."
        ),
    ] = False
    points_on_first_trick: Annotated[
        bool, Meta(description="Penalty cards may be discarded on the first trick.")
    ] = False
    opening: Annotated[
        Literal["lowest_club", "any_club", "left_of_dealer"],
        Meta(
            description="Who leads first and what: the holder of the lowest club that"
            " card or any club, or the dealer's left neighbour what he likes."
        ),
    ] = "lowest_club"
    jack_of_diamonds: Annotated[
        int,
        Meta(ge=-100, le=0, description="What the jack of diamonds counts, as -10."),
    ] = 0
    jack_floor: Annotated[
        bool,
        Meta(description="The jack cannot take the points of a deal below zero."),
    ] = False
    slam_needs_bonus: Annotated[
        bool,
        Meta(
            description="Where the jack counts, a moon needs it too; all fifteen cards"
            " are then 26 off the taker's score."
        ),
    ] = False
    no_trick_bonus: Annotated[
        int,
        Meta(ge=-100, le=0, description="What a deal without a trick counts, as -5."),
    ] = 0
    shoot_sun: Annotated[
        bool, Meta(description="A moon with every trick counts 39 instead of 26.")
    ] = False
    exact_target: Annotated[
        bool, Meta(description="Landing exactly on the target wins at once.")
    ] = False
    tiebreak_deal: Annotated[
        bool, Meta(description="A tie for the lowest score is played off.")
    ] = False


PRESETS: Final[Mapping[str, Options]] = {
    "standard": Options(),
    "seed-literal": Options(passing=(), moon="none"),
}


FOUR: Final = 4
"""Only with four seats does the standard cycle pass across (HE-R6)."""


def check(options: Options, seats: int) -> None:
    """Refuse options that make no sense with so many seats."""
    if options.passing != "standard":
        passing.check(options.passing, seats)


def direction(options: Options, deal: int, seats: int) -> Direction:
    """Where the pass of deal number `deal` goes (HE-R6, HE-R7)."""
    if options.passing != "standard":
        return passing.in_turn(options.passing, deal)
    across: Directions = ("across",) if seats == FOUR else ()
    return passing.in_turn(("left", "right", *across, "hold"), deal)
