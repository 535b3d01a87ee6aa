"""What is wrong with an event, in words for who knows the game but not the log."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.chain import canonical
from domain.errors import InvalidTable, Refusal, RuleViolation, TableIsOver
from domain.ids import Version
from domain.log import Kept, Line
from domain.records.spelling import Entry

OF_DEALS: Final = {
    "seats_drawn",
    "deal_started",
    "card_turned",
    "hand_dealt",
    "kitty_dealt",
}
OF_SCORES: Final = {
    "counter_placed",
    "line_made",
    "counters_lost",
    "counters_returned",
    "chips_paid",
    "pool_divided",
    "moon_shot",
    "moon_settled",
    "deal_scored",
    "rubber_ended",
    "settlement_made",
}
OF_REVEALS: Final = {"deal_voided", "deal_revealed", "match_revealed"}
OF_RESULTS: Final = {"match_ended", "table_abandoned"}

LONGEST: Final = 300
"""Characters of an event that are quoted."""

Told = tuple[str, int, str]
"""The check that fails, the version at which it does, and why."""


def check_of(kind: str) -> str:
    """The check that events of a kind belong to."""
    if kind == "table_opened":
        return "options"
    if kind in OF_DEALS:
        return "deals"
    if kind in OF_SCORES:
        return "scores"
    if kind in OF_REVEALS:
        return "reveals"
    return "result" if kind in OF_RESULTS else "rules"


def refused(refusal: Refusal) -> tuple[str, str]:
    """The check that a command fails which had to be refused, and why."""
    match refusal:
        case TableIsOver():
            return "result", "The table was over before."
        case InvalidTable():
            return "options", f"Such a table cannot be made: {refusal}"
        case RuleViolation(rule=rule):
            return "rules", f"Against the rules ({rule}): {refusal}"
        case _:
            return "rules", f"This had to be refused: {refusal}"


def difference(entry: Entry, due: Line, texts: Mapping[Version, str]) -> Told:
    """An event is not the one that had to be there."""
    found, at = entry.event, due.version
    wanted = msgspec.json.decode(due.body, type=_Event)
    if found.type != due.type:
        why = f"{_quoted(wanted)} had to follow, not {found.type}."
        return _check_of_either(due.type, found.type), at, why
    if bytes(found.data) == bytes(wanted.data):
        why = "Who did it, when, in which deal or by which command is another."
        return "appends", at, why
    if due.kept is not None and (text := texts.get(at)) is not None:
        hidden = msgspec.json.decode(due.kept, type=Kept).body
        why = f"What had to lie under the seal is {hidden}, not {_short(text)}."
        return check_of(due.type), at, why
    field, one, other = _apart(_value(wanted.data), _value(found.data))
    why = f"{due.type}: {field} had to be {_short(one)}, not {_short(other)}."
    return check_of(due.type), at, why


def surplus(entry: Entry) -> Told:
    """An event stands where nothing had to follow."""
    found = entry.event
    return "rules", found.version, f"Nothing brought this {found.type} about."


def missing(due: Line) -> Told:
    """An event is missing that had to follow."""
    wanted = msgspec.json.decode(due.body, type=_Event)
    why = f"{_quoted(wanted)} had to follow, and does not."
    return check_of(due.type), due.version, why


def _check_of_either(due: str, found: str) -> str:
    return check_of(due) if check_of(due) != "rules" else check_of(found)


def _apart(due: object, found: object, path: str = "") -> tuple[str, str, str]:
    """Where two values differ first, and what stands there in each."""
    if isinstance(due, dict) and isinstance(found, dict):
        for name in sorted({*due, *found}):
            one, other = due.get(name, _NOTHING), found.get(name, _NOTHING)
            if one != other:
                return _apart(one, other, f"{path}.{name}" if path else name)
    return path, _text(due), _text(found)


def _text(value: object) -> str:
    return "nothing" if value is _NOTHING else canonical(value).decode()


def _value(data: msgspec.Raw) -> object:
    return msgspec.json.decode(data)


_NOTHING: Final = object()


class _Event(msgspec.Struct):
    type: str
    data: msgspec.Raw


def _quoted(event: _Event) -> str:
    return f"{event.type} {_short(bytes(event.data).decode())}"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
