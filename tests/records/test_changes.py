"""Whatever single thing is changed in a record's lines, it is found, and where.

Nothing is hashed again here: `test_forgeries` has what a forger would do.
"""

from random import Random
from typing import Final

import pytest

from domain.records import NotARecord, Report, verify
from tests.records.matches import MATCHES, lines

FEW: Final = 10
MANY: Final = 300

Lines = list[bytes]


def other_byte(record: Lines, at: int, chance: Random) -> int:
    """A byte becomes another one."""
    line = bytearray(record[at])
    place = chance.randrange(len(line))
    line[place] = chance.choice([it for it in range(256) if it != line[place]])
    record[at] = bytes(line)
    return at


def one_byte_more(record: Lines, at: int, chance: Random) -> int:
    """A byte comes in, a blank perhaps."""
    place = chance.randrange(len(record[at]) + 1)
    fresh = chance.choice([b" ", b"0", b'"', b"\0", b"\t"])
    record[at] = record[at][:place] + fresh + record[at][place:]
    return at


def one_byte_less(record: Lines, at: int, chance: Random) -> int:
    """A byte is lost."""
    place = chance.randrange(len(record[at]))
    record[at] = record[at][:place] + record[at][place + 1 :]
    return at


def dropped(record: Lines, at: int, _chance: Random) -> int:
    """A line is missing."""
    del record[at]
    return at


def repeated(record: Lines, at: int, _chance: Random) -> int:
    """A line stands twice."""
    record.insert(at, record[at])
    return at + 1


def swapped(record: Lines, at: int, chance: Random) -> int:
    """Two lines change places."""
    other = chance.choice([it for it in range(len(record)) if it != at])
    record[at], record[other] = record[other], record[at]
    return min(at, other)


def cut(record: Lines, at: int, _chance: Random) -> int:
    """All lines from one on are missing."""
    del record[at:]
    return at


CHANGES: Final = (
    other_byte,
    one_byte_more,
    one_byte_less,
    dropped,
    repeated,
    swapped,
    cut,
)


def checked(record: Lines) -> Report | None:
    """What is found; None where it is not even taken for a record."""
    try:
        return verify(lambda: record)
    except NotARecord:
        return None


def assert_changes_are_found(name: str, count: int, seed: int) -> None:
    """So many random changes, one at a time.

    A change in an event's line is found at the very version; what stands before the
    first event is said to be of version 1, what stands behind the last of the next.
    """
    sound = lines(name)
    chance = Random(seed)
    for _ in range(count):
        record = [*sound]
        change = chance.choice(CHANGES)
        at = change(record, chance.randrange(len(record)), chance)
        report = checked(record)
        if report is None:
            assert at == 0
            continue
        told = seed, change.__name__, at, report
        assert not report.ok, told
        assert report.first_bad_version is not None
        if 0 < at <= len(sound) - 2:
            assert report.first_bad_version == at, told
        assert report.first_bad_version <= max(at, 1), told


@pytest.mark.parametrize("name", MATCHES)
def test_a_few_changes_are_found(name: str) -> None:
    """In every match, the same few."""
    assert_changes_are_found(name, FEW, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", MATCHES)
def test_many_changes_are_found(name: str) -> None:
    """In every match, new ones each time."""
    assert_changes_are_found(name, MANY, seed=Random().getrandbits(32))
