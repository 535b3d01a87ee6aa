"""Cursors of lists: opaque to clients, checked when they come back."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Sequence
from typing import Annotated, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from api.problems import BadRequest

T = TypeVar("T", bound=Struct)
Item = TypeVar("Item")

Cursor: TypeAlias = Annotated[
    str, Meta(max_length=200, description="`next` of the page before.")
]
Limit: TypeAlias = Annotated[int, Meta(ge=1, le=200)]


class Paged(Struct, frozen=True, kw_only=True):
    """Which part of a list to answer."""

    limit: Limit = 50
    cursor: Cursor | None = None


class Offset(Struct, frozen=True):
    """Where a list that does not change goes on: after so many of its items."""

    passed: Annotated[int, Meta(ge=0)]


def part(items: Sequence[Item], query: Paged) -> tuple[tuple[Item, ...], str | None]:
    """The part of a list that a query asks for, and the cursor of the next."""
    start = read(query.cursor, Offset) or Offset(0)
    end = start.passed + query.limit
    more = Offset(end) if end < len(items) else None
    return tuple(items[start.passed : end]), written(more)


def written(cursor: Struct | None) -> str | None:
    """A cursor as clients get it."""
    if cursor is None:
        return None
    return urlsafe_b64encode(msgspec.json.encode(cursor)).decode()


def read(text: str | None, kind: type[T]) -> T | None:
    """A cursor that a client sent.

    Raises:
        BadRequest: it is not one that was given out.
    """
    if text is None:
        return None
    try:
        return msgspec.json.decode(urlsafe_b64decode(text), type=kind)
    except (Error, ValueError, msgspec.MsgspecError):
        raise BadRequest(
            "invalid-request", "This is not a cursor of ours.", field="query.cursor"
        ) from None
