"""Both verifiers on the same records: what either finds, and where they part.

The second one does not judge the play, nor what only its rules give a meaning; whatever
it does find, the first one finds at the same version.
"""

from copy import deepcopy
from functools import partial

import pytest

from domain.records import verify
from tests.records.forgeries import FORGERIES, Forgery
from tests.records.forging import lines, rehash
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
    assert (first.ok, first.version, first.head) == (True, len(record) - 2, first.head)
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
