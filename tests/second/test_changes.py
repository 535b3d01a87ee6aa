"""Whatever is changed in a record, the second verifier names the first bad version."""

from functools import cache
from random import Random

import pytest

from tests.games import TRIALS
from tests.second.node import Case, reports
from tests.second.records import CHANGES, Lines, joined, lines_of

every_game = pytest.mark.parametrize("game", TRIALS)


@cache
def sound(game: str) -> Lines:
    """The lines of a sound record."""
    return lines_of(TRIALS[game].recorded())


@every_game
def test_a_random_change_is_found_where_it_is(game: str) -> None:
    """Ten of them, of all kinds."""
    changes_are_found(game, 10, Random(25))


@pytest.mark.slow
@every_game
def test_many_random_changes_are_found_where_they_are(game: str) -> None:
    """300 of them, of all kinds."""
    changes_are_found(game, 300, Random(300))


def changes_are_found(game: str, count: int, chance: Random) -> None:
    """The first line that is not what it was is the first bad version."""
    lines = sound(game)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    cases, due = [Case(joined(lines))], []
    for number in range(count):
        at = chance.randrange(1, len(lines) - 1)
        start, end, put = CHANGES[number % len(CHANGES)](lines, at, chance)
        cases.append(Case(change=(starts[start], starts[end], joined(put))))
        due.append(at)
    good, *changed = reports(cases)
    assert good["ok"]
    assert [it["first_bad_version"] for it in changed] == due
