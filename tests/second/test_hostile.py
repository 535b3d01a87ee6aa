"""Nothing that is called a record makes the second verifier hang, fail or be fooled."""

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from tests.games import TRIALS
from tests.second.node import Case, report, reports
from tests.second.records import (
    Json,
    Lines,
    events_of,
    joined,
    lines_of,
    match,
    rehashed,
)

AT = 20
"""The version at which a line is spelled otherwise."""

DEEP = 100_000


@cache
def sound() -> Lines:
    """The lines of a sound record."""
    return lines_of(match("hearts", 4, seed=6))


def document() -> str:
    """The same record as one document."""
    header, *events, end = (line.decode() for line in sound())
    return f'{header[:-1]},"events":[{",".join(events)}],{end[1:]}'


def test_the_document_is_good_before_it_is_spelled_otherwise() -> None:
    """It says what the lines say."""
    assert report(document().encode())["ok"]


NO_RECORDS = {
    "nothing": b"",
    "a newline": b"\n",
    "null": b"null",
    "a list": b"[]",
    "an object": b"{}",
    "no JSON": b"\xff\xfe\x00",
    "another format": b'{"format":"misere-record/2","table":{"id":"x"}}\n',
    "no table": b'{"format":"misere-record/1","table":null}\n',
    "an id that is none": b'{"format":"misere-record/1","table":{"id":"x"}}\n',
    "a prototype": b'{"__proto__":{"format":"misere-record/1","table":{},"events":[]}}',
    "lists in lists": b"[" * DEEP,
    "objects in objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "events that are none": b'{"format":"misere-record/1","events":{},"table":{}}',
}


@pytest.mark.parametrize("text", NO_RECORDS.values(), ids=NO_RECORDS)
def test_what_is_no_record_is_called_so(text: bytes) -> None:
    """No version of it is named, for it has none."""
    assert "not_a_record" in report(text)


def test_a_byte_order_mark_is_no_part_of_a_record() -> None:
    """Neither before lines nor before a document."""
    mark = b"\xef\xbb\xbf"
    for text in (joined(sound()), document().encode()):
        assert "not_a_record" in report(mark + text)


RESPELLED = {
    "white space": (b'{"at":', b'{ "at":'),
    "a carriage return": (b"}", b"}\r"),
    "keys in another order": (b'"data":', b'"zzz":1,"data":'),
    "a key twice": (b'"v":1,', b'"v":1,"v":1,'),
    "a number as a fraction": (b'"v":1,', b'"v":1.0,'),
    "a number with an exponent": (b'"v":1,', b'"v":1e0,'),
    "a number beyond 2^53": (b'"v":1,', b'"v":1,"w":9007199254740993,'),
    "2^53 itself": (b'"data":{', b'"data":{"a":9007199254740992,'),
    "half a number": (b'"data":{', b'"data":{"a":0.5,'),
    "minus nothing": (b'"data":{', b'"data":{"a":-0,'),
    "not a number": (b'"data":{', b'"data":{"a":NaN,'),
    "half a character": (b'"data":{', b'"data":{"a":"\\ud800",'),
    "half a character in UTF-8": (b'"data":{', b'"data":{"a":"\xed\xa0\x80",'),
    "a character escaped": (b'"type":"', b'"type":"\\u0061'),
    "a prototype": (b'"data":{', b'"data":{"__proto__":{"seat":0},'),
    "a key in capitals": (b'"data":{', b'"data":{"A":1,'),
    "a deep list": (b'"data":{', b'"data":{"a":' + b"[" * 99 + b"]" * 99 + b","),
    "a very deep list": (
        b'"data":{',
        b'"data":{"a":' + b"[" * DEEP + b"]" * DEEP + b",",
    ),
    "a line that is no object": (b'{"at":', b'[{"at":'),
    "what no hash covers": (b',"prev":', b',"opens":[],"prev":'),
}


@pytest.mark.parametrize(("old", "new"), RESPELLED.values(), ids=RESPELLED)
def test_a_line_that_is_spelled_otherwise_is_named(old: bytes, new: bytes) -> None:
    """Though JSON's readers take it for the same, or each for something else."""
    lines = list(sound())
    assert old in lines[AT]
    lines[AT] = new.join(lines[AT].rsplit(old, 1))
    said = report(joined(lines))
    assert (said["ok"], said["first_bad_version"]) == (False, AT)


def test_lines_that_end_as_on_windows_are_not_canonical() -> None:
    """The header is the first that shows it."""
    said = report(joined([line + b"\r" for line in sound()]))
    assert (said["ok"], said["first_bad_version"]) == (False, 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"v":1,', '"v":1,"v":1,'),
        ('"v":1,', '"v":2,"v":1,'),
        ('"v":1,', '"v":1.0,'),
        ('"version":20}', '"version":20,"version":20}'),
        ('"format":', '"format":0,"format":'),
    ],
)
def test_a_document_says_nothing_twice(old: str, new: str) -> None:
    """A reader takes the first, another the last: so it is no record."""
    assert old in document()
    assert "not_a_record" in report(document().replace(old, new, 1).encode())


@pytest.mark.parametrize("kept", ["seats", "nothing"])
def test_a_record_without_events_ends_before_its_table(kept: str) -> None:
    """Version 1 is what it lacks first."""
    lines = [sound()[0], sound()[-1]] if kept == "seats" else [sound()[0]]
    said = report(joined(lines))
    assert (said["ok"], said["version"], said["first_bad_version"]) == (False, 0, 1)


HOSTILE: list[Any] = [
    None,
    True,
    -1,
    0,
    2**53 - 1,
    "",
    "__proto__",
    "\x1b[2J",
    "length",
    "0" * 64,
    [],
    [[]],
    [None] * 300,
    {},
    {"to_string": 1},
    {"length": 2**32},
]
"""What may stand in a value's place."""


def places(value: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
    """Every value within one: what holds it, and under which key."""
    if isinstance(value, dict | list):
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for key, below in list(steps):
            yield value, key
            yield from places(below)


@pytest.mark.parametrize("game", TRIALS)
def test_any_value_may_stand_anywhere_and_be_hashed(game: str) -> None:
    """Each of 30 such records gets a report; what it quotes cannot steer a terminal."""
    whole = TRIALS[game].recorded()
    whole_lines = lines_of(whole)
    # Not the plays, of which there are most: they are not judged.
    events = events_of(whole_lines)
    telling = [at for at, it in enumerate(events) if it["type"] != "card_played"]
    chance = Random(30)
    cases = []
    for _ in range(30):
        doctored: list[Json] = deepcopy(events)
        holder, key = chance.choice(list(places(doctored[chance.choice(telling)])))
        holder[key] = chance.choice(HOSTILE)
        cases.append(Case(joined(rehashed(whole_lines, doctored))))
    for said in reports(cases):
        assert set(said) >= {"ok", "checks", "first_bad_version", "why"}
        assert said["ok"] is (said["first_bad_version"] is None)
        assert (said["why"] or "").isprintable()


def test_a_long_record_is_told_of_soon() -> None:
    """A hundred thousand seats, a text of ten million letters, a thousand deals."""
    events = events_of(sound())
    events[0]["data"]["seats"] = [{}] * 100_000
    many = joined(rehashed(sound(), events))
    header = json.loads(sound()[0])
    header["table"]["title"] = "\\" * 10_000_000
    long = json.dumps(header | {"events": [], "head": "", "version": 0}).encode()
    deals = [it for it in events_of(sound()) if it["type"] == "deal_started"] * 1000
    dealt = joined(rehashed(sound(), deals))
    for said in reports(map(Case, (many, long, dealt))):
        assert not said.get("ok")


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("seat_taken", "seat", 2**32 - 2),
        ("seat_taken", "seat", "length"),
        ("match_started", "entropy", ["00" * 32] * 70_000),
        ("match_started", "entropy", []),
        ("match_started", "entropy", None),
        ("deal_started", "dealer", 2**53 - 1),
        ("deal_started", "dealer", -1),
        ("deal_started", "deal", 2**53 - 1),
    ],
)
def test_numbers_that_are_far_too_large_are_told_of_soon(
    kind: str, field: str, value: object
) -> None:
    """Nothing is made as large, or drawn until it fits, on their word."""
    events = events_of(sound())
    at = next(at for at, it in enumerate(events) if it["type"] == kind)
    events[at]["data"][field] = value
    if kind == "seat_taken":
        events[at]["data"]["occupant"] = 2**32 - 1
    said = report(joined(rehashed(sound(), events)))
    assert said["first_bad_version"] == at + 1
