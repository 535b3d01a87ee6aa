"""The first pass: from line to line along the chain, to the match's secret."""

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from domain.chain import link, origin
from domain.ids import Hash, TableId, Version
from domain.records.report import Findings
from domain.records.spelling import (
    LONGEST_LINE,
    End,
    EventLine,
    end_of,
    event_of,
    header_of,
    is_canonical,
    table_of,
)

LINKED: Final = ("form", "versions", "chain")


class Trace(Struct, frozen=True, kw_only=True):
    """What a record says, as far as its chain holds.

    `version` and `head` are those of the last event that it holds to; `complete` says
    that there is nothing behind it. `first` is the first event's line, `last` the
    latest that reveals a match: it is found wherever the chain breaks before it, for
    what it says proves itself.
    """

    said: dict[str, Any]
    table: TableId
    version: Version
    head: Hash
    complete: bool
    first: EventLine | None
    last: EventLine | None


def trace(lines: Iterable[bytes], findings: Findings, kept_head: str | None) -> Trace:
    """Follow the chain as far as it holds.

    Raises:
        NotARecord: the first line is none of a record's.
    """
    rest = iter(lines)
    top = next(rest, b"")
    header = header_of(top)
    if not is_canonical(top):
        findings.wrong("form", 1, "The line before the first event is spelled anew.")
    chain = _Chain(findings, kept_head)
    for line in rest:
        chain.take(line)
    return chain.traced(header.table)


class _Chain:
    """The chain as it has been followed so far."""

    def __init__(self, findings: Findings, kept_head: str | None) -> None:
        self._findings = findings
        self._kept_head = kept_head
        self._met = False
        self._broken = False
        self._end: End | None = None
        self._version = Version(0)
        self._table = TableId(UUID(int=0))
        self._text = b""
        self._head = Hash(b"")
        self._first: EventLine | None = None
        self._last: EventLine | None = None

    def take(self, line: bytes) -> None:
        """Follow one more line."""
        event = event_of(line) if len(line) <= LONGEST_LINE else None
        if event is not None and event.type == "match_revealed":
            self._last = event
        if self._broken:
            return
        at = self._version + 1
        if self._end is not None:
            self._break(at, "Something stands behind the end.")
        elif event is None:
            self._end = end_of(line)
            if self._end is None:
                self._break(at, "This is not the one spelling of an event.")
        elif not is_canonical(event.body):
            self._break(at, "This is not the one spelling of an event.")
        elif self._fits(event, at):
            self._go_on(event)
        else:
            self._broken = True

    def _break(self, at: int, why: str) -> None:
        self._broken = True
        self._findings.wrong("form", at, why)

    def _fits(self, event: EventLine, at: int) -> bool:
        """Whether the event is the next one of this table."""
        if self._first is None and not self._begin(event):
            return False
        faults: list[tuple[str, str]] = []
        if event.version != at:
            faults.append(
                ("versions", f"Version {event.version} stands where {at} must stand.")
            )
        if event.table != self._text:
            faults.append(("chain", "The event is another table's."))
        elif event.prev != self._head:
            faults.append(("chain", "The event does not follow the one before it."))
        elif event.hash != link(self._head, event.body):
            faults.append(("chain", "The event was changed: its hash is another."))
        for name, why in faults:
            self._findings.wrong(name, at, why)
        return not faults

    def _begin(self, event: EventLine) -> bool:
        """Take the table's id from its first event."""
        table = table_of(event)
        if table is None:
            self._findings.wrong("form", 1, "The table's id is none.")
            return False
        self._table, self._text, self._head = table, event.table, origin(table)
        self._first = event
        self._met = self._head.hex() == self._kept_head
        return True

    def _go_on(self, event: EventLine) -> None:
        self._version, self._head = event.version, event.hash
        self._met |= event.hash.hex() == self._kept_head

    def traced(self, said: dict[str, Any]) -> Trace:
        """What came of it, once all lines are through."""
        for name in LINKED:
            self._findings.right(name, self._version)
        if self._broken:
            self._findings.unfinished(
                f"What follows version {self._version} cannot be trusted.",
                *LINKED,
                "head",
            )
        else:
            self._check_end()
        if self._kept_head is not None:
            self._check_kept_head()
        return Trace(
            said=said,
            table=self._table,
            version=self._version,
            head=self._head,
            complete=not self._broken,
            first=self._first,
            last=self._last,
        )

    def _check_end(self) -> None:
        end, version = self._end, self._version
        if end is None:
            why = "The line behind the last event is missing."
            self._findings.wrong("head", version + 1, why)
        elif end.version != version:
            why = f"The record says that it ends at version {end.version}."
            at = min(end.version, version) + 1
            self._findings.wrong("head", at, why)
        elif end.head != self._head.hex():
            why = "The head is not the hash of the last event."
            self._findings.wrong("head", max(version, 1), why)
        else:
            self._findings.right("head")

    def _check_kept_head(self) -> None:
        if self._met:
            self._findings.right("kept_head")
            return
        why = "No event has the hash that was kept: other things happened then."
        self._findings.unfinished(why, "kept_head")
