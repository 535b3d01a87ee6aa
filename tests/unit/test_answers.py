"""Answers in parts: what keeps the first one from coming comes before the answer."""

from collections.abc import AsyncGenerator

import pytest

from api.answers import begun
from services.ports import StoreUnavailable


async def parts(*given: bytes | Exception) -> AsyncGenerator[bytes]:
    """Parts that come, or are kept from coming."""
    for part in given:
        if isinstance(part, Exception):
            raise part
        yield part


async def test_an_answer_that_has_begun_is_whole() -> None:
    """Every part comes, once and in order."""
    assert [part async for part in await begun(parts(b"1", b"2", b"3"))] == [
        b"1",
        b"2",
        b"3",
    ]


async def test_what_stops_the_first_part_can_still_be_told() -> None:
    """The fault is raised where a problem can be made of it."""
    with pytest.raises(StoreUnavailable):
        await begun(parts(StoreUnavailable()))


async def test_what_stops_a_later_part_cuts_the_answer_short() -> None:
    """The parts before it have left."""
    answer = await begun(parts(b"1", StoreUnavailable()))
    assert await anext(answer) == b"1"
    with pytest.raises(StoreUnavailable):
        await anext(answer)
