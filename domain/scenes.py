"""A recorded game as scenes that somebody can look at, one after another.

A record says in its reveals what its seals hid, so the whole game can be folded again.
What of that is shown is another question, asked of each scene: through the eyes of a
seat, which never sees more than the seat did, or with all cards open.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct
from msgspec.json import decode
from msgspec.structs import replace

from domain.chain import moment
from domain.decisions import Phase
from domain.events import (
    DealRevealed,
    DealStarted,
    Event,
    MatchRevealed,
    SeatsDrawn,
    TableOpened,
)
from domain.ids import Seat, Secret, Version
from domain.log import Kept, PublicEvent, follow, whole
from domain.sight import View
from domain.table import Table, evolve
from domain.views import open_view, view

BEGINNING: Final = (SeatsDrawn, DealStarted, MatchRevealed)
"""With what a new scene begins, though the append goes on: a deal, or the end."""

NOTHING: Final = Secret(b"")

UNTOLD: Final = (DealRevealed, MatchRevealed)
"""What tells nothing that the scenes do not."""


class Picture(Struct, frozen=True):
    """What is to be seen in a scene, and what happened since the one before.

    What is hidden from the viewer is empty in those events.
    """

    view: View
    happened: tuple[Event, ...]


class Scene(Struct, frozen=True):
    """A table at a version; `deal` is 0 before the first one, `trick` counts from 1."""

    version: Version
    at: str
    deal: int
    trick: int
    table: Table
    events: tuple[Event, ...]

    def seen_by(self, seat: Seat) -> Picture:
        """The scene through the eyes of a seat."""
        happened = tuple(_told(event, seat) for event in self.events)
        return Picture(view(self.table, seat), happened)

    def open(self) -> Picture:
        """The scene with all cards open."""
        return Picture(open_view(self.table), self.events)


def scenes(events: Iterable[PublicEvent]) -> list[Scene]:
    """The scenes of a table that is over, from all of its events.

    Nothing is checked beyond what it takes to fold them.

    Raises:
        LookupError: a secret that the fold needs is not revealed.
        ValueError, TypeError: the events are not those of a table.
    """
    told = list(events)
    hidden = _hidden(told)
    found: list[Scene] = []
    table: Table | None = None
    for _, append in groupby(told, key=lambda event: event.command):
        told_now = list(append)
        parts = [whole(event, hidden.get(event.version)) for event in told_now]
        at = told_now[0].at
        after = follow(told_now[0].table, table, parts, moment(at))
        if table is not None:
            *before, parts = _cut(parts)
            for part in before:
                table = _passing(evolve(table, part))
                found.append(_scene(table, at, part))
        found.append(_scene(after, at, parts))
        table = after
    return found


def _hidden(events: Iterable[PublicEvent]) -> dict[Version, Kept]:
    """What the events hid, as the reveals tell it, by version."""
    started: dict[int | None, Version] = {}
    kept: dict[Version, Kept] = {}
    for event in events:
        if event.type == "deal_started":
            started[event.deal] = event.version
        elif event.type == "deal_revealed":
            deal = decode(event.data, type=DealRevealed)
            kept[started[deal.deal]] = Kept(secret=deal.secret)
            kept |= {it.version: Kept(body=it.body) for it in deal.opened}
        elif event.type == "match_revealed":
            match = decode(event.data, type=MatchRevealed)
            body = match.opened[0].body if match.opened else None
            kept[Version(1)] = Kept(secret=match.secret, body=body)
    return kept


def _cut(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The events of an append, scene by scene."""
    part: list[Event] = []
    for event in events:
        begins = isinstance(event, BEGINNING)
        if part and begins and not isinstance(part[-1], BEGINNING):
            yield part
            part = []
        part.append(event)
    yield part


def _passing(table: Table) -> Table:
    """The table at a moment that passes by itself: no decision is open."""
    return replace(table, decisions=(Version(0),) * len(table.decisions))


def _scene(table: Table, at: str, events: Sequence[Event]) -> Scene:
    play = table.play
    over = play is not None and play.phase in {Phase.SETTLING, Phase.DONE}
    return Scene(
        version=table.version,
        at=at,
        deal=play.deal if play else 0,
        trick=len(play.tricks) + (not over) if play else 1,
        table=table,
        events=tuple(event for event in events if not isinstance(event, UNTOLD)),
    )


def _told(event: Event, seat: Seat) -> Event:
    """The event as the seat was told of it."""
    if isinstance(event, TableOpened):
        return replace(event, arrangement=None, secret=NOTHING)
    if isinstance(event, DealStarted):
        return replace(event, secret=NOTHING)
    if not event.sealed or getattr(event, "seat", None) == seat:
        return event
    return replace(event, **dict.fromkeys(event.sealed, ()))
