"""Clients' connections, on which the head and the body of an answer leave together."""

import asyncio
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_GATHERED: Final = 65_536
"""Bytes past which nothing is held back, so that a stream leaves as it comes."""


LINGER: Final = 5.0
"""Seconds that a client has to take what was sent before its connection was closed."""


class Connection(HttpToolsProtocol):
    """A connection as uvicorn serves it, but for its writes."""

    def connection_made(  # type: ignore[override]
        self, transport: asyncio.Transport
    ) -> None:
        """Begin to serve a client."""
        super().connection_made(cast("asyncio.Transport", Gathering(transport)))


class Gathering:
    """A transport that sends at once what is written in one turn of the event loop.

    Each write by itself would be a call of the system, and wake the client to read
    half an answer.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._gathered: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all else is as it was
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send this before the loop's next turn ends."""
        if not self._gathered:
            self._loop.call_soon(self._send)
        self._gathered.append(data)
        self._size += len(data)
        if self._size > MOST_GATHERED:
            self._send()

    def close(self) -> None:
        """Send what is gathered, and close; a client that reads no more is left."""
        self._send()
        self._transport.close()
        if self._transport.get_write_buffer_size():
            self._loop.call_later(LINGER, self._transport.abort)

    def _send(self) -> None:
        if self._gathered and not self._transport.is_closing():
            self._transport.write(b"".join(self._gathered))
        self._gathered.clear()
        self._size = 0
