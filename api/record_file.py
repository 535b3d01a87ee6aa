"""A record's file, whichever form it has, as the lines of a record."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Final, TypeAlias

from domain.records import NotARecord, is_first_line, lines_of_document
from domain.records.spelling import EventLine, end_of, event_of, header_of
from services.auditing import IN_MEMORY, lines_in

LARGEST_DOCUMENT: Final = 256 * 1024 * 1024
"""Bytes of a record that is one document: that is read whole, which lines are not."""

Lines: TypeAlias = Callable[[], Iterable[bytes]]
"""The lines of a record, as often as they are wanted."""


@contextmanager
def lines_of(file: IO[bytes]) -> Iterator[Lines]:
    """The lines of a record, whichever form it has.

    Raises:
        NotARecord: it is none.
    """
    with SpooledTemporaryFile(max_size=IN_MEMORY) as spool:
        if not file.seekable():
            copyfileobj(file, spool)
            file = spool
        if is_first_line(next(lines_in(file), b"")):
            yield lambda: lines_in(file)
            return
        file.seek(0)
        document = file.read(LARGEST_DOCUMENT + 1)
        if len(document) > LARGEST_DOCUMENT:
            raise NotARecord("One document of that size is not read; lines are.")
        lines = [*lines_of_document(document)]
        yield lambda: lines


def events_in(lines: Iterable[bytes]) -> Iterator[EventLine]:
    """The events of a record, which are not checked.

    Raises:
        NotARecord: a line is none of a record's, or the last one is missing.
    """
    header, *rest = iter(lines)
    header_of(header)
    for number, line in enumerate(rest, 2):
        if end_of(line):
            return
        event = event_of(line)
        if event is None:
            raise NotARecord(f"Line {number} is not an event as a record has it.")
        yield event
    raise NotARecord("The record has no end.")
