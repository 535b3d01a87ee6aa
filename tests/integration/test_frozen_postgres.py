"""A database that stands still: it takes connections, and answers nothing."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from api.databases import bring_up_to_date
from infra import database
from infra.database import connect
from infra.event_log import PostgresEventLog
from services.readiness import Readiness
from tests.children import family
from tests.embedded import running


@contextmanager
def frozen(pid: int | None) -> Iterator[None]:
    """A process and its children that stand still while the block lasts."""
    processes = family(pid)
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


async def test_who_gives_up_on_a_database_does_not_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even for the connection's way back; and once it goes on all is as before."""
    monkeypatch.setattr(database, "BORROW_SECONDS", 3600)
    with running(tmp_path / "postgres") as postgres:
        await bring_up_to_date(postgres.dsn())
        async with await connect(postgres.dsn()) as pool:
            log = PostgresEventLog(pool)
            before = await log.positions()
            with frozen(postgres.pid):
                async with asyncio.timeout(20):
                    look = await Readiness({"postgres": log.positions}).look()
                assert look == {"postgres": False}
            assert await log.positions() == before
