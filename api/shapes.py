"""The shapes of requests and answers that only the HTTP face has."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from domain.games import GAMES
from domain.ids import PlayerId, Seat, TableId, Version
from domain.people import BotName, Occupant
from domain.sight import DealView, Decision, OpenCards, ResultView, SeatClock
from domain.table import Status
from domain.terms import Absence, Clock, Hex, Options
from services.hosting import Wish

_UNSEEN = r"\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
LEGIBLE = Meta(
    # A pattern's `$` alone lets a newline follow.
    pattern=rf"^[^\s{_UNSEEN}]([^{_UNSEEN}]*[^\s{_UNSEEN}])?$(?!\n)",
    description="Characters that can be seen, and no blank at either end.",
)
"""No control characters, nor marks that nobody sees, as those that turn text round."""

Name: TypeAlias = Annotated[str, LEGIBLE, Meta(min_length=1, max_length=40)]
Title: TypeAlias = Annotated[str, LEGIBLE, Meta(min_length=1, max_length=80)]
Entropy: TypeAlias = Annotated[Hex, Meta(description="32 bytes, hexadecimal.")]
GameName: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": [*GAMES]})]
Invite: TypeAlias = Annotated[str, Meta(max_length=64)]


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a request's body says."""


class SeatPlan(Occupant, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat of a new table: kept for a player, or a bot's, or anybody's."""


SeatsWanted: TypeAlias = (
    Annotated[int, Meta(ge=1, le=100)]
    | Annotated[tuple[SeatPlan, ...], Meta(max_length=100)]
)


class NewPlayer(Body, frozen=True, kw_only=True):
    """Who is to be registered."""

    name: Name
    kind: Literal["human", "bot"] = "human"


class NewTable(Wish, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as its host asks for it.

    `seats` is their number, or a list that keeps seats for players and fills others
    with bots. `options` go over those of the preset.
    """

    game: Annotated[str, Meta(max_length=40)]
    preset: Annotated[str, Meta(max_length=40)] | None = None
    options: Annotated[Options, Meta(max_length=40)] = field(default_factory=dict)
    seats: SeatsWanted | None = None
    title: Title | None = None


class SeatRequest(Body, frozen=True, kw_only=True):
    """Who sits: the caller, with entropy and invite or not, or a bot."""

    entropy: Entropy | None = None
    invite: Invite | None = None
    bot: BotName | None = None


class EntropyRequest(Body, frozen=True, kw_only=True):
    """What a seat adds to the shuffle."""

    entropy: Entropy


class PlayerShape(Struct, frozen=True):
    """A player; the name of one who was forgotten is null."""

    id: PlayerId
    name: str | None
    kind: Literal["human", "bot"]


class PlayerAnswer(Struct, frozen=True):
    """A player."""

    player: PlayerShape


class TokenAnswer(Struct, frozen=True):
    """A player's new token; it is shown this once."""

    player: PlayerShape
    token: str


class OccupantShape(Struct, frozen=True):
    """Who has a seat: a player, or a bot by its name."""

    player: PlayerId | UnsetType = UNSET
    name: str | UnsetType | None = UNSET
    kind: Literal["human", "bot"] | UnsetType = UNSET
    bot: BotName | UnsetType = UNSET


class SeatShape(Struct, frozen=True):
    """A seat: who has it, for whom it is kept.

    `away` says that its player left in the match, `proxied` that a bot plays it until
    they are back.
    """

    seat: Seat
    occupant: OccupantShape | None
    reserved: PlayerId | None
    away: bool
    proxied: bool


class TableShape(Struct, frozen=True, kw_only=True):
    """A table. `rematch` is the id of its successor, once somebody asked for one."""

    id: TableId
    game: str
    rules_version: int
    options: Options
    status: Status
    seats: tuple[SeatShape, ...]
    host: PlayerId
    clock: Clock | None
    absence: Absence
    spectators: Literal["public", "none"]
    visibility: Literal["public", "private"]
    title: str | None
    rated: bool
    autostart: bool
    arranged: bool
    created_at: str
    rematch_of: TableId | None
    rematch: TableId | None


class TableAnswer(Struct, frozen=True):
    """A table, its version and head; the invite is for the host of a private one."""

    table: TableShape
    version: Version
    head: Hex
    invite: str | UnsetType = UNSET


class Viewer(Struct, frozen=True):
    """Whose eyes a view is for: a seat's, the public's, or who may see all cards."""

    seat: Seat | UnsetType = UNSET
    public: Literal[True] | UnsetType = UNSET
    open: Literal[True] | UnsetType = UNSET


class ViewAnswer(Struct, frozen=True):
    """A table as the viewer may see it; `scores` and `to_act` are for all seats.

    `clocks` are by seat, and `server_time` is what to hold their deadlines against;
    both are null where the table has no clocks. `open` is there for who may see all
    cards, and nobody else.
    """

    table: TableShape
    version: Version
    head: Hex
    viewer: Viewer
    deal: DealView | None
    scores: tuple[int, ...]
    result: ResultView | None
    to_act: tuple[Seat, ...]
    decision: Decision | None
    clocks: tuple[SeatClock, ...] | None
    server_time: str | None
    open: OpenCards | UnsetType = UNSET


class CommandAnswer(Struct, frozen=True):
    """The caller's own append, as the caller may see it."""

    version: Version
    head: Hex
    events: tuple[Raw, ...]


class EventsAnswer(Struct, frozen=True):
    """Events in order, and the table as it is now."""

    items: tuple[Raw, ...]
    next: str | None
    version: Version
    head: Hex


class TurnShape(Struct, frozen=True):
    """A table that waits for the caller, and for what."""

    table: TableId
    decision: Decision


class StandingShape(Struct, frozen=True):
    """Where a player stands in a game.

    `games` are the matches that ended, `wins` those that were won, of which
    `shared_wins` with others. The averages are of final scores and of places, to a
    hundredth. `rating` comes of the `rated_games` and begins at 0: what the player is
    almost certainly worth, where 1500 is the middle.
    """

    player: PlayerShape
    game: str
    games: int
    wins: int
    shared_wins: int
    average_score: float
    average_place: float
    rated_games: int
    rating: int


class ResultShape(Struct, frozen=True):
    """How a match went for a player.

    `seats` is how many took part, bots among them, `seat` where the player sat when it
    ended. `score` is what the game counts over the whole match. `place` is 1 for the
    winners, `shared` says that there were several. Equal scores have an equal place,
    and the next one leaves room. `rated` says that the match counts for ratings,
    `rating` is the player's after it, null where it does not.
    """

    table: TableId
    game: str
    ended_at: str
    seats: int
    seat: Seat
    score: int
    place: int
    won: bool
    shared: bool
    rated: bool
    rating: int | None


class Invitation(Struct, frozen=True):
    """The part of a body that shows an invite."""

    invite: str | None = None
