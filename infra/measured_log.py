"""The log in Postgres, which counts what is stored and how long that takes."""

from collections.abc import Sequence
from time import perf_counter

import asyncpg

from infra.event_log import PostgresEventLog
from infra.metrics import Metrics
from services.ports import NewAppend, Outcome


class MeasuredEventLog(PostgresEventLog):
    """`services.ports.EventLog` that counts its flights."""

    def __init__(self, pool: asyncpg.Pool, metrics: Metrics) -> None:
        """Work with connections borrowed from `pool`, and count in `metrics`."""
        super().__init__(pool)
        self._metrics = metrics

    async def append(self, batch: Sequence[NewAppend]) -> Sequence[Outcome]:
        """Store appends of different tables at once, and count what became of them."""
        self._metrics.flight_appends.observe(len(batch))
        began = perf_counter()
        try:
            outcomes = await super().append(batch)
        finally:
            self._metrics.flight_seconds.observe(perf_counter() - began)
        for outcome in outcomes:
            self._metrics.stored(outcome.kind)
        return outcomes
