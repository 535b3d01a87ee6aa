"""The schemas of the document: every type that the operations name, and the events."""

from collections.abc import Iterable, Mapping
from inspect import getdoc
from typing import Any, Final, TypeAlias, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from api.operations import Operation
from api.problems import Problem
from domain.commands import MOVES, AnyMove, Move
from domain.decisions import Choices
from domain.events import EVENT_TYPES, Event
from domain.games import GAMES
from domain.ids import Secret
from domain.log import Opens
from domain.people import By
from domain.sight import GameView
from domain.terms import Hex

Schema: TypeAlias = dict[str, Any]

REF: Final = "#/components/schemas/{name}"
SERVED_EVENT: Final = "ServedEvent"
HEX: Final = {"type": "string", "pattern": "^[0-9a-f]{64}$"}

OF_EVENTS: Final = (
    ("EventsAnswer", "items"),
    ("CommandAnswer", "events"),
    ("RecordAnswer", "events"),
)
"""Answers that hold events as they lie in the log, and where."""


def schema(kind: Any) -> Schema:  # noqa: ANN401 - a union is no class
    """The schema of a type; what has a name is referred to."""
    if kind == AnyMove:
        return ref(Move.__name__)
    (found,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return found


def ref(name: str) -> Schema:
    """A reference to the schema of that name."""
    return {"$ref": REF.format(name=name)}


def components(operations: Iterable[Operation]) -> dict[str, Schema]:
    """The schemas by name."""
    named = [
        kind
        for operation in operations
        for kind in (operation.body, operation.answer)
        if kind is not None
    ]
    public = {text: _public(kind) for text, kind in EVENT_TYPES.items()}
    choices = {
        str(kind.__struct_config__.tag): kind for kind in Choices.__subclasses__()
    }
    views = [get_type_hints(game.view)["return"] for game in GAMES.values()]
    parts = [*public.values(), *MOVES.values(), *choices.values(), *views]
    _, found = msgspec.json.schema_components(
        [*named, Problem, By, Opens, *parts], ref_template=REF
    )
    found[Move.__name__] = _tagged(Move, MOVES)
    found[Choices.__name__] = _tagged(Choices, choices)
    found[GameView.__name__] = {
        "title": GameView.__name__,
        "description": getdoc(GameView),
        "anyOf": [ref(kind.__name__) for kind in views],
    }
    for text, kind in public.items():
        found[_event_name(kind)] = _event(text, EVENT_TYPES[text], kind)
    found[SERVED_EVENT] = {
        "title": SERVED_EVENT,
        "description": "An event as it is served; `type` says which.",
        **_union({text: _event_name(kind) for text, kind in public.items()}),
    }
    for answer, field in OF_EVENTS:
        properties = found[answer]["properties"]
        properties[field] = {"type": "array", "items": ref(SERVED_EVENT)}
    found[Problem.__name__]["properties"]["view"] = ref("ViewAnswer")
    return dict(sorted(found.items()))


def _tagged(base: type[Struct], kinds: Mapping[str, type[Struct]]) -> Schema:
    return {
        "title": base.__name__,
        "description": getdoc(base),
        **_union({text: kind.__name__ for text, kind in kinds.items()}),
    }


def _union(names: Mapping[str, str]) -> Schema:
    """One of the schemas of these names, as `type` says."""
    return {
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {text: REF.format(name=name) for text, name in names.items()},
        },
    }


def _public(kind: type[Event]) -> type[Struct]:
    """The public data of an event: a seal in the place of what is hidden."""
    shown: list[Any] = [
        (field.name, field.type)
        for field in fields(kind)
        if field.name not in kind.sealed and field.type is not Secret
    ]
    if kind.sealed:
        shown.append((kind.seal_field, Hex | None))
    return msgspec.defstruct(
        f"{kind.__name__}Data",
        shown,
        namespace={"__doc__": getdoc(kind)},
        rename={field.name: field.encode_name for field in fields(kind)},
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
        "by": ref(By.__name__),
        "command": {"type": "string", "format": "uuid"},
        "data": ref(public.__name__),
        "prev": HEX,
        "hash": HEX,
    }
    opens = {"type": "array", "items": ref(Opens.__name__)}
    return {
        "title": _event_name(public),
        "description": getdoc(kind),
        "type": "object",
        "properties": {**properties, "opens": opens},
        "required": list(properties),
    }
