"""Readiness: what answers is told from what does not, and asking is cheap."""

import asyncio

import pytest

from services import readiness
from services.readiness import Readiness


async def answers() -> None:
    """Be well."""


async def fails() -> None:
    """Be away."""
    raise OSError


async def hangs() -> None:
    """Never answer."""
    await asyncio.Event().wait()


async def test_what_fails_or_hangs_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part is looked at for itself."""
    monkeypatch.setattr(readiness, "LONGEST", 0.01)
    look = Readiness({"a": answers, "b": fails, "c": hangs}).look
    assert await look() == {"a": True, "b": False, "c": False}


async def test_many_who_ask_cause_one_look() -> None:
    """What was seen is told again for a while."""
    looks = 0

    async def counts() -> None:
        nonlocal looks
        looks += 1
        await asyncio.sleep(0)

    ready = Readiness({"a": counts})
    told = await asyncio.gather(*(ready.look() for _ in range(50)))
    assert told == [{"a": True}] * 50
    assert looks == 1


async def test_what_was_seen_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What comes back is noticed."""
    monkeypatch.setattr(readiness, "BELIEVED_FOR", -1.0)
    told = iter([OSError, None])

    async def comes_back() -> None:
        if fault := next(told):
            raise fault

    ready = Readiness({"a": comes_back})
    assert await ready.look() == {"a": False}
    assert await ready.look() == {"a": True}
