"""The JSON Schema of a record as one document, from the parts of the API's."""

from typing import Any, Final

from api.components import Schema, components
from api.routes import OPERATIONS
from api.routes.records import RecordAnswer
from domain.records import FORMAT

ROOT: Final = RecordAnswer.__name__
IN_DOCUMENT: Final = "#/components/schemas/"
HERE: Final = "#/$defs/"


def record_schema() -> Schema:
    """The schema of what `GET /v1/tables/{table}/record` answers as JSON."""
    found = components(OPERATIONS)
    named = {ROOT: _moved(found[ROOT])}
    waiting = [ROOT]
    while waiting:
        for name in sorted(_names(named[waiting.pop()])):
            if name not in named:
                named[name] = _moved(found[name])
                waiting.append(name)
    root = named.pop(ROOT)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **root,
        "title": FORMAT,
        "$defs": dict(sorted(named.items())),
    }


def _moved(value: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """The same with its references here; what tells kinds apart is their `const`."""
    if isinstance(value, dict):
        return {
            key: _moved(part) for key, part in value.items() if key != "discriminator"
        }
    if isinstance(value, list):
        return [_moved(part) for part in value]
    if isinstance(value, str) and value.startswith(IN_DOCUMENT):
        return HERE + value.removeprefix(IN_DOCUMENT)
    return value


def _names(value: object) -> set[str]:
    """The schemas that a schema refers to."""
    if isinstance(value, dict):
        reference = {value["$ref"].removeprefix(HERE)} if "$ref" in value else set()
        return reference.union(*map(_names, value.values()))
    if isinstance(value, list):
        return set().union(*map(_names, value))
    return set()
