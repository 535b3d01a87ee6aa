"""Reading what clients send: bounded, checked, and refused by name of the field."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import msgspec
from litestar.types import Receive
from msgspec import Struct, ValidationError
from msgspec.json import Decoder

from api.problems import BadRequest
from domain.misfits import misfit

T = TypeVar("T")
Query = TypeVar("Query", bound=Struct)

LARGEST_BODY: Final = 65_536
"""Bytes; an arrangement of 64 deals takes about 25,000."""


async def read_body(receive: Receive, media: str) -> bytes:
    """The raw body of a request, whose media type must be JSON.

    Raises:
        BadRequest: it is too large or of another media type.
    """
    parts: list[bytes] = []
    await hand_on(receive, parts.append, LARGEST_BODY)
    raw = b"".join(parts)
    if raw:
        media_of(media, "application/json")
    return raw


async def hand_on(
    receive: Receive, take: Callable[[bytes], object], largest: int
) -> None:
    """Give the parts of a body to `take` as they come.

    Raises:
        BadRequest: it has more than `largest` bytes.
    """
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise BadRequest("malformed-json", "The body was cut short.")
        size += len(message["body"])
        if size > largest:
            raise BadRequest(
                "too-large", f"A body may have {largest} bytes.", largest=largest
            )
        take(message["body"])
        more = message["more_body"]


def media_of(sent: str, *accepted: str) -> str:
    """The media type that a header names.

    Raises:
        BadRequest: it is none of those accepted.
    """
    media = sent.partition(";")[0].strip().lower()
    if media not in accepted:
        raise BadRequest(
            "unsupported-media-type",
            f"The body must be {' or '.join(accepted)}.",
            accepted=[*accepted],
        )
    return media


def decode(raw: bytes, kind: Decoder[T]) -> T:
    """The body as a value of that kind; an empty one is an empty object.

    Raises:
        BadRequest: it is not JSON, repeats a key, or is not of that kind.
    """
    raw = raw or b"{}"
    try:
        _STRICT.decode(raw.decode())
        return kind.decode(raw)
    except ValidationError as wrong:
        found = misfit(wrong)
        raise BadRequest(
            "invalid-request", found.text, field=f"body{found.path}"
        ) from None
    except RecursionError:
        raise BadRequest("malformed-json", "The body is nested too deep.") from None
    except (msgspec.DecodeError, ValueError):
        raise BadRequest("malformed-json", "The body is not valid JSON.") from None


def decode_query(sent: Sequence[tuple[str, str]], kind: type[Query]) -> Query:
    """The query as a struct of `kind`.

    Raises:
        BadRequest: a parameter is unknown, repeated, or not of its form.
    """
    known = {field.encode_name: field.name for field in msgspec.structs.fields(kind)}
    values: dict[str, str] = {}
    for name, value in sent:
        if name not in known:
            raise _unfit("There is no such parameter here.", name)
        if name in values:
            raise _unfit("This parameter may be sent once.", name)
        values[name] = value
    try:
        query = msgspec.convert(values, kind, strict=False)
    except ValidationError as wrong:
        found = misfit(wrong)
        # No text is null: who means that leaves the parameter out.
        text = found.text.replace(" or null", "")
        raise BadRequest("invalid-request", text, field=f"query{found.path}") from None
    for name in values:
        # The text "null" is taken for no value, which is said by leaving it out.
        if getattr(query, known[name]) is None:
            raise _unfit("This value is not one of those allowed.", name)
    return query


def _unfit(text: str, name: str) -> BadRequest:
    return BadRequest("invalid-request", text, field=f"query.{name[:40]}")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadRequest("malformed-json", "An object repeats a key.")
    return found


_STRICT: Final = json.JSONDecoder(object_pairs_hook=_distinct)
"""Reads JSON to see whether a key is repeated, which msgspec does not mind."""
