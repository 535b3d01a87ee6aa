"""Clients' connections: bounds on what may arrive, and answers that leave in one piece.

The parser takes heads of any size, and neither it nor uvicorn minds how long a request
takes to come.
"""

import asyncio
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from api.bodies import LARGEST_BODY

MOST_GATHERED: Final = 65_536
"""Bytes past which nothing is held back, so that a stream leaves as it comes."""

LINGER: Final = 5.0
"""Seconds that a client has to take what was sent before its connection was closed."""

MOST_HEADERS: Final = 100
LARGEST_HEAD: Final = 65_536
"""Bytes of the address and the headers of a request."""

LARGEST_FRAME: Final = 16 * LARGEST_BODY
"""Bytes around a body: the head, the sizes of chunks, what follows the last one."""

ARRIVAL: Final = 20.0
"""Seconds that a request has to arrive whole, and a client to begin with its first."""

SLOW, TOO_MUCH = 408, 431

NOTHING_MORE: Final = b"content-length: 0\r\nconnection: close\r\n\r\n"


class _HeadTooLarge(Exception):
    """A request's head is past its bounds."""


class Connection(HttpToolsProtocol):
    """A connection as uvicorn serves it, with bounds, and but for its writes."""

    def connection_made(  # type: ignore[override]
        self, transport: asyncio.Transport
    ) -> None:
        """Begin to serve a client."""
        super().connection_made(cast("asyncio.Transport", Gathering(transport)))
        self._arriving_since: float | None = self.loop.time()
        self._in_head = True
        self._size = 0  # bytes of a request, but for its body
        self.url = b""
        self._look = self.loop.call_later(ARRIVAL, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self._look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came, and refuse a request that grows without end."""
        self._size += len(data)
        super().data_received(data)
        if self._size > LARGEST_HEAD and not self.transport.is_closing():
            if self._in_head:
                self._refuse(TOO_MUCH)
            elif self._size > LARGEST_FRAME or len(self.headers) > MOST_HEADERS:
                self.transport.close()

    def on_message_begin(self) -> None:
        """Note that a request begins to arrive."""
        self._in_head = True
        self._arriving_since = self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Let a request begin whose head is within bounds."""
        if len(self.headers) > MOST_HEADERS or (
            self._size > LARGEST_HEAD and self._head_size() > LARGEST_HEAD
        ):
            raise _HeadTooLarge
        self._in_head = False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body, which the application bounds."""
        self._size -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that a request has arrived whole."""
        self._arriving_since = None
        self._size = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, or is too much to be."""
        if len(self.headers or ()) > MOST_HEADERS or self._head_size() > LARGEST_HEAD:
            self._refuse(TOO_MUCH)
        else:
            super().send_400_response(msg)

    def _head_size(self) -> int:
        pairs = self.headers or ()
        return len(self.url) + sum(len(name) + len(value) for name, value in pairs)

    def _refuse(self, status: int) -> None:
        """Hang up, and answer first unless an answer is under way."""
        # As long as a head arrives it is that of the request before.
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or (
            cycle.response_complete if self._in_head else not cycle.response_started
        ):
            self.transport.write(STATUS_LINE[status] + NOTHING_MORE)
        self.transport.close()

    def _give_up(self) -> None:
        """Close the connection if what is arriving takes too long; else look later."""
        now, since = self.loop.time(), self._arriving_since
        if since is None or now < since + ARRIVAL:
            self._look = self.loop.call_at((since or now) + ARRIVAL, self._give_up)
        elif self._size:
            self._refuse(SLOW)
        else:
            self.transport.close()


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
