"""Checking records beside everything else: of tables here, and of what somebody sends.

A record is written to a file that has no name, which spares memory and can be read
twice, and checked on a thread, one after another: more at once would not be quicker.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Final, TypeAlias

from domain.ids import Hash, TableId
from domain.records import (
    LONGEST_LINE,
    Report,
    lines_of_document,
    verify,
)
from services.errors import Busy
from services.showing import Showing
from services.snapshots import Snapshot

LONGEST_QUEUE: Final = 8
"""Records that are checked or wait for it at once."""

KEPT: Final = 1000
"""Reports on tables that are over, which need not be made again."""

IN_MEMORY: Final = 1 << 20
"""Bytes of a record that take no file yet."""

Spool: TypeAlias = SpooledTemporaryFile[bytes]


def lines_in(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file from its start; one that is too long is cut."""
    file.seek(0)
    while line := file.readline(LONGEST_LINE + 2):
        yield line.removesuffix(b"\n")


class Auditing:
    """Checks records. Close it when the house is left."""

    def __init__(self, showing: Showing) -> None:
        self._showing = showing
        self._thread = ThreadPoolExecutor(1, "auditing")
        self._waiting = 0
        self._reports: OrderedDict[tuple[TableId, Hash], asyncio.Task[Report]] = (
            OrderedDict()
        )

    def close(self) -> None:
        """Check nothing more that has not begun."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def report_on(self, snapshot: Snapshot) -> Report:
        """What the record of a table that is over is worth.

        Who asks for the same meanwhile waits for the same; the newest are kept.

        Raises:
            Busy: too many records wait.
        """
        key = snapshot.table.id, snapshot.head
        task = self._reports.get(key)
        if task is None:
            task = self._reports[key] = asyncio.create_task(self._check(snapshot))
            task.add_done_callback(lambda done: self._forget_failed(key, done))
            if len(self._reports) > KEPT:
                self._reports.popitem(last=False)
        self._reports.move_to_end(key)
        return await asyncio.shield(task)

    @contextmanager
    def room(self) -> Iterator[Spool]:
        """A file for a record that is to be checked, gone with the block.

        Raises:
            Busy: too many records wait.
        """
        if self._waiting >= LONGEST_QUEUE:
            raise Busy("Too many records wait to be checked.")
        self._waiting += 1
        try:
            with SpooledTemporaryFile(max_size=IN_MEMORY) as file:
                yield file
        finally:
            self._waiting -= 1

    async def report(self, file: Spool, *, document: bool) -> Report:
        """What the record in a file is worth: lines, or one document.

        Raises:
            NotARecord: it is none.
        """
        check = _check_document if document else _check_lines
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, check, file)

    async def _check(self, snapshot: Snapshot) -> Report:
        with self.room() as file:
            async for portion in self._showing.record(snapshot):
                file.write(portion)
            return await self.report(file, document=False)

    def _forget_failed(
        self, key: tuple[TableId, Hash], done: asyncio.Task[Report]
    ) -> None:
        if done.cancelled() or done.exception() is not None:
            self._reports.pop(key, None)


def _check_lines(file: Spool) -> Report:
    return verify(lambda: lines_in(file))


def _check_document(file: Spool) -> Report:
    file.seek(0)
    lines = [*lines_of_document(file.read())]
    return verify(lambda: lines)
