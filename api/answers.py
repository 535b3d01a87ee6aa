"""Answers as they go over the wire: small ASGI applications, ready to be sent."""

from collections.abc import AsyncIterator
from typing import Final, TypeAlias

from litestar.types import HTTPResponseBodyEvent, Receive, Scope, Send

from domain.chain import canonical

Header: TypeAlias = tuple[bytes, bytes]

JSON: Final = "application/json"

PRIVATE: Final = (b"cache-control", b"private, no-store")
"""For answers that are the caller's own, which nobody else may keep."""

LASTING: Final = (b"cache-control", b"public, max-age=300")
"""For answers that are the same for all."""


class Answer:
    """A status, headers, and a body of bytes, or of parts that follow one another."""

    def __init__(
        self,
        body: bytes | AsyncIterator[bytes],
        status: int,
        media: str,
        *headers: Header,
    ) -> None:
        self.body = body
        self.status = status
        self.headers = [(b"content-type", media.encode()), *headers]
        if isinstance(body, bytes):
            self.headers.append((b"content-length", b"%d" % len(body)))

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
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
        async for part in body:
            await send(_part(part, more=True))
        await send(_part(b"", more=False))


def answer(value: object, status: int = 200) -> Answer:
    """An answer in JSON that is the caller's own."""
    return Answer(canonical(value), status, JSON, PRIVATE)


def lasting(value: object) -> Answer:
    """An answer in JSON that is the same for all and may be kept for a while."""
    return Answer(canonical(value), 200, JSON, LASTING)


async def begun(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same parts, the first of which is there already.

    What keeps it from coming can still be told as a problem; what stops a later part
    can only cut the answer short.
    """
    first = await anext(parts)

    async def whole() -> AsyncIterator[bytes]:
        yield first
        async for part in parts:
            yield part

    return whole()


def _part(body: bytes, *, more: bool) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": body, "more_body": more}
