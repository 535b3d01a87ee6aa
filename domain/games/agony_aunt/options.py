"""The options of Agony Aunt and its presets."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from domain.errors import InvalidTable
from domain.game import GameOptions


class Options(GameOptions, frozen=True, kw_only=True):
    """How Agony Aunt is played at a table."""

    counters: Annotated[
        int,
        Meta(
            ge=1,
            le=60,
            description="How many counters each player begins with, and goes back to"
            " after winning every trick of a deal, or none.",
        ),
    ] = 17
    board: Annotated[
        Literal["parlett", "alphabetical"],
        Meta(
            description="Where the squares of the suits lie, from the top over left"
            " and right to the bottom: spades, hearts, diamonds and clubs, or clubs,"
            " diamonds, hearts and spades."
        ),
    ] = "parlett"


PRESETS: Final[Mapping[str, Options]] = {"standard": Options()}


def check_scores(options: Options, scores: tuple[int, ...]) -> None:
    """Refuse to begin with more counters than there are, or with none."""
    if not all(1 <= left <= options.counters for left in scores):
        raise InvalidTable(
            f"Each player begins with 1 to {options.counters} counters.",
            field="arrangement.scores",
        )
