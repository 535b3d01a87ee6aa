"""Answers as they go over the wire: small ASGI applications, ready to be sent."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, TypeAlias

from litestar.types import HTTPResponseBodyEvent, Receive, Scope, Send

from api.problems import Problem
from domain.chain import canonical

Header: TypeAlias = tuple[bytes, bytes]

JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"

PRIVATE: Final = (b"cache-control", b"private, no-store")
"""For answers that are the caller's own, which nobody else may keep."""

STALLED: Final = 30.0
"""Seconds after which a client that takes nothing more is left."""

LASTING: Final = (b"cache-control", b"public, max-age=300")
"""For pages that are the same for all."""

KEPT: Final = (b"cache-control", b"private, max-age=300")
"""For answers that are the same for all but in their headers, which tell of the caller
what no cache may tell another: how much they may still ask for, and their request's id.
"""


OF_PROBLEMS: Final[dict[int, tuple[Header, ...]]] = {
    401: ((b"www-authenticate", b"Bearer"),),
    503: ((b"retry-after", b"1"),),
}
"""Headers that come with problems, by status."""


class Answer:
    """A status, headers, and a body of bytes, or of parts that follow one another."""

    def __init__(
        self,
        body: bytes | AsyncGenerator[bytes],
        status: int,
        media: str,
        *headers: Header,
    ) -> None:
        self.body = body
        self.status = status
        self.code: str | None = None
        """That of the problem which it tells of."""
        self.headers = [(b"content-type", media.encode()), *headers]
        if isinstance(body, bytes):
            self.headers.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, as ASGI has it."""
        body = self.body
        await send(
            {
                "type": "http.response.start",
                "status": self.status,
                "headers": self.headers,
            }
        )
        if isinstance(body, bytes):
            await send(_part(body, more=False))
            return
        await _send_while_read(body, receive, send)


async def _send_while_read(
    parts: AsyncGenerator[bytes], receive: Receive, send: Send
) -> None:
    """Send the parts as they come, until the client has gone or reads no more."""
    sending = asyncio.create_task(_send_parts(parts, send))
    leaving = asyncio.create_task(_left(receive))
    try:
        await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        sending.cancel()
        await asyncio.wait({sending, leaving})
    if not sending.cancelled():
        sending.result()


async def _send_parts(parts: AsyncGenerator[bytes], send: Send) -> None:
    async with aclosing(parts):
        async for part in parts:
            try:
                async with asyncio.timeout(STALLED):
                    await send(_part(part, more=True))
            except TimeoutError:
                return
    await send(_part(b"", more=False))


async def _left(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def answer(value: object, status: int = 200) -> Answer:
    """An answer in JSON that is the caller's own."""
    return Answer(canonical(value), status, JSON, PRIVATE)


def lasting(value: object) -> Answer:
    """An answer in JSON that is the same for all; a caller may keep it for a while."""
    return Answer(canonical(value), 200, JSON, KEPT)


def refusal(document: Problem, *headers: Header) -> Answer:
    """An answer that tells of a problem."""
    told = OF_PROBLEMS.get(document.status, ())
    text = canonical(document)
    refused = Answer(text, document.status, PROBLEM, PRIVATE, *told, *headers)
    refused.code = document.code
    return refused


async def begun(parts: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The same parts, the first of which is there already.

    What keeps it from coming can still be told as a problem; what stops a later part
    can only cut the answer short.
    """
    first = await anext(parts)

    async def whole() -> AsyncGenerator[bytes]:
        async with aclosing(parts):
            yield first
            async for part in parts:
                yield part

    return whole()


def _part(body: bytes, *, more: bool) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": body, "more_body": more}
