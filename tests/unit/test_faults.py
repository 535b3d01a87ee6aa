"""A fault of the database reaches a caller as one of the port, without its words."""

import traceback

import asyncpg
import pytest

from infra.faults import sheltered
from services.ports import BrokenBatch, StoreUnavailable

WORDS = "the queen of spades"


def refused(state: str) -> asyncpg.PostgresError:
    """What the driver raises for an SQLSTATE, known to it or not."""
    return asyncpg.PostgresError.new({"C": state, "M": WORDS, "D": WORDS, "S": "ERROR"})


@pytest.mark.parametrize(
    ("raised", "seen"),
    [
        (refused("MS002"), BrokenBatch),
        (refused("MS003"), BrokenBatch),
        (refused("22021"), BrokenBatch),  # text that holds a NUL
        (refused("23502"), BrokenBatch),  # a null where none may be
        (asyncpg.exceptions._base.DataError(WORDS), BrokenBatch),  # noqa: SLF001
        (refused("57014"), StoreUnavailable),  # the statement timed out
        (refused("57P01"), StoreUnavailable),  # the server shuts down
        (refused("40P01"), StoreUnavailable),  # a deadlock
        (refused("53100"), StoreUnavailable),  # the disk is full
        (refused("25006"), StoreUnavailable),  # a standby answered
        (asyncpg.InterfaceError(WORDS), StoreUnavailable),
        (asyncpg.InternalClientError(WORDS), StoreUnavailable),
        (ConnectionResetError(WORDS), StoreUnavailable),
        (TimeoutError(WORDS), StoreUnavailable),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
async def test_a_fault_is_told_by_its_kind_and_not_by_its_words(
    raised: Exception, seen: type[Exception]
) -> None:
    """No text of the driver or the server is in the error or in what led to it."""

    @sheltered
    async def work() -> None:
        raise raised

    with pytest.raises(seen) as caught:
        await work()
    told = "".join(traceback.format_exception(caught.value))
    assert WORDS not in told
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


async def test_a_fault_of_the_program_is_left_as_it_is() -> None:
    """A mistake must not look like an outage."""

    @sheltered
    async def work() -> None:
        raise KeyError(WORDS)

    with pytest.raises(KeyError):
        await work()
