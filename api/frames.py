"""Frames of a stream, in the two forms that a client may ask for."""

from enum import Enum
from typing import Final

from domain.chain import canonical

RETRY: Final = 2000
"""Milliseconds after which a client takes a broken stream up again."""


class Form(Enum):
    """How frames are written, by media type."""

    SSE = "text/event-stream"
    NDJSON = "application/x-ndjson"

    def frame(self, kind: str, data: bytes, at: int | None = None) -> bytes:
        """A frame of that kind, its data in JSON; `at` is the version that it is at."""
        if self is Form.NDJSON:
            return b'{"frame":"%b","id":%b,"data":%b}\n' % (
                kind.encode(),
                b"null" if at is None else b"%d" % at,
                data,
            )
        place = b"" if at is None else b"id: %d\n" % at
        return b"%bevent: %b\ndata: %b\n\n" % (place, kind.encode(), data)

    def of(self, kind: str, value: object, at: int | None = None) -> bytes:
        """A frame of that kind about a value."""
        return self.frame(kind, canonical(value), at)

    @property
    def heartbeat(self) -> bytes:
        """What says that the line is alive."""
        return b"\n" if self is Form.NDJSON else b":\n\n"

    @property
    def opening(self) -> bytes:
        """What comes before all frames."""
        return b"" if self is Form.NDJSON else b"retry: %d\n\n" % RETRY
