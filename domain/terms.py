"""The terms of a table: what its host chose, as commands and events share it."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.cards import Card
from domain.ids import Seat

Hex: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes in hexadecimal digits, lower case; `$` alone lets a newline follow."""

Score: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]

Options: TypeAlias = dict[str, bool | int | str | list[str]]
"""A game's options as plain data; the game's own struct gives them their meaning."""

Absence: TypeAlias = Literal["wait", "auto_play", "bot", "abandon"]
"""What happens where a seat's time is up, or its player left during the match.

Nothing; a move is made for it; a bot plays it until its player is back; the table is
given up.
"""


LONGEST: Final = 14 * 24 * 60 * 60


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a decision may take, and the seat's reserve for the match; seconds."""

    seconds: Annotated[int, Meta(ge=1, le=LONGEST)]
    bank: Annotated[int, Meta(ge=0, le=LONGEST)] = 0


Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=60)]


class ArrangedDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal that was chosen, not shuffled. Hands are before any pass, by seat."""

    hands: Annotated[tuple[Cards, ...], Meta(max_length=11)]
    turned: Card | None = None
    photograph: Card | None = None
    kitty: Cards = ()


class Arrangement(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table's host chose in advance: its deals, and where they begin."""

    first_dealer: Seat | None = None
    scores: Annotated[tuple[Score, ...], Meta(max_length=11)] | None = None
    deals: Annotated[tuple[ArrangedDeal, ...], Meta(max_length=64)] = ()
