"""The proof of a deal: all that somebody needs to check by hand how it was dealt.

It is made from public events alone, so it cannot tell what they do not. Whoever doubts
it takes secret and entropy, does what `shuffle` and `seals` say, and comes to the same
cards.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from msgspec import Struct, convert
from msgspec.json import decode

from domain.cards import Card
from domain.errors import DealIsNotOver
from domain.events import (
    TYPE_OF,
    CardTurned,
    DealRevealed,
    MatchRevealed,
    MatchStarted,
    Opened,
)
from domain.games import GAMES
from domain.ids import Seat, Secret, TableId, Version
from domain.log import PublicEvent
from domain.people import Occupant
from domain.seals import salt
from domain.shuffle import WORDS, Words, deal_key
from domain.terms import Hex, Options

T = TypeVar("T")

BLOCK: Final = 16
"""As many words as one SHA-256 gives."""

OF_MATCH: Final = {"table_opened", "match_started", "match_revealed"}
OF_DEAL: Final = {"deal_started", "card_turned", "deal_revealed"}

SEAL_FIELDS: Final = {
    text: kind.seal_field for kind, text in TYPE_OF.items() if kind.sealed
}
"""The types of event that hide something, and where their commitment stands."""

TELLING: Final = OF_MATCH | OF_DEAL | SEAL_FIELDS.keys()
"""The types of event that a proof is made from."""


class Drawn(Struct, frozen=True):
    """A number that was drawn from the words: `value`, of those below `below`."""

    below: int
    value: int


class Shuffle(Struct, frozen=True):
    """How the cards came of the secret and the entropy.

    `key` is the deal's, `words` are the first 16 of its stream: the SHA-256 of the key
    and eight zero bytes, read as 16-bit numbers. `order` is that of the pack after the
    shuffle, `drawn` what was drawn after it: the place of a Joker, or a photograph.
    """

    key: Hex
    words: tuple[int, ...]
    order: tuple[Card, ...]
    drawn: tuple[Drawn, ...]


class OpenedSeal(Struct, frozen=True):
    """What was sealed at a version: the commitment in the log, and what opens it."""

    version: Version
    type: str
    seal: Hex
    salt: Hex
    body: str


class MatchProof(Struct, frozen=True):
    """The match's secret, of which each shuffled deal's comes, and its commitment.

    `seals` has the arrangement, where the host chose deals.
    """

    commitment: Hex
    secret: Hex
    seals: tuple[OpenedSeal, ...]


class DealProof(Struct, frozen=True, kw_only=True):
    """A deal that is over, its cards as they were dealt.

    `entropy` is by the seats of the match's start, zeros where none was given; `hands`
    are by seat. `turned` is the card that all saw, or the photograph. `shuffle` is null
    where the host chose the deal, `match` until the match is over.
    """

    table: TableId
    deal: int
    dealer: Seat
    arranged: bool
    commitment: Hex
    secret: Hex
    entropy: tuple[Hex, ...]
    shuffle: Shuffle | None
    turned: Card | None
    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]
    seals: tuple[OpenedSeal, ...]
    match: MatchProof | None


def deal_proof(events: Iterable[PublicEvent], deal: int) -> DealProof:
    """The proof of a deal, from the public events of its table.

    Raises:
        LookupError: the table had no such deal.
        DealIsNotOver: it is still on.
    """
    told, sealed = _heard(events, deal)
    if "deal_started" not in told:
        raise LookupError("the table had no such deal")
    if "deal_revealed" not in told:
        raise DealIsNotOver("The deal is still on.", deal=deal)
    table = told["table_opened"].table
    opened = decode(told["table_opened"].data, type=_OpenedTable)
    entropy = decode(told["match_started"].data, type=MatchStarted).entropy
    started = decode(told["deal_started"].data, type=_StartedDeal)
    revealed = decode(told["deal_revealed"].data, type=DealRevealed)
    turned = told.get("card_turned")
    seals = _unsealed(table, revealed.secret, revealed.opened, sealed)
    return DealProof(
        table=table,
        deal=deal,
        dealer=started.dealer,
        arranged=started.arranged,
        commitment=started.commitment,
        secret=revealed.secret,
        entropy=entropy,
        shuffle=None
        if started.arranged
        else _shuffle(table, opened, entropy, revealed),
        turned=decode(turned.data, type=CardTurned).card if turned else None,
        hands=tuple(_cards(it.body) for it in seals if it.type == "hand_dealt"),
        kitty=next((_cards(it.body) for it in seals if it.type == "kitty_dealt"), ()),
        seals=seals,
        match=_match(table, opened, told),
    )


class _OpenedTable(Struct, frozen=True):
    """What `table_opened` says in public, as far as it is asked here."""

    game: str
    options: Options
    seats: tuple[Occupant, ...]
    commitment: Hex


class _StartedDeal(Struct, frozen=True):
    """What `deal_started` says in public."""

    dealer: Seat
    commitment: Hex
    arranged: bool


def _heard(
    events: Iterable[PublicEvent], deal: int
) -> tuple[dict[str, PublicEvent], dict[Version, PublicEvent]]:
    """What there is once in a match or in the deal, by type, and what is sealed."""
    told, sealed = {}, {}
    for event in events:
        if event.type in OF_MATCH or (event.type in OF_DEAL and event.deal == deal):
            told[event.type] = event
        if event.type in SEAL_FIELDS:
            sealed[event.version] = event
    return told, sealed


def _shuffle(
    table: TableId,
    opened: _OpenedTable,
    entropy: tuple[Hex, ...],
    revealed: DealRevealed,
) -> Shuffle:
    """The shuffle made again, the words remembered."""
    secret = Secret(bytes.fromhex(revealed.secret))
    key = deal_key(table, revealed.deal, secret, [*map(bytes.fromhex, entropy)])
    game = GAMES[opened.game]
    state = game.begin(convert(opened.options, game.options), len(opened.seats), None)
    words = _Remembering(key)
    game.shuffle(state, Seat(0), words)
    first = Words(key)
    return Shuffle(
        key=key.hex(),
        words=tuple(first.below(WORDS) for _ in range(BLOCK)),
        order=tuple(words.order),
        drawn=tuple(words.drawn),
    )


class _Remembering(Words):
    """Words that remember the order they gave, and what was drawn after it."""

    def __init__(self, key: bytes) -> None:
        super().__init__(key)
        self.order: Sequence[Any] = ()
        self.drawn: list[Drawn] = []

    def below(self, bound: int) -> int:
        value = super().below(bound)
        self.drawn.append(Drawn(bound, value))
        return value

    def shuffled(self, pack: Sequence[T]) -> list[T]:
        order = super().shuffled(pack)
        self.order = order
        self.drawn = []
        return order


def _match(
    table: TableId, opened: _OpenedTable, told: Mapping[str, PublicEvent]
) -> MatchProof | None:
    if "match_revealed" not in told:
        return None
    revealed = decode(told["match_revealed"].data, type=MatchRevealed)
    sealed = {Version(1): told["table_opened"]}
    seals = _unsealed(table, revealed.secret, revealed.opened, sealed)
    return MatchProof(opened.commitment, revealed.secret, seals)


def _unsealed(
    table: TableId,
    secret: Hex,
    opened: Iterable[Opened],
    sealed: Mapping[Version, PublicEvent],
) -> tuple[OpenedSeal, ...]:
    """The seals of these versions, with what a secret opens them by."""
    key = Secret(bytes.fromhex(secret))
    return tuple(
        OpenedSeal(
            version=it.version,
            type=sealed[it.version].type,
            seal=decode(sealed[it.version].data)[SEAL_FIELDS[sealed[it.version].type]],
            salt=salt(key, table, it.version).hex(),
            body=it.body,
        )
        for it in opened
    )


def _cards(body: str) -> tuple[Card, ...]:
    return decode(body, type=_Cards).cards


class _Cards(Struct, frozen=True):
    """What is sealed of a hand or a kitty."""

    cards: tuple[Card, ...]
