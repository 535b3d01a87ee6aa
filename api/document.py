"""The OpenAPI 3.1 document, made from the operations and the types they name."""

import json
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from importlib.resources import files
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from api.components import Schema, components, ref, schema
from api.links import links
from api.operations import Operation
from api.problems import KINDS, Problem

EXAMPLES: Final = files("api") / "examples"

EXAMPLE: Final = "#/components/examples/{code}"

ABOUT: Final = """\
A server for card games in which you try not to win.

Whatever does not succeed is a problem document (RFC 9457), `application/problem+json`;
go by its `code`, for titles and details may change. Each operation lists those of its
own. An address that is not here is `not-found`, a method that an address does not take
`method-not-allowed`. Clients must bear with fields, event types and codes that they do
not know.

A server may bound what a token, or an address without one, asks of it in a minute. Then
each answer says in `RateLimit` how much is left, and what is too much is refused as
`rate-limited`, before anything is done. Every answer has an `X-Request-Id`, the
request's own if it sent one.
"""

EVERYWHERE: Final = ("unauthenticated", "store-unavailable", "internal")
AT_A_TABLE: Final = ("not-found", "forbidden")
WITH_A_BODY: Final = (
    "malformed-json",
    "invalid-request",
    "too-large",
    "unsupported-media-type",
)
WITH_A_KEY: Final = ("invalid-request", "idempotency-key-reused", "busy")

PATH_PARAMETERS: Final[Mapping[str, Schema]] = {
    "table": {"type": "string", "format": "uuid"},
    "player": {"type": "string", "format": "uuid"},
    "seat": {"type": "integer", "minimum": 0, "maximum": 99},
    "deal": {"type": "integer", "minimum": 1, "maximum": 999_999},
    "game": {"type": "string"},
    "code": {"type": "string"},
}

KEY: Final[Schema] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Any text; the same request sent again with it is carried out once.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 64},
}

INVITE: Final[Schema] = {
    "name": "invite",
    "in": "query",
    "required": False,
    "description": "What lets the caller know of a private table.",
    "schema": {"type": "string"},
}

EVENT_STREAM: Final = "text/event-stream"

LAST_EVENT: Final[Schema] = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "description": "The last version that a client was told before it was cut off.",
    "schema": {"type": "string", "pattern": "^[0-9]{1,16}$"},
}

OF_ALL: Final[Mapping[str, Schema]] = {
    "RateLimit": {
        "description": "The quota that the request fell under: `r` more requests may "
        "come now; `t` is the seconds until one may, if none may now, else until all.",
        "schema": {"type": "string"},
        "example": '"token";r=1199;t=1',
    },
    "RateLimit-Policy": {
        "description": "That quota: `q` requests in `w` seconds.",
        "schema": {"type": "string"},
        "example": '"token";q=1200;w=60',
    },
    "X-Request-Id": {
        "description": "By which the server's log knows the request.",
        "schema": {"type": "string"},
        "example": "5f0c2a94b1d71e80",
    },
}
"""Headers that come with every answer, the first two where there are limits."""

RETRY: Final[Schema] = {
    "Retry-After": {
        "description": "Seconds to wait before the next try.",
        "schema": {"type": "integer"},
    }
}

HEADERS: Final[Mapping[int, Schema]] = {
    401: {
        "WWW-Authenticate": {
            "description": "The scheme that is wanted.",
            "schema": {"const": "Bearer"},
        }
    },
    429: RETRY,
    503: RETRY,
}
"""Headers that come with problems, by status."""


def document(operations: Iterable[Operation]) -> Schema:
    """The whole document."""
    operations = tuple(operations)
    problems = _kept("problems")
    paths: dict[str, dict[str, Schema]] = {}
    for operation in operations:
        method = operation.method.lower()
        paths.setdefault(operation.path, {})[method] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Misère",
            "version": version("misere"),
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": _tag(module), "description": _about(module)}
            for module in dict.fromkeys(op.handler.__module__ for op in operations)
        ],
        "paths": paths,
        "components": {
            "schemas": components(operations),
            "examples": {
                code: {"summary": KINDS[code].title, "value": problems[code]}
                for code in sorted(KINDS)
            },
            "headers": dict(OF_ALL),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "msr_…"}
            },
        },
    }


def _operation(operation: Operation) -> Schema:
    example = _kept(operation.id)
    described: Schema = {
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [_tag(operation.handler.__module__)],
        "parameters": _parameters(operation),
        "responses": {
            str(operation.status): _success(operation, example),
            **_failures(operation),
        },
        "security": [{"token": []}] if operation.token else [{}, {"token": []}],
    }
    if operation.text:
        described["description"] = operation.text
    if operation.body is not None:
        described["requestBody"] = _request(operation, example)
    return described


def _tag(module: str) -> str:
    return module.rpartition(".")[2]


def _about(module: str) -> str:
    """What the operations of a module are about: its docstring's first line."""
    return (sys.modules[module].__doc__ or "").partition("\n")[0]


def _parameters(operation: Operation) -> list[Schema]:
    found = [
        {"name": name, "in": "path", "required": True, "schema": PATH_PARAMETERS[name]}
        for name in operation.parameters
    ]
    if operation.query is not None:
        found += map(_in_query, fields(operation.query))
    if "{table}" in operation.path:
        found.append(INVITE)
    if operation.keyed:
        found.append(KEY)
    if EVENT_STREAM in operation.media:
        found.append(LAST_EVENT)
    return found


def _in_query(field: msgspec.structs.FieldInfo) -> Schema:
    """A parameter of the query; one that may be null can only be left out there."""
    found = schema(field.type)
    if "anyOf" in found:
        found = next(part for part in found["anyOf"] if part != {"type": "null"})
    if field.default not in {None, msgspec.NODEFAULT}:
        found["default"] = field.default
    about = found.pop("description", None)
    return {
        "name": field.encode_name,
        "in": "query",
        "required": field.required,
        **({"description": about} if about else {}),
        "schema": found,
    }


def _request(operation: Operation, example: Schema) -> Schema:
    """The body; where nothing in it must be said, it may be left out."""
    content: Schema = {"schema": schema(operation.body)}
    if "request" in example:
        content["example"] = example["request"]
    if "requests" in example:
        content["examples"] = {
            name: {"value": value} for name, value in example["requests"].items()
        }
    kind = operation.body
    optional = (
        isinstance(kind, type)
        and issubclass(kind, Struct)
        and not any(field.required for field in fields(kind))
    )
    first, *others = operation.takes
    lines: Schema = {"schema": {"type": "string"}}
    return {
        "required": not optional,
        "content": {first: content, **dict.fromkeys(others, lines)},
    }


def _success(operation: Operation, example: Schema) -> Schema:
    described: Schema = {"description": operation.summary, "headers": _headers()}
    if operation.answer is not None:
        content: Schema = {"schema": schema(operation.answer)}
        if "answer" in example:
            content["example"] = example["answer"]
        first, *others = operation.media
        described["content"] = {first: content}
        for media in others:
            described["content"][media] = {"schema": {"type": "string"}}
    if following := links(operation.id):
        described["links"] = following
    return described


def _failures(operation: Operation) -> dict[str, Schema]:
    """The problems that can come, a response for each status."""
    codes = {*EVERYWHERE, *operation.problems}
    if operation.quota != "none":
        codes.add("rate-limited")
    if "{table}" in operation.path:
        codes |= {*AT_A_TABLE}
    if operation.body is not None:
        codes |= {*WITH_A_BODY}
    if operation.keyed:
        codes |= {*WITH_A_KEY}
    if operation.query is not None:
        codes.add("invalid-request")
    by_status: dict[int, list[str]] = {}
    for code in sorted(codes):
        by_status.setdefault(KINDS[code].status, []).append(code)
    return {
        str(status): _failure(status, those)
        for status, those in sorted(by_status.items())
    }


def _failure(status: int, codes: list[str]) -> Schema:
    narrowed = {"properties": {"code": {"enum": codes}}}
    described: Schema = {
        "description": "; ".join(KINDS[code].title for code in codes),
        "content": {
            "application/problem+json": {
                "schema": {"allOf": [ref(Problem.__name__), narrowed]},
                "examples": {
                    code: {"$ref": EXAMPLE.format(code=code)} for code in codes
                },
            }
        },
    }
    described["headers"] = {**HEADERS.get(status, {}), **_headers()}
    return described


def _headers() -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in OF_ALL}


def _kept(name: str) -> Schema:
    """What lies under that name among the examples."""
    kept = EXAMPLES / f"{name}.json"
    found: Schema = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
    return found
