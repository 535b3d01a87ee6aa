"""What does not fit its type, told to whoever sent it: where, and what is wanted there.

The sender's own value is never quoted: it may be long, and it may be a secret.
"""

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct, ValidationError

LONGEST_NAME: Final = 40
"""Characters of a field's name that are told again, for it may be the sender's."""

KINDS: Final = {
    "str": "a text",
    "int": "a whole number",
    "float": "a fraction",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
    "uuid": "an id",
}
"""Types of JSON in words; any other is left as it is."""

BOUNDS: Final = {
    "<=": "at most",
    ">=": "at least",
    "<": "less than",
    ">": "more than",
}

UNITS: Final = {"str": "characters", "array": "items", "object": "fields"}


class Misfit(Struct, frozen=True):
    """A sentence about what does not fit, and the path of the field, `""` for all."""

    text: str
    path: str


def misfit(wrong: ValidationError) -> Misfit:
    """What a validator found, in words for the sender."""
    found, _, path = str(wrong).partition(" - at `$")
    return Misfit(_told(found), path.rstrip("`").replace("[...]", "[]"))


def _told(found: str) -> str:
    for pattern, tell in _SENTENCES:
        if match := pattern.match(found):
            return tell(match)
    return "This value is not of the form that is wanted here."


def _kind(names: str) -> str:
    *others, last = (KINDS.get(name, name) for name in names.split(" | "))
    return f"{', '.join(others)} or {last}" if others else last


def _size(match: re.Match[str]) -> str:
    kind, bound, number = match.groups()
    unit = UNITS.get(kind, "items")
    unit = unit.removesuffix("s") if number == "1" else unit
    return f"This must have {BOUNDS[bound]} {number} {unit}."


def _bound(match: re.Match[str]) -> str:
    return f"This must be {BOUNDS[match[1]]} {match[2]}."


_SENTENCES: Final[list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]] = [
    (
        re.compile(r"Object missing required field `(.*)`", re.DOTALL),
        lambda match: f"The field `{match[1][:LONGEST_NAME]}` is missing.",
    ),
    (
        re.compile(r"Object contains unknown field `(.*)`", re.DOTALL),
        lambda match: f"There is no field `{match[1][:LONGEST_NAME]}` here.",
    ),
    (re.compile(r"Expected `(\w+)` of length ([<>]=) (\d+)"), _size),
    (re.compile(r"Expected `\w+` ([<>]=?) (-?\d+)"), _bound),
    (
        re.compile(r"Expected `([^`]+)`, got `([^`]+)`"),
        lambda match: f"This must be {_kind(match[1])}, not {_kind(match[2])}.",
    ),
    (re.compile("Invalid UUID"), lambda _: "This must be an id."),
    (
        re.compile(r"Expected `str` matching regex '\^\[0-9a-f]\{(\d+)\}\$'"),
        lambda match: f"This must be {match[1]} hexadecimal digits in lower case.",
    ),
    (
        re.compile(r"Invalid (enum )?value"),
        lambda _: "This value is not one of those allowed.",
    ),
]
"""What a validator says, and what we say; the first that fits is taken."""
