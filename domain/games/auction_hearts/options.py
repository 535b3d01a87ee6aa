"""The options of Auction Hearts and its presets."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from domain.game import GameOptions


class Options(GameOptions, frozen=True, kw_only=True):
    """How Auction Hearts is played at a table."""

    chips: Annotated[
        int, Meta(ge=1, le=1000, description="How many chips each player begins with.")
    ] = 50
    settlement: Annotated[
        Literal["auction", "sweepstake", "howell"],
        Meta(
            description="How a deal is paid for. In an `auction` the highest bidder"
            " names the suit that costs chips. Hearts cost them without bidding in"
            " `sweepstake`, where the pool goes to who took none, and in `howell`,"
            " where all draw from it in every deal."
        ),
    ] = "auction"
    strict_first_trick: Annotated[
        bool,
        Meta(
            description="The bidder may not lead the named suit to the first trick,"
            " and nobody may discard it there, except from a hand with nothing else."
        ),
    ] = False
    jack_strict: Annotated[
        bool,
        Meta(
            description="In an auction, a pool that nobody has won goes only to a"
            " player who alone takes none of the suit. In a sweepstake it always does."
        ),
    ] = False
    fewest_wins: Annotated[
        bool,
        Meta(
            description="In an auction, the pool goes to the one player who took the"
            " fewest cards of the suit; equal players for that make a jack."
        ),
    ] = False
    deals: Annotated[
        int,
        Meta(
            ge=0,
            le=1000,
            description="The match ends after so many deals, unless somebody is out of"
            " chips before; 0 for only when somebody is.",
        ),
    ] = 0


PRESETS: Final[Mapping[str, Options]] = {
    "standard": Options(),
    "sweepstake": Options(settlement="sweepstake"),
    "howell": Options(settlement="howell"),
}
