"""Every event: what can happen at a table, in the past tense.

An event holds the whole fact. Fields named in `sealed` are secret while the deal is on:
the public log has a commitment in their place, under the name in `seal_field`. The
field `secret`, where there is one, is in no public form of the event at all.
"""

import re
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.cards import Card
from domain.ids import PlayerId, Seat, Secret, TableId, Version
from domain.people import Occupant

Hex: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal digits, lower case."""

Score: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]

Options: TypeAlias = dict[str, bool | int | str | list[str]]
"""A game's options as plain data; the game's own struct gives them their meaning."""

Absence: TypeAlias = Literal["wait", "auto_play", "bot", "abandon"]


class Clock(Struct, frozen=True):
    """How long a decision may take, and the seat's reserve for the match; seconds."""

    seconds: int
    bank: int = 0


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


class Event(Struct, frozen=True):
    """Something that happened at a table."""

    v: ClassVar[int] = 1
    sealed: ClassVar[tuple[str, ...]] = ()
    seal_field: ClassVar[str] = "seal"


class PlayEvent(Event, frozen=True):
    """An event of the game itself, which the game's own state follows."""


class Answer(PlayEvent, frozen=True):
    """An event that answers the open decision of its seat."""

    seat: Seat


class TableOpened(Event, frozen=True):
    """A table was made. `seats` is the plan: whom each seat is reserved for."""

    sealed: ClassVar[tuple[str, ...]] = ("arrangement",)
    seal_field: ClassVar[str] = "arranged"

    game: str
    rules_version: int
    options: Options
    seats: tuple[Occupant, ...]
    host: PlayerId
    clock: Clock | None
    absence: Absence
    spectators: Literal["public", "none"]
    visibility: Literal["public", "private"]
    rated: bool
    autostart: bool
    rematch_of: TableId | None
    commitment: Hex
    arrangement: Arrangement | None
    secret: Secret


class SeatTaken(Event, frozen=True):
    """Somebody sat down, or came back to the seat that was theirs."""

    seat: Seat
    occupant: Occupant


class SeatLeft(Event, frozen=True):
    """The occupant left or was removed; in a match the seat stays theirs."""

    seat: Seat


class EntropyGiven(Event, frozen=True):
    """A seat added its 32 bytes to the shuffle."""

    seat: Seat
    entropy: Hex


class MatchStarted(Event, frozen=True):
    """The match began with these players and their entropy, both by seat."""

    players: tuple[Occupant, ...]
    entropy: tuple[Hex, ...]


class DealStarted(PlayEvent, frozen=True):
    """A deal began. `commitment` binds the server to cards it has yet to give."""

    deal: int
    dealer: Seat
    commitment: Hex
    arranged: bool
    secret: Secret


class HandDealt(PlayEvent, frozen=True):
    """A seat was dealt its cards."""

    sealed: ClassVar[tuple[str, ...]] = ("cards",)

    seat: Seat
    count: int
    cards: tuple[Card, ...]


class CardsPassed(Answer, frozen=True):
    """A seat chose the cards that it passes to seat `to`."""

    sealed: ClassVar[tuple[str, ...]] = ("cards",)

    to: Seat
    count: int
    cards: tuple[Card, ...]


class Passage(Struct, frozen=True):
    """Cards on their way; `version` is that of the `cards_passed` that names them."""

    seat: Seat
    to: Seat
    version: Version


class PassesExchanged(PlayEvent, frozen=True):
    """All have passed, and the cards changed hands."""

    passes: tuple[Passage, ...]


class CardPlayed(Answer, frozen=True):
    """A seat played a card to the trick."""

    card: Card


class HeartsBroken(PlayEvent, frozen=True):
    """The first card was played after which hearts may be led."""

    seat: Seat
    card: Card


class TrickTaken(PlayEvent, frozen=True):
    """A seat won the trick of that number and leads to the next."""

    trick: int
    seat: Seat


class MoonShot(PlayEvent, frozen=True):
    """A seat took every penalty card; `sun` that every trick too, where it counts."""

    seat: Seat
    sun: bool


class MoonSettled(Answer, frozen=True):
    """How a moon counts: added to the others, subtracted, or a slam of 15 cards."""

    how: Literal["add", "subtract", "slam"]


class DealScored(PlayEvent, frozen=True):
    """The deal is over: what it did to each seat's score, and the match's scores."""

    points: tuple[int, ...]
    scores: tuple[int, ...]


class Opened(Struct, frozen=True):
    """The exact sealed text of the event of that version."""

    version: Version
    body: str


class DealVoided(Event, frozen=True):
    """The table was abandoned in this deal, which counts for nothing."""

    deal: int


class DealRevealed(Event, frozen=True):
    """The deal's secret and everything that was sealed in it."""

    deal: int
    secret: Hex
    opened: tuple[Opened, ...]


class MatchRevealed(Event, frozen=True):
    """The match's secret, and the arrangement where `table_opened` sealed one."""

    secret: Hex
    opened: tuple[Opened, ...]


class MatchEnded(Event, frozen=True):
    """The match is over. Several winners have won jointly."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    settlement: tuple[int, ...] | None


class TableAbandoned(Event, frozen=True):
    """The table was given up before its match was over."""


def _text_of(kind: type[Event]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _concrete(kind: type[Event]) -> list[type[Event]]:
    below = [leaf for sub in kind.__subclasses__() for leaf in _concrete(sub)]
    return below or [kind]


TYPE_OF: Final[dict[type[Event], str]] = {
    kind: _text_of(kind) for kind in _concrete(Event)
}
"""How each kind of event is called in the log and on the wire: `card_played`."""

EVENT_TYPES: Final[dict[str, type[Event]]] = {
    text: kind for kind, text in TYPE_OF.items()
}
