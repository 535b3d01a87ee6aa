"""Records from elsewhere, taken into the log as tables that are over.

What lies in the log then are the record's own bytes, and beside them what it revealed,
as if the table had been played here; so its hashes are the original ones. All of it is
one append, stored whole or not at all, whose command id no request can have: by that it
is known as imported, and its match counts for no standings here.
"""

from collections.abc import Callable, Iterable

from domain.chain import origin
from domain.ids import CommandId, Hash, TableId, Version
from domain.log import Line, public_event
from domain.records import Report, verify
from services.committer import Committer
from services.identity import Request, request_of
from services.ports import EventLog, NewAppend


class NotImported(Exception):
    """A record was not taken into the log; nothing was stored."""


class Importing:
    """Takes records into the log."""

    def __init__(self, log: EventLog, committer: Committer) -> None:
        self._log = log
        self._committer = committer

    async def take(self, lines: Callable[[], Iterable[bytes]]) -> Report:
        """Check a record and make it a table here, which nobody can play on.

        Raises:
            NotARecord: it is none.
            NotImported: it does not verify, or its table is here already.
            StoreUnavailable: whether it was stored is unknown; try it again.
        """
        events: list[Line] = []
        report = verify(lines, keep=events.extend)
        if not report.ok:
            at = report.first_bad_version
            raise NotImported(f"The record does not verify: see version {at}.")
        table = public_event(events[0].body).table
        if await self._log.heads([table]):
            raise NotImported(f"The table {table} is here already.")
        outcome = await self._committer.append(_append(table, events))
        if outcome.kind == "conflict":
            raise NotImported(f"The table {table} was made here meanwhile.")
        return report


def is_import(table: TableId, command: CommandId) -> bool:
    """Whether an append by that command took a record into the log."""
    return command == _request(table).command


def _request(table: TableId) -> Request:
    return request_of(b"import", table.bytes)


def _append(table: TableId, events: list[Line]) -> NewAppend:
    request = _request(table)
    return NewAppend(
        table=table,
        expected=Version(0),
        prev=origin(table),
        head=Hash(events[-1].hash),
        command=request.command,
        request=request.hash,
        events=tuple(events),
    )
