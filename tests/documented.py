"""The document as tests use it: what an operation takes and answers, and checks of it.

Schemas are held against values with every format checked.
"""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

from jsonschema import Draft202012Validator

from api.document import document
from api.house import House
from api.routes import OPERATIONS
from infra.metrics import Metrics

Json = dict[str, Any]

DOCUMENT: Final[Json] = json.loads(json.dumps(document(OPERATIONS)))
"""The document as a client reads it."""

SCHEMAS: Final[Json] = DOCUMENT["components"]["schemas"]

EXAMPLES: Final[Json] = DOCUMENT["components"]["examples"]

PROBLEM: Final = "application/problem+json"


class Described(NamedTuple):
    """An operation as the document has it."""

    method: str
    path: str
    text: Json

    @property
    def id(self) -> str:
        """The operation's id."""
        return str(self.text["operationId"])

    @property
    def success(self) -> Json:
        """The one response that is no problem."""
        [found] = [
            response
            for status, response in self.text["responses"].items()
            if ok(status)
        ]
        return dict(found)

    @property
    def problems(self) -> dict[str, Json]:
        """The other responses, by status."""
        return {
            status: response
            for status, response in self.text["responses"].items()
            if not ok(status)
        }

    @property
    def codes(self) -> set[str]:
        """The codes of the problems that may come."""
        return {
            code
            for response in self.problems.values()
            for code in response["content"][PROBLEM]["schema"]["allOf"][1][
                "properties"
            ]["code"]["enum"]
        }

    @property
    def body(self) -> Json | None:
        """The JSON that may be sent: its schema and examples."""
        if "requestBody" not in self.text:
            return None
        return dict(self.text["requestBody"]["content"]["application/json"])

    @property
    def answer(self) -> Json | None:
        """The JSON of a success: its schema and its example."""
        found = self.success.get("content", {}).get("application/json")
        return None if found is None else dict(found)


def ok(status: str) -> bool:
    """Whether a status is that of a success."""
    return status.startswith("2")


DESCRIBED: Final = {
    operation.id: operation
    for path, methods in DOCUMENT["paths"].items()
    for operation in (
        Described(method.upper(), path, text) for method, text in methods.items()
    )
}
"""Every operation by its id."""


def fault(schema: Json, value: object) -> str | None:
    """Where and why a value is not of that schema; None where it is."""
    validator = Draft202012Validator(
        {**schema, "components": DOCUMENT["components"]},
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )
    for error in validator.iter_errors(value):
        return f"{error.json_path}: {error.message[:400]}"
    return None


def parts(value: object) -> Iterator[Json]:
    """Every object in a JSON value, from the outside in."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from parts(part)


def empty_house() -> nullcontext[House]:
    """What is behind a server of which only the pages are asked for."""
    return nullcontext(cast("House", SimpleNamespace(metrics=Metrics(), limits=None)))
