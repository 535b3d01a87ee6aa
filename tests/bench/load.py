"""A load generator: connections that post prepared requests as fast as they can."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

from msgspec import Struct


class Tally(Struct):
    """What came of a round: answers by status, and how long each took, in seconds."""

    statuses: dict[int, int]
    waits: list[float]
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Created resources a second: only 201 counts."""
        return self.statuses.get(201, 0) / self.seconds

    def percentile(self, share: float) -> float:
        """The wait that this share of the requests did not exceed, in milliseconds."""
        return percentile(self.waits, share)


def percentile(seconds: Sequence[float], share: float) -> float:
    """What this share of times did not exceed, in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def post(path: str, body: bytes, token: str = "") -> bytes:
    """A request as it goes over the wire."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n"
    )
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    return head.encode() + b"\r\n" + body


class _Connection(asyncio.Protocol):
    """One connection: the next request goes out when the last one is answered."""

    def __init__(self, requests: Iterator[bytes], tally: Tally, until: float) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._requests = requests
        self._tally = tally
        self._until = until
        self._buffer = b""
        self._sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        now = time.perf_counter()
        self._tally.waits.append(now - self._sent)
        status = int(head[9:12])
        self._tally.statuses[status] = self._tally.statuses.get(status, 0) + 1
        if now < self._until:
            self._send()
        else:
            self._end()

    def connection_lost(self, _exc: Exception | None) -> None:
        self._end()

    def _send(self) -> None:
        request = next(self._requests, None)
        if request is None:
            self._end()
            return
        self._sent = time.perf_counter()
        self._transport.write(request)

    def _end(self) -> None:
        if not self.done.done():
            self.done.set_result(None)
            self._transport.close()


async def run(
    host: str, port: int, sources: Sequence[Iterator[bytes]], seconds: float
) -> Tally:
    """Let each source of requests have a connection for so many seconds."""
    tally = Tally({}, [])
    began = time.perf_counter()
    loop = asyncio.get_running_loop()
    until = began + seconds
    made = [
        await loop.create_connection(
            partial(_Connection, source, tally, until), host, port
        )
        for source in sources
    ]
    await asyncio.gather(*(connection.done for _, connection in made))
    tally.seconds = time.perf_counter() - began
    return tally
