"""Followers of tables: many streams in one process, each event timed."""

import asyncio
import re
import time
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final, cast

AT: Final = re.compile(rb'"at":"([^"]+)"')
FRAME: Final = re.compile(rb'\{"frame":"(\w+)","id":(\d+)')


class Stream(asyncio.Protocol):
    """One follower of a table.

    `version` is how far it has been told; `delays` are the seconds from the time in
    each event to when it was here.
    """

    def __init__(self, table: str, after: int | None) -> None:
        """Follow from above a version, or from the present."""
        self.table = table
        self.version = after or 0
        self.delays: list[float] = []
        self.caught_up = asyncio.get_running_loop().create_future()
        self._after = after
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self._transport = cast("asyncio.Transport", transport)
        query = "" if self._after is None else f"?after={self._after}"
        self._transport.write(
            f"GET /v1/tables/{self.table}/stream{query} HTTP/1.1\r\nHost: bench\r\n"
            "Accept: application/x-ndjson\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take the frames: each is a line, and what frames the lines is none."""
        now = time.time()
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            if frame := FRAME.match(line):
                self.version = int(frame[2])
                if frame[1] == b"caught_up":
                    self.caught_up.set_result(None)
                elif at := AT.search(line):
                    then = datetime.fromisoformat(at[1].decode()).timestamp()
                    self.delays.append(now - then)

    def connection_lost(self, _: Exception | None) -> None:
        """Be missed where one was waited for."""
        if not self.caught_up.done():
            self.caught_up.set_exception(ConnectionResetError())

    def cut(self) -> None:
        """Break off as a lost network would."""
        self._transport.abort()


async def followed(
    host: str, port: int, places: Sequence[tuple[str, int | None]]
) -> list[Stream]:
    """Streams of these tables above these versions, all begun at once and caught up."""
    loop = asyncio.get_running_loop()
    made = await asyncio.gather(
        *(
            loop.create_connection(partial(Stream, table, after), host, port)
            for table, after in places
        )
    )
    streams = [stream for _, stream in made]
    await asyncio.gather(*(stream.caught_up for stream in streams))
    return streams
