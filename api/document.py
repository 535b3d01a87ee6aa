"""The OpenAPI 3.1 document, made from the operations and the types they name."""

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final, TypeAlias, Union

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from api.operations import Operation
from api.problems import KINDS, Problem
from domain.commands import MOVES, Move
from domain.events import EVENT_TYPES, Event
from domain.games.game import Choices, GameView
from domain.log import Opens
from domain.people import By

Schema: TypeAlias = dict[str, Any]

REF: Final = "#/components/schemas/{name}"
SERVED_EVENT: Final = "ServedEvent"
HEX: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}

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


def document(operations: Iterable[Operation]) -> Schema:
    """The whole document."""
    operations = tuple(operations)
    paths: dict[str, dict[str, Schema]] = {}
    components = _components(operations)
    for operation in operations:
        method = operation.method.lower()
        paths.setdefault(operation.path, {})[method] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Misère",
            "version": version("misere"),
            "description": "A server for card games in which you try not to win.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "msr_…"}
            },
        },
    }


def _operation(operation: Operation) -> Schema:
    example = _example(operation)
    described: Schema = {
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [operation.handler.__module__.rpartition(".")[2]],
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
        content: Schema = {"schema": _schema(operation.body)}
        if "request" in example:
            content["example"] = example["request"]
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": content},
        }
    return described


def _parameters(operation: Operation) -> list[Schema]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": PATH_PARAMETERS[name]}
        for name in operation.parameters
    ]
    in_query = []
    for field in fields(operation.query) if operation.query else ():
        schema = _schema(field.type)
        if field.default not in {None, msgspec.NODEFAULT}:
            schema["default"] = field.default
        in_query.append(
            {
                "name": field.encode_name,
                "in": "query",
                "required": field.required,
                "schema": schema,
            }
        )
    if "{table}" in operation.path:
        in_query.append(
            {
                "name": "invite",
                "in": "query",
                "required": False,
                "description": "What lets the caller know of a private table.",
                "schema": {"type": "string", "maxLength": 64},
            }
        )
    return [*in_path, *in_query, *([KEY] if operation.keyed else [])]


def _success(operation: Operation, example: Schema) -> Schema:
    described: Schema = {"description": operation.summary}
    if operation.answer is not None:
        content: Schema = {"schema": _schema(operation.answer)}
        if "answer" in example:
            content["example"] = example["answer"]
        first, *others = operation.media
        described["content"] = {first: content}
        for media in others:
            described["content"][media] = {"schema": {"type": "string"}}
    return described


def _failures(operation: Operation) -> dict[str, Schema]:
    """The problems that can come, a response for each status."""
    codes = {*EVERYWHERE, *operation.problems}
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
        str(status): {
            "description": "; ".join(KINDS[code].title for code in those),
            "content": {
                "application/problem+json": {
                    "schema": {
                        "allOf": [
                            {"$ref": REF.format(name="Problem")},
                            {"properties": {"code": {"enum": those}}},
                        ]
                    }
                }
            },
        }
        for status, those in sorted(by_status.items())
    }


def _schema(kind: Any) -> Schema:  # noqa: ANN401 - a union is no class
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return schema


def _components(operations: Iterable[Operation]) -> dict[str, Schema]:
    """Every type that the operations name, and the events."""
    named = [
        kind
        for operation in operations
        for kind in (operation.body, operation.answer)
        if kind is not None
    ]
    public = {text: _public(kind) for text, kind in EVENT_TYPES.items()}
    choices, views = Choices.__subclasses__(), GameView.__subclasses__()
    _, components = msgspec.json.schema_components(
        [
            *named,
            Problem,
            By,
            Opens,
            *public.values(),
            *MOVES.values(),
            *choices,
            *views,
        ],
        ref_template=REF,
    )
    components[Move.__name__] = _schema(Union[tuple(MOVES.values())])  # noqa: UP007
    components[Choices.__name__] = _schema(Union[tuple(choices)])  # noqa: UP007
    components[GameView.__name__] = _any_of(kind.__name__ for kind in views)
    for text, kind in public.items():
        components[_event_name(kind)] = _event(text, EVENT_TYPES[text], kind)
    components[SERVED_EVENT] = {
        "oneOf": [
            {"$ref": REF.format(name=_event_name(kind))} for kind in public.values()
        ],
        "discriminator": {
            "propertyName": "type",
            "mapping": {
                text: REF.format(name=_event_name(kind))
                for text, kind in public.items()
            },
        },
    }
    events = {"type": "array", "items": {"$ref": REF.format(name=SERVED_EVENT)}}
    for answer, field in (
        ("EventsAnswer", "items"),
        ("CommandAnswer", "events"),
        ("RecordAnswer", "events"),
    ):
        components[answer]["properties"][field] = events
    components["Problem"]["properties"]["view"] = {
        "$ref": REF.format(name="ViewAnswer")
    }
    return dict(sorted(components.items()))


def _any_of(names: Iterable[str]) -> Schema:
    return {"anyOf": [{"$ref": REF.format(name=name)} for name in names]}


def _public(kind: type[Event]) -> type[Struct]:
    """The public data of an event: a seal in the place of what is hidden."""
    hidden = {*kind.sealed, "secret"}
    shown: list[Any] = [
        (field.name, field.type)
        for field in fields(kind)
        if field.name not in hidden or (field.name == "secret" and field.type is str)
    ]
    if kind.sealed:
        shown.append((kind.seal_field, str | None))
    return msgspec.defstruct(
        f"{kind.__name__}Data", shown, namespace={"__doc__": kind.__doc__}
    )


def _event_name(kind: type[Struct]) -> str:
    return kind.__name__.removesuffix("Data") + "Event"


def _event(text: str, kind: type[Event], public: type[Struct]) -> Schema:
    """An event as it is served, of one type."""
    properties: Schema = {
        "v": {"const": kind.v},
        "table": {"type": "string", "format": "uuid"},
        "version": {"type": "integer", "minimum": 1},
        "type": {"const": text},
        "at": {"type": "string", "format": "date-time"},
        "deal": {"type": ["integer", "null"]},
        "by": {"$ref": REF.format(name="By")},
        "command": {"type": "string", "format": "uuid"},
        "data": {"$ref": REF.format(name=public.__name__)},
        "prev": HEX,
        "hash": HEX,
    }
    opens = {"type": "array", "items": {"$ref": REF.format(name="Opens")}}
    return {
        "title": kind.__name__,
        "description": kind.__doc__,
        "type": "object",
        "properties": {**properties, "opens": opens},
        "required": list(properties),
    }


def _example(operation: Operation) -> Schema:
    """The operation's example: a request, an answer, or both."""
    kept = files("api") / "examples" / f"{operation.id}.json"
    found: Schema = json.loads(kept.read_text()) if kept.is_file() else {}
    return found
