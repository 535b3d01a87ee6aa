"""Every command: what can be asked of a table, in the imperative.

Moves are the bodies that a seat posts while it plays; the others make, fill, start and
end the table.
"""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.cards import Card, Suit
from domain.ids import PlayerId, Seat, TableId
from domain.people import Occupant
from domain.terms import Absence, Arrangement, Clock, Hex, Options

DecisionId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{1,15}\.[0-9]{1,2}$",
        description="`<version>.<seat>`: the version at which the decision opened.",
    ),
]


class Move(Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """What a seat does when a decision is its own; `decision` may name which."""

    decision: DecisionId | UnsetType = UNSET


class Pass(Move, frozen=True, tag="pass", kw_only=True):
    """Pass these cards to the seat that the deal's direction names."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=16)]


class Play(Move, frozen=True, tag="play", kw_only=True):
    """Play a card to the trick."""

    card: Card


class SettleMoon(Move, frozen=True, tag="settle_moon", kw_only=True):
    """Choose how the moon that this seat shot counts."""

    how: Literal["add", "subtract"]


class Bid(Move, frozen=True, tag="bid", kw_only=True):
    """Offer so many chips for naming the suit."""

    chips: Annotated[int, Meta(ge=0, le=1_000_000)]


class Decline(Move, frozen=True, tag="decline", kw_only=True):
    """Make no bid."""


class NameSuit(Move, frozen=True, tag="name_suit", kw_only=True):
    """Name the suit that costs chips in this deal."""

    suit: Suit


AnyMove: TypeAlias = Pass | Play | SettleMoon | Bid | Decline | NameSuit

MOVES: dict[str, type[Move]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(AnyMove)
}


class OpenTable(Struct, frozen=True):
    """Make a table."""

    game: str
    options: Options
    seats: tuple[Occupant, ...]
    host: PlayerId
    clock: Clock | None = None
    absence: Absence = "wait"
    spectators: Literal["public", "none"] = "public"
    visibility: Literal["public", "private"] = "public"
    rated: bool = False
    autostart: bool = True
    rematch_of: TableId | None = None
    arrangement: Arrangement | None = None


class TakeSeat(Struct, frozen=True):
    """Sit down, giving entropy or not; also how somebody who left comes back."""

    seat: Seat
    occupant: Occupant
    entropy: Hex | None = None


class LeaveSeat(Struct, frozen=True):
    """Leave a seat."""

    seat: Seat


class GiveEntropy(Struct, frozen=True):
    """Add 32 bytes to the shuffle."""

    seat: Seat
    entropy: Hex


class StartMatch(Struct, frozen=True):
    """Start the match."""


class AbandonTable(Struct, frozen=True):
    """Give the table up."""


class Act(Struct, frozen=True, gc=False):
    """A seat makes a move."""

    seat: Seat
    move: Move


class Resume(Struct, frozen=True):
    """The player of a seat that was left or played by a bot makes a move again."""

    seat: Seat
    move: Move


class TimeOut(Struct, frozen=True):
    """A seat's time is up: do what the table has agreed on."""

    seat: Seat


class AdmitObserver(Struct, frozen=True):
    """Let a player who has no seat look at all cards."""

    player: PlayerId


class ExtendDeadlines(Struct, frozen=True):
    """The server was away from `since` `until` then: that time does not count."""

    since: datetime
    until: datetime


Command: TypeAlias = (
    OpenTable
    | TakeSeat
    | LeaveSeat
    | GiveEntropy
    | StartMatch
    | AbandonTable
    | Act
    | Resume
    | TimeOut
    | ExtendDeadlines
    | AdmitObserver
)
