"""Both verifiers on the same records: what either finds, and where they part.

The second one does not judge the play, nor what only its rules give a meaning; whatever
it does find, the first one finds at the same version.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from functools import partial

import pytest

from domain.records import NotARecord, lines_of_document, verify
from tests.driver import Record
from tests.records.forgeries import FORGERIES, Forgery
from tests.records.forging import append_of, events, lines, rehash, spelled, two_deals
from tests.records.matches import MATCHES
from tests.records.matches import lines as lines_of
from tests.second.node import Case, reports

OF_THE_PLAY = {"rules", "scores", "result", "options"}
"""The checks that only the first one makes."""


def second(record: list[bytes]) -> dict[str, object]:
    """What the second verifier says of a record."""
    [report] = reports([Case(b"".join(line + b"\n" for line in record))])
    return report


@pytest.mark.parametrize("name", MATCHES)
def test_both_find_nothing_wrong_with_a_match(name: str) -> None:
    """And come to the same head and version."""
    record = [*lines_of(name)]
    first, other = verify(partial(list, record)), second(record)
    assert (first.ok, first.version) == (True, len(record) - 2)
    assert (other["ok"], other["version"], other["head"]) == (
        True,
        first.version,
        first.head,
    )


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda it: it.forge.__name__)
def test_what_the_second_finds_the_first_finds_there(forgery: Forgery) -> None:
    """What the second lets pass is a matter of the play, or of a head that was kept."""
    record = deepcopy(forgery.record())
    forgery.forge(record)
    rehash(record)
    its_lines = lines(record)
    first, other = verify(partial(list, its_lines)), second(its_lines)
    if not other["ok"]:
        assert other["first_bad_version"] == first.first_bad_version
    else:
        wrong = {it.name for it in first.checks if not it.ok}
        assert first.ok or wrong & (OF_THE_PLAY | {"form", "header", "appends"})


def in_header(**more: object) -> Callable[[Record], None]:
    """The header says so as well."""
    return lambda record: record["table"].update(more)


def left_out(name: str) -> Callable[[Record], None]:
    """The header does not say that."""
    return lambda record: record["table"].pop(name)


def in_event(name: str, value: object) -> Callable[[Record], None]:
    """A play has this in its envelope."""

    def change(record: Record) -> None:
        for event in append_of(record, events(record, "card_played")[3]):
            event[name] = value

    return change


MISSHAPEN = {
    **{f"no {name} told": left_out(name) for name in two_deals()["table"]},
    "commitment told": in_header(commitment="5e" * 32),
    "an event's own field": in_event("note", 1),
    "something opened": in_event("opens", []),
    "a seat in words": in_event("by", {"seat": "0"}),
    "no seat": in_event("by", {"seat": None}),
    "a clock that is none": in_event("by", {"clock": False}),
    "another author": in_event("by", {"house": True}),
    "a month too many": in_event("at", "2026-13-30T02:45:00.123456Z"),
    "a day too many": in_event("at", "2026-02-30T02:45:00.123456Z"),
    "an hour too many": in_event("at", "2026-11-30T24:00:00.000000Z"),
    "a second too many": in_event("at", "2026-11-30T23:59:60.000000Z"),
    "no year": in_event("at", "0000-11-30T23:59:00.000000Z"),
    "a time in a list": in_event("at", ["2026-11-30T02:45:00.123456Z"]),
}
"""Records out of shape though all their hashes fit."""


@pytest.mark.parametrize("misshape", MISSHAPEN.values(), ids=MISSHAPEN)
def test_neither_takes_what_is_out_of_shape(misshape: Callable[[Record], None]) -> None:
    """Both name the same version, or call it no record."""
    record = two_deals()
    misshape(record)
    rehash(record)
    refused_alike(lines(record))


MISSPELLED: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "text behind the end": lambda them: [*them, b"and so on"],
    "an empty line behind the end": lambda them: [*them, b""],
    "another end": lambda them: [*them, them[-1]],
    "an object behind the end": lambda them: [*them, b"{}"],
    "a longer header": lambda them: [longer(them[0]), *them[1:]],
    "a longer end": lambda them: [*them[:-1], longer(them[-1])],
    "an end without a version": lambda them: [
        *them[:-1],
        b'{"head":"%s"}' % (b"5" * 64),
    ],
    "an end without a head": lambda them: [*them[:-1], b'{"version":317}'],
    "nothing between": lambda them: [them[0], them[-1]],
}
"""Lines in which the events are as sound as before."""


@pytest.mark.parametrize("misspell", MISSPELLED.values(), ids=MISSPELLED)
def test_neither_takes_other_lines_about_sound_events(
    misspell: Callable[[list[bytes]], list[bytes]],
) -> None:
    """The header, the end, and nothing behind it."""
    refused_alike(misspell(lines(two_deals())))


def test_neither_takes_a_number_in_another_spelling() -> None:
    """A document may be laid out as one likes; its numbers are what they are."""
    document = json.dumps(two_deals()).replace('"seat": 0', '"seat": -0', 1).encode()
    with pytest.raises(NotARecord):
        list(lines_of_document(document))
    [other] = reports([Case(document)])
    assert "not_a_record" in other


def test_the_chain_goes_through_the_head_that_a_table_begins_with() -> None:
    """Before its first event; it proves that the record is of this table, no more."""
    record, origin = (
        [*lines_of("hearts-3")],
        json.loads(lines_of("hearts-3")[1])["prev"],
    )
    first = verify(partial(list, record), origin)
    [other] = reports([Case(b"".join(line + b"\n" for line in record), head=origin)])
    assert first.ok
    assert other["ok"]


def longer(line: bytes) -> bytes:
    """The line with one thing more in it."""
    return spelled(json.loads(line) | {"note": 1})


def refused_alike(record: list[bytes]) -> None:
    """Both find a record bad, at the same version, or call it none."""
    other = second(record)
    try:
        first = verify(partial(list, record))
    except NotARecord:
        assert "not_a_record" in other
    else:
        assert not first.ok
        assert other.get("first_bad_version") == first.first_bad_version
