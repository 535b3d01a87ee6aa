"""Tables as a process has followed them through the log, append by append."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct

from domain import log as lines
from domain.chain import moment
from domain.events import Event
from domain.ids import CommandId, Hash, TableId, Version
from domain.table import Table
from services.ports import EventLog

PAGE: Final = 1000
"""How many events are read at once."""


class Snapshot(Struct, frozen=True):
    """A table as far as it was followed.

    `opened_at` is the time of its first event, `at` that of its latest.
    """

    table: Table
    head: Hash
    opened_at: str
    at: datetime


class ReadEvent(Struct, frozen=True, gc=False):
    """A stored event, whole again."""

    version: Version
    command: CommandId
    at: str
    hash: Hash
    event: Event


async def appends(
    log: EventLog, table: TableId, after: Version
) -> AsyncIterator[list[ReadEvent]]:
    """The stored appends above a version, whole ones, in order."""
    append: list[ReadEvent] = []
    while stored := await log.read(table, after, PAGE):
        kept = await log.secrets(table, stored[0].version, stored[-1].version)
        for event in stored:
            around, whole = lines.read(event.body, kept.get(event.version))
            if append and append[-1].command != around.command:
                yield append
                append = []
            append.append(
                ReadEvent(event.version, around.command, around.at, event.hash, whole)
            )
        after = stored[-1].version
        if len(stored) < PAGE:
            break
    if append:
        yield append


def followed(
    table: TableId, before: Snapshot | None, append: Sequence[ReadEvent]
) -> Snapshot:
    """The table after one more append, `before` it None where that opens it."""
    state = before.table if before else None
    at = moment(append[0].at)
    return Snapshot(
        table=lines.follow(table, state, [read.event for read in append], at),
        head=append[-1].hash,
        opened_at=before.opened_at if before else append[0].at,
        at=at,
    )
