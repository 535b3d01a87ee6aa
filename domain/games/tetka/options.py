"""The options of Tetka and its presets."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from domain.game import GameOptions


class Options(GameOptions, frozen=True, kw_only=True):
    """How Tetka is played at a table."""

    length: Annotated[
        Literal["rubber", "deals"],
        Meta(
            description="What a match is: rubbers, each up to a number of marks, or an"
            " agreed number of deals."
        ),
    ] = "rubber"
    rubber_points: Annotated[
        int,
        Meta(ge=1, le=1000, description="A rubber ends when a record reaches it."),
    ] = 21
    rubbers: Annotated[
        int,
        Meta(ge=1, le=100, description="How many rubbers a match of rubbers has."),
    ] = 1
    deals: Annotated[
        int,
        Meta(ge=1, le=1000, description="How many deals a match of deals has."),
    ] = 4
    photograph: Annotated[
        Literal["second_pack", "last_card"],
        Meta(
            description="Where the photograph comes from: a second pack, or the deal's"
            " last card, which the dealer shows and then holds."
        ),
    ] = "second_pack"
    suit_queen_mark: Annotated[
        bool, Meta(description="The queen of the photograph's suit costs a mark more.")
    ] = False
    last_trick_mark: Annotated[
        bool, Meta(description="The last trick costs a mark of its own.")
    ] = False
    most_tricks_tie: Annotated[
        Literal["latest_trick", "most_of_suit"],
        Meta(
            description="Who pays of those tied for most tricks: the one whose last"
            " trick is the latest, or who took most of the photograph's suit."
        ),
    ] = "latest_trick"
    settlement: Annotated[
        Literal["pairwise", "marks"],
        Meta(
            description="How a record is settled: every two players pay each other the"
            " difference, or marks are all that counts."
        ),
    ] = "pairwise"
    revokes: Annotated[
        Literal["refused", "penalised"],
        Meta(
            description="A card that fails to follow suit is refused, or it is accepted"
            " and costs three tricks when the deal is over."
        ),
    ] = "refused"


PRESETS: Final[Mapping[str, Options]] = {
    "standard": Options(),
    "parlett": Options(
        length="deals",
        photograph="last_card",
        suit_queen_mark=True,
        last_trick_mark=True,
        most_tricks_tie="most_of_suit",
        settlement="marks",
    ),
}
