"""The numbers of ways to play on in fixed deals, which OpenSpiel finds too."""

import pytest

from tests.hearts_counts import (
    COUNTED,
    LEFT,
    OPENING,
    Counted,
    after_line,
    at_first_lead,
    continuations,
)

every_deal = pytest.mark.parametrize("counted", COUNTED.values(), ids=COUNTED)


@every_deal
def test_so_many_ways_lead_on_from_the_first_lead(counted: Counted) -> None:
    """Two tricks and a half, every legal card played in its turn."""
    assert continuations(at_first_lead(counted), OPENING) == counted.opening


@every_deal
def test_so_many_ways_lead_to_the_last_card(counted: Counted) -> None:
    """The last four tricks, every legal card played in its turn."""
    assert continuations(after_line(counted), LEFT) == counted.ending
