"""Every event: what can happen at a table, in the past tense.

An event holds the whole fact. Fields named in `sealed` are secret while the deal is on:
the public log has a commitment in their place, under the name in `seal_field`. The
field `secret`, where there is one, is in no public form of the event at all.
"""

import re
from typing import ClassVar, Final, Literal, TypeAlias

from msgspec import Struct

from domain.cards import Card, Suit
from domain.ids import PlayerId, Seat, Secret, TableId, Version
from domain.people import Occupant
from domain.terms import Absence, Arrangement, Clock, Hex, Options


class Event(Struct, frozen=True, gc=False):
    """Something that happened at a table."""

    v: ClassVar[int] = 1
    sealed: ClassVar[tuple[str, ...]] = ()
    seal_field: ClassVar[str] = "seal"


class Answer(Event, frozen=True):
    """An event that answers the open decision of its seat.

    `seat` is null where the rules answered in nobody's place.
    """

    seat: Seat | None


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


class DealStarted(Event, frozen=True):
    """A deal began. `commitment` binds the server to cards it has yet to give."""

    deal: int
    dealer: Seat
    commitment: Hex
    arranged: bool
    secret: Secret


class SeatsDrawn(Event, frozen=True):
    """The players drew cards for new seats, before a rubber.

    `cards` are those that each seat drew, equal ones drawing on; `seats` is where the
    player of each seat sits from now on.
    """

    draw: int
    cards: tuple[tuple[Card, ...], ...]
    seats: tuple[Seat, ...]


class CardTurned(Event, frozen=True, rename={"as_": "as"}):
    """A card was shown to all that gives the deal its special suit and number."""

    card: Card
    as_: Literal["turned", "photograph"]


class HandDealt(Event, frozen=True):
    """A seat was dealt its cards."""

    sealed: ClassVar[tuple[str, ...]] = ("cards",)

    seat: Seat
    count: int
    cards: tuple[Card, ...]


class KittyDealt(Event, frozen=True):
    """The cards that were left over lie face down."""

    sealed: ClassVar[tuple[str, ...]] = ("cards",)

    count: int
    cards: tuple[Card, ...]


class CardsPassed(Answer, frozen=True):
    """A seat chose the cards that it passes to seat `to`."""

    sealed: ClassVar[tuple[str, ...]] = ("cards",)

    seat: Seat
    to: Seat
    count: int
    cards: tuple[Card, ...]


class Passage(Struct, frozen=True):
    """Cards on their way; `version` is that of the `cards_passed` that names them."""

    seat: Seat
    to: Seat
    version: Version


class PassesExchanged(Event, frozen=True):
    """All have passed, and the cards changed hands."""

    passes: tuple[Passage, ...]


class BidMade(Answer, frozen=True):
    """A seat offered so many chips for naming the suit."""

    seat: Seat
    chips: int


class BidDeclined(Answer, frozen=True):
    """A seat made no bid."""

    seat: Seat


class SuitNamed(Answer, frozen=True):
    """The suit of the deal was named; `seat` is null where the rules named it."""

    seat: Seat | None
    suit: Suit


class CardPlayed(Answer, frozen=True):
    """A seat played a card to the trick."""

    seat: Seat
    card: Card


class HeartsBroken(Event, frozen=True):
    """The first card was played after which hearts may be led."""

    seat: Seat
    card: Card


class TrickTaken(Event, frozen=True):
    """A seat won the trick of that number and leads to the next."""

    trick: int
    seat: Seat


class TrickCancelled(Event, frozen=True):
    """Nobody won the trick of that number: it is set aside, its leader leads again."""

    trick: int


class KittyTaken(Event, frozen=True):
    """A seat took the kitty, whose cards are under the seal of that `version`."""

    seat: Seat
    count: int
    version: Version


class RevokeFound(Event, frozen=True):
    """A seat had not followed suit, with that card to that trick, though it could."""

    seat: Seat
    trick: int
    card: Card


Square: TypeAlias = Literal[
    "joker", "spades", "omega", "hearts", "aunt", "diamonds", "plus", "clubs", "hash"
]
"""A square of the board of Agony Aunt."""


class CounterPlaced(Event, frozen=True):
    """A penalty was put down for a seat: a counter on its square, or a mark.

    `reason` says for what; `square` is null where there is no board.
    """

    seat: Seat
    reason: str
    square: Square | None


class LineMade(Event, frozen=True):
    """Three squares in a line are one seat's, which costs it another counter."""

    seat: Seat
    squares: tuple[Square, ...]


class CountersLost(Event, frozen=True):
    """How many counters a seat lost in the deal, never more than it had."""

    seat: Seat
    count: int


class CountersReturned(Event, frozen=True):
    """A seat took back counters: for all tricks, for none, or for a clean board."""

    seat: Seat
    count: int
    reason: Literal["sweep", "null", "clean"]


class ChipsPaid(Event, frozen=True):
    """A seat paid chips into the pool: its bid, or for the cards it took."""

    seat: Seat
    chips: int
    reason: Literal["bid", "cards"]


class PoolDivided(Event, frozen=True):
    """What each seat got out of the pool, and what is left in it."""

    shares: tuple[int, ...]
    left: int


class MoonShot(Event, frozen=True):
    """A seat took every penalty card; `sun` that every trick too, where it counts."""

    seat: Seat
    sun: bool


class MoonSettled(Answer, frozen=True):
    """How a moon counts: added to the others, subtracted, or a slam of 15 cards."""

    seat: Seat
    how: Literal["add", "subtract", "slam"]


class DealScored(Event, frozen=True):
    """The deal is over: what it did to each seat's score, and the match's scores."""

    points: tuple[int, ...]
    scores: tuple[int, ...]


class RubberEnded(Event, frozen=True):
    """A rubber is over: its number from 1, and the marks of each seat."""

    rubber: int
    scores: tuple[int, ...]


class SettlementMade(Event, frozen=True):
    """What each seat won of the others, or lost where below zero; the sum is zero."""

    nets: tuple[int, ...]


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


class SeatTimedOut(Event, frozen=True):
    """A seat let its time run out, or its player has left; what follows is for it."""

    seat: Seat


class SeatProxied(Event, frozen=True):
    """From now on a bot plays the seat, until its player is back."""

    seat: Seat


class SeatResumed(Event, frozen=True):
    """The player of the seat is back, and plays it again."""

    seat: Seat


class DeadlineExtended(Event, frozen=True):
    """The server was away from `since` `until` then, a time that does not count.

    `seats` are those whose decisions waited meanwhile.
    """

    seats: tuple[Seat, ...]
    since: str
    until: str


class ObserverAdmitted(Event, frozen=True):
    """From now on that player, who has no seat, may look at all cards."""

    player: PlayerId


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
