"""The options of Cancellation Hearts and its presets."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from domain import passing
from domain.black_lady.moons import Agreed
from domain.game import GameOptions
from domain.passing import Direction, Directions


class Options(GameOptions, frozen=True, kw_only=True):
    """How Cancellation Hearts is played at a table."""

    target: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="The match ends when a score reaches it; 100 or more is"
            " advised.",
        ),
    ] = 150
    passing: Annotated[
        Literal["standard"] | Directions,
        Meta(
            description="Directions of the pass, deal by deal, then again from the"
            " first. An empty list turns passing off; `standard` is left, right."
        ),
    ] = "standard"
    moon: Annotated[
        Agreed,
        Meta(
            description="How a moon counts: `moon_value` to all others, or off the"
            " shooter's score, as the shooter chooses, `add` unless that would lose"
            " the match, or not at all."
        ),
    ] = "choice"
    moon_value: Annotated[
        Literal[26, 52], Meta(description="How many points a moon counts.")
    ] = 26
    two_pairs_void: Annotated[
        bool,
        Meta(
            description="Two pairs of identical cards in a trick set it aside, even"
            " where a card of the suit led is left."
        ),
    ] = False
    lead_hearts_instead_of_qs: Annotated[
        bool,
        Meta(
            description="A leader with nothing but hearts and the queen of spades may"
            " lead either although hearts are unbroken."
        ),
    ] = False
    kitty: Annotated[
        Literal["first_trick", "last_trick"],
        Meta(
            description="Which winner takes the kitty: the first to win a trick, or"
            " the winner of the last one."
        ),
    ] = "first_trick"
    last_trick_cancelled: Annotated[
        Literal["nobody", "leader"],
        Meta(
            description="Who takes a last trick that nobody won, with what is set"
            " aside and a kitty still waiting."
        ),
    ] = "nobody"
    tiebreak_deal: Annotated[
        bool, Meta(description="A tie for the lowest score is played off.")
    ] = False


PRESETS: Final[Mapping[str, Options]] = {
    "standard": Options(),
    "seed-literal": Options(two_pairs_void=True),
}


def check(options: Options, seats: int) -> None:
    """Refuse options that make no sense with so many seats."""
    if options.passing != "standard":
        passing.check(options.passing, seats)


def direction(options: Options, deal: int) -> Direction:
    """Where the pass of deal number `deal` goes (CH-R8)."""
    if options.passing == "standard":
        return passing.in_turn(("left", "right"), deal)
    return passing.in_turn(options.passing, deal)
