"""Whatever people do at a table, its record is found right, by both verifiers."""

from functools import partial

import pytest

from domain.records import verify
from tests.second.lives import some_table
from tests.second.node import report
from tests.second.records import joined


def must_be_right(seed: int) -> None:
    """A table's whole life, and what is said of its record."""
    record = some_table(seed).live().record_lines()
    first, second = verify(partial(list, record)), report(joined(record))
    assert first.ok, (seed, first)
    assert second["ok"], (seed, second)


@pytest.mark.parametrize("seed", range(25))
def test_a_table_at_which_anything_is_tried_has_a_sound_record(seed: int) -> None:
    """People sit, leave, are late, come back, look on and give up."""
    must_be_right(seed)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_hundreds_of_such_tables_have_sound_records() -> None:
    """The same with other chances."""
    for seed in range(1000, 1400):
        must_be_right(seed)
