"""The lines of a record in portions that can be judged: a deal's, once it is revealed.

What a command or a deal hides is told by the `deal_revealed` that ends its deal, so
whatever comes before waits for that. The append that reveals a deal begins the next
one, and waits with it.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Final

from msgspec import Struct

from domain.events import EVENT_TYPES
from domain.records.spelling import Entry

LONGEST: Final = 50_000
"""Events that wait for one reveal; a deal has some hundreds."""

HIDING: Final = {text for text, kind in EVENT_TYPES.items() if kind.sealed} - {
    "table_opened"
}

Append = list[Entry]


class Window(Struct, frozen=True):
    """Whole appends, with the deal that they play and what reveals it.

    Where they play none, `started` and `revealed` are None; `revealed` alone is where a
    deal is never revealed. `sealed` are the events of the deal that hide something.
    """

    appends: list[Append]
    started: Entry | None = None
    sealed: tuple[Entry, ...] = ()
    revealed: Entry | None = None


class TooLong(Exception):
    """More events than a deal can have wait for one reveal."""


def windows(entries: Iterable[Entry]) -> Iterator[Window]:
    """The record in portions, in order.

    Raises:
        TooLong: a portion would be larger than any that is played.
    """
    waiting: list[Append] = []
    sealed: list[Entry] = []
    started: Entry | None = None
    length = 0
    for append in _appends(entries):
        for entry in append:
            kind = entry.event.type
            if kind == "deal_started":
                started, sealed = entry, []
            elif started is None:
                continue
            elif kind in HIDING:
                sealed.append(entry)
            elif kind == "deal_revealed":
                yield Window(waiting, started, tuple(sealed), entry)
                waiting, length, started, sealed = [], 0, None, []
        if started is None:
            yield Window([append])
            continue
        waiting.append(append)
        length += len(append)
        if length > LONGEST:
            raise TooLong
    if waiting:
        yield Window(waiting, started, tuple(sealed))


def _appends(entries: Iterable[Entry]) -> Iterator[Append]:
    for _, append in groupby(entries, key=lambda entry: entry.event.command):
        events = list(islice(append, LONGEST + 1))
        if len(events) > LONGEST:
            raise TooLong
        yield events
