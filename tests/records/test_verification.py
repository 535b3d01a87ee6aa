"""Records that nobody touched are found right, and what was checked is counted."""

import json

import pytest

from domain.chain import canonical
from domain.events import (
    DeadlineExtended,
    DealRevealed,
    DealScored,
    DealStarted,
    SeatProxied,
    SeatResumed,
    SeatTimedOut,
)
from domain.records import NotARecord, lines_of_document, verify
from domain.records.report import CHECKS
from tests.records.matches import MATCHES, lines, match

every_match = pytest.mark.parametrize("name", MATCHES)


@every_match
def test_a_record_is_found_right(name: str) -> None:
    """Every check is made, and none finds anything."""
    record = lines(name)
    report = verify(lambda: record)
    assert [check for check in report.checks if not check.ok] == []
    assert report.ok
    assert report.first_bad_version is None
    driver = match(name)
    assert report.version == driver.table.version
    assert report.head == driver.lines[-1].hash.hex()
    assert [check.name for check in report.checks] == [*CHECKS][:-1]
    checked = {check.name: check.checked for check in report.checks}
    assert checked["chain"] == report.version
    assert checked["appends"] == checked["rules"] == len(driver.appends)
    kinds = [type(event) for event in driver.events()]
    assert checked["deals"] == kinds.count(DealStarted)
    assert checked["scores"] == kinds.count(DealScored)
    assert checked["reveals"] == kinds.count(DealRevealed) + 1


@every_match
def test_a_record_as_one_document_is_found_right(name: str) -> None:
    """However it is laid out: what counts is what it says."""
    document = json.dumps(match(name).record(), indent=1).encode()
    record = [*lines_of_document(document)]
    assert record == [*lines(name)]


def test_the_matches_have_what_is_hard_to_check() -> None:
    """Late and returning seats are among them, and a server that was away."""
    kinds = {type(event) for name in MATCHES for event in match(name).events()}
    assert {SeatTimedOut, SeatProxied, SeatResumed, DeadlineExtended} <= kinds


def test_every_head_that_a_client_kept_is_found_again() -> None:
    """Also those of the middle of the match."""
    record = lines("hearts-4")
    driver = match("hearts-4")
    for line in (driver.lines[0], driver.lines[40], driver.lines[-1]):
        report = verify(lambda: record, line.hash.hex())
        assert report.ok
        assert report.checks[-1].name == "kept_head"


def test_a_head_of_another_course_of_things_is_not_found() -> None:
    """Then the record may be as sound as it likes."""
    record = lines("hearts-4")
    report = verify(lambda: record, match("hearts-3").lines[40].hash.hex())
    assert not report.ok
    assert [check.name for check in report.checks if not check.ok] == ["kept_head"]
    assert report.first_bad_version == 1


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"format":"misere-record/2","table":{"id":"x"}}',
        b'{"format":"misere-record/1"}',
        b'{"format":"misere-record/1","table":[]}',
        b'{"events":[],"format":"misere-record/1","head":"","table":{}}',
        b"1" * 10_000,
    ],
)
def test_what_is_no_record_is_called_none(text: bytes) -> None:
    """Neither as lines nor as a document."""
    with pytest.raises(NotARecord):
        verify(lambda: text.split(b"\n"))
    if not text.startswith(b'{"events"'):
        with pytest.raises(NotARecord):
            list(lines_of_document(text))


def test_a_document_that_says_something_twice_is_called_none() -> None:
    """Two readers could take it in two ways."""
    document = canonical(match("hearts-never-begun").record())
    doubled = document.replace(b'"type":', b'"type":"seat_taken","type":', 1)
    with pytest.raises(NotARecord):
        list(lines_of_document(doubled))
