"""The lines of a record in portions that can be judged: a deal's, once it is revealed.

What a command or a deal hides is told by the `deal_revealed` that ends its deal, so
whatever comes before waits for that. The append that reveals a deal begins the next
one, and waits with it.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Final

from msgspec import Struct

from domain.events import TYPE_OF
from domain.records.spelling import Entry
from domain.table import SEALED

LONGEST: Final = 50_000
"""Events that wait for one reveal; a deal has some hundreds."""

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
        self._length = 0

    def take(self, append: Append) -> None:
        self._appends.append(append)
        self._length += len(append)
        _check_length(self._length, append)

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
        events = list(islice(append, LONGEST + 1))
        _check_length(len(events), events)
        yield events


def _check_length(length: int, append: Append) -> None:
    if length > LONGEST:
        why = "So many events without a reveal are not judged."
        raise Misshapen(append[-1].event.version, why)
