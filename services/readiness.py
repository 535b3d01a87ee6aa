"""Whether what the server stands on answers, looked at once a second at most."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Final, TypeAlias

LONGEST: Final = 1.5
"""Seconds after which what does not answer counts as away."""

BELIEVED_FOR: Final = 1.0

Probe: TypeAlias = Callable[[], Awaitable[object]]
"""Asks something small; raises where there is no answer."""


class Readiness:
    """What the server stands on, by name. However many ask, one look is under way."""

    def __init__(self, probes: Mapping[str, Probe]) -> None:
        self._probes = probes
        self._turn = asyncio.Lock()
        self._seen: dict[str, bool] = {}
        self._seen_at = float("-inf")

    async def look(self) -> Mapping[str, bool]:
        """Which of them answer, as it was a second ago or is now."""
        async with self._turn:
            if monotonic() > self._seen_at + BELIEVED_FOR:
                answers = await asyncio.gather(*map(_answers, self._probes.values()))
                self._seen = dict(zip(self._probes, answers, strict=True))
                self._seen_at = monotonic()
            return self._seen


async def _answers(probe: Probe) -> bool:
    try:
        async with asyncio.timeout(LONGEST):
            await probe()
    except Exception:  # noqa: BLE001 - whatever it is, it did not answer
        return False
    return True
