"""Cursors of lists: opaque to clients, checked when they come back."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from typing import Annotated, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from api.problems import BadRequest

T = TypeVar("T", bound=Struct)

Cursor: TypeAlias = Annotated[
    str, Meta(max_length=200, description="`next` of the page before.")
]
Limit: TypeAlias = Annotated[int, Meta(ge=1, le=200)]


class Paged(Struct, frozen=True, kw_only=True):
    """Which part of a list to answer."""

    limit: Limit = 50
    cursor: Cursor | None = None


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
