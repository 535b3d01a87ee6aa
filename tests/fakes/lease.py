"""The lease of those who keep the time, in memory, with a clock of its own."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from infra.lease import LAPSE, OUTAGE
from services.ports import Outage
from tests.fakes.summaries import NOON


class MemoryLease:
    """`services.ports.Lease` in memory; `now` is the time that it goes by."""

    def __init__(self) -> None:
        """Nobody has had it yet."""
        self.now = NOON
        self._holder: UUID | None = None
        self._seen_at: datetime = NOON
        self._outages: list[Outage] = []

    async def take(self, holder: UUID) -> bool:
        """Take the lease, or keep it; False where a living process has it."""
        gap: timedelta = self.now - self._seen_at
        if self._holder not in {None, holder} and gap <= LAPSE:
            return False
        if gap > OUTAGE:
            self._outages.append(Outage(self._seen_at, self.now))
        self._holder, self._seen_at = holder, self.now
        return True

    async def leave(self, holder: UUID) -> None:
        """Give the lease back, if this process has it."""
        if self._holder == holder:
            self._holder = None

    async def outages(self) -> Sequence[Outage]:
        """Those that have not been made up for, the first ones first."""
        return tuple(self._outages)

    async def settle(self, outage: Outage) -> None:
        """Note that it has been made up for."""
        self._outages.remove(outage)
