"""Whatever bytes a record is made of, what comes of it is a report."""

import tracemalloc
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final
from uuid import UUID

import pytest

from domain.commands import LeaveSeat, TakeSeat
from domain.ids import Seat
from domain.records import NotARecord, lines_of_document, verify, windows
from domain.records.spelling import LONGEST_LINE
from tests.driver import Record, of_bots, of_people
from tests.records.forging import arranged, bids, late, lines, rehash, two_deals
from tests.records.matches import lines as lines_of

NASTY: Final[list[Any]] = [
    None,
    True,
    -1,
    0,
    2**31,
    2**53,
    2**64,
    10**40,
    1.5,
    "",
    "\0",
    "QS",
    "x" * 5000,
    "9999-12-31T23:59:59.999999Z",
    "00000000-0000-0000-0000-000000000000",
    "f" * 64,
    [],
    [[[]]],
    ["QS"] * 200,
    {},
    {"seat": 99},
    {"player": "x", "bot": 1},
]


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    """Where in a document anything stands."""
    if isinstance(value, dict | list):
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for step, below in steps:
            yield (*path, step)
            yield from places(below, (*path, step))


def spoilt(record: Record, chance: Random) -> Record:
    """The record with something nasty in the place of something, hashed again."""
    worse = deepcopy(record)
    at = chance.randrange(len(worse["events"]))
    path = chance.choice([*places(worse["events"][at])])
    holder: Any = worse["events"][at]
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = chance.choice(NASTY)
    return worse


@pytest.mark.parametrize("make", [two_deals, late, arranged, bids])
def test_nonsense_in_a_well_hashed_record_is_reported(make: Any) -> None:  # noqa: ANN401
    """Numbers too large, seats that are none, texts for numbers, lists in lists."""
    chance = Random(6)
    record = make()
    found = 0
    for _ in range(150):
        worse = spoilt(record, chance)
        try:
            rehash(worse)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            continue  # nothing that could be hashed
        try:
            report = verify(lambda worse=worse: lines(worse))  # type: ignore[misc]
        except NotARecord:
            continue
        found += not report.ok
    assert found > 60


def test_noise_behind_a_first_line_is_reported() -> None:
    """Any bytes may follow."""
    chance = Random(7)
    top = lines_of("hearts-3")[0]
    for _ in range(50):
        noise = [chance.randbytes(chance.randrange(300)) for _ in range(5)]
        assert verify(lambda noise=noise: [top, *noise]).first_bad_version == 1  # type: ignore[misc]


def test_what_is_nested_deep_is_reported() -> None:
    """It is not followed to its end."""
    record = [*lines_of("hearts-3")]
    record[5] = record[5].replace(b'"data":', b'"data":' + b"[" * 5000 + b"]" * 5000)
    assert verify(lambda: record).first_bad_version == 5


def test_a_line_without_an_end_is_reported() -> None:
    """It is longer than any event."""
    record = [*lines_of("hearts-3")]
    record[5] += b" " * LONGEST_LINE
    assert verify(lambda: record).first_bad_version == 5


def test_millions_of_events_that_are_none_are_no_record() -> None:
    """They take no memory but what their JSON takes."""
    head = b'{"format":"misere-record/1","table":{"id":1},"head":"","events":['
    document = head + b",".join([b"1"] * 500_000) + b"]}"
    tracemalloc.start()
    with pytest.raises(NotARecord):
        list(lines_of_document(document))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10 * len(document)


@pytest.mark.parametrize("commands", [1, 3000])
def test_a_deal_of_endless_events_is_not_gathered(
    commands: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many lines are not held in memory, be they of one command or of many."""
    monkeypatch.setattr(windows, "LARGEST", 500_000)
    record = two_deals()
    play = next(it for it in record["events"] if it["type"] == "card_played")
    at = record["events"].index(play)
    last = record["events"][-1]["version"]
    record["events"][at:at] = [
        play | {"version": last + 1 + n, "command": str(UUID(int=n % commands))}
        for n in range(3000)
    ]
    rehash(record)
    report = verify(lambda: lines(record))
    assert not report.ok
    [form] = [check for check in report.checks if check.name == "form"]
    assert "so many events" in str(form.why).lower()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_deal_in_which_somebody_came_and_went_all_day_is_as_sound() -> None:
    """Whoever is losing cannot make the record worse by that."""
    driver = of_people(of_bots("hearts", {"target": 1}, seed=4), None, "wait")
    seat, leave = Seat(1), LeaveSeat(Seat(1))
    for _ in range(26_000):
        driver.do(leave)
        driver.do(TakeSeat(seat, driver.table.seats[1]))
        driver.tables.clear()
    record = driver.finish().record_lines()
    assert verify(lambda: record).ok
