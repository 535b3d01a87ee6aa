"""The lines of a record in portions that can be judged: a deal's, once it is revealed.

What a command or a deal hides is told by the `deal_revealed` that ends its deal, so
whatever comes before waits for that. The append that reveals a deal begins the next
one, and waits with it.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from msgspec import Struct

from domain.events import TYPE_OF
from domain.records.spelling import Entry
from domain.table import SEALED

LARGEST: Final = 256 * 1024 * 1024
"""Bytes that wait for one reveal.

A deal has some 100,000; but who leaves and comes back all day makes it longer, and the
record no worse.
"""

HIDING: Final = {TYPE_OF[kind] for kind in SEALED}

ENDING: Final = {"deal_revealed", "deal_started"}
"""What comes when the deal before is over, or should be."""

Append = list[Entry]


class Window(Struct, frozen=True):
    """Whole appends, with the deal that they play and what reveals it.

    Where they play none, `started` is None. `sealed` are the events of the deal that
    hide something. `revealed` is None where it never is, though something else comes
    `until` that version.
    """

    appends: list[Append]
    started: Entry | None = None
    sealed: tuple[Entry, ...] = ()
    revealed: Entry | None = None
    until: int = 0


class Misshapen(Exception):
    """From a version on these are no events, or more than a deal can have."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(why)
        self.version = version
        self.why = why


def windows(entries: Iterable[Entry]) -> Iterator[Window]:
    """The record in portions, in order.

    Raises:
        Misshapen: a portion would be larger than any that is played.
    """
    on: _Deal | None = None
    for append in _appends(entries):
        for entry in append:
            kind = entry.event.type
            if on is not None and kind in ENDING:
                yield on.window(entry)
                on = None
            if kind == "deal_started":
                on = _Deal(entry)
            elif on is not None and kind in HIDING:
                on.sealed.append(entry)
        if on is None:
            yield Window([append])
        else:
            on.take(append)
    if on is not None:
        yield on.window(None)


class _Deal:
    """A deal that is on, as far as it was read."""

    def __init__(self, started: Entry) -> None:
        self.sealed: list[Entry] = []
        self._started = started
        self._appends: list[Append] = []
        self._size = 0

    def take(self, append: Append) -> None:
        self._appends.append(append)
        self._size += sum(len(entry.body) for entry in append)
        _check_size(self._size, append[-1])

    def window(self, by: Entry | None) -> Window:
        """The deal as it was ended `by` its reveal, or not: by another, or nothing."""
        last = self._appends[-1][-1] if self._appends else self._started
        return Window(
            appends=self._appends,
            started=self._started,
            sealed=tuple(self.sealed),
            revealed=by if by and by.event.type == "deal_revealed" else None,
            until=by.event.version if by else last.event.version + 1,
        )


def _appends(entries: Iterable[Entry]) -> Iterator[Append]:
    for _, append in groupby(entries, key=lambda entry: entry.event.command):
        events, size = [], 0
        for entry in append:
            events.append(entry)
            size += len(entry.body)
            _check_size(size, entry)
        yield events


def _check_size(size: int, last: Entry) -> None:
    if size > LARGEST:
        why = "So many events without a reveal are not judged."
        raise Misshapen(last.event.version, why)
