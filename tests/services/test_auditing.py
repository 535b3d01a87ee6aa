"""Records are checked beside everything else: once, few at a time, and kept."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing

import pytest

from domain.records import NotARecord, Report
from services.auditing import LONGEST_QUEUE, Auditing
from services.errors import Busy
from services.ports import StoreUnavailable
from services.showing import Showing
from services.snapshots import Snapshot
from tests.driver import Driver
from tests.fakes.memory import MemoryEventLog
from tests.records.matches import lines, match
from tests.services.test_importing import taken


class CountingShowing(Showing):
    """Shows the log, and counts how often a record was wanted."""

    wanted = 0
    away = False

    async def events(self, *asked: object) -> list[bytes]:
        """The events, unless the log is away."""
        self.wanted += asked[1] == 0
        if self.away:
            raise StoreUnavailable
        return await super().events(*asked)  # type: ignore[arg-type]


@asynccontextmanager
async def auditing(
    driver: Driver,
) -> AsyncIterator[tuple[Auditing, CountingShowing, Snapshot]]:
    """What checks records of a log with one table."""
    log = MemoryEventLog()
    tables = await taken(log, driver)
    showing = CountingShowing(log)
    with closing(Auditing(showing)) as checks:
        yield checks, showing, await tables.current(driver.id)


async def test_many_who_ask_at_once_share_one_check() -> None:
    """And those who ask later are told what was found then."""
    async with auditing(match("hearts-4")) as (checks, showing, snapshot):
        asked = [checks.report_on(snapshot) for _ in range(50)]
        reports = await asyncio.gather(*asked)
        assert all(report.ok for report in reports)
        assert await checks.report_on(snapshot) is reports[0]
        assert showing.wanted == 1


async def test_who_stops_waiting_stops_nobody_else() -> None:
    """The check goes on for the others."""
    async with auditing(match("hearts-4")) as (checks, _, snapshot):
        first = asyncio.create_task(checks.report_on(snapshot))
        second = asyncio.create_task(checks.report_on(snapshot))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).ok
        with pytest.raises(asyncio.CancelledError):
            await first


async def test_a_check_that_could_not_be_made_is_made_again() -> None:
    """What was in the way then is not kept."""
    async with auditing(match("hearts-4")) as (checks, showing, snapshot):
        showing.away = True
        with pytest.raises(StoreUnavailable):
            await checks.report_on(snapshot)
        showing.away = False
        await asyncio.sleep(0)
        assert (await checks.report_on(snapshot)).ok


async def test_only_so_many_records_wait() -> None:
    """One more is told to come again, and may once there is room."""
    async with auditing(match("hearts-4")) as (checks, _, snapshot):
        with ExitStack() as full:
            for _ in range(LONGEST_QUEUE):
                full.enter_context(checks.room())
            with pytest.raises(Busy):
                await checks.report_on(snapshot)
        await asyncio.sleep(0)
        assert (await checks.report_on(snapshot)).ok


async def report(checks: Auditing, body: bytes, *, document: bool = False) -> Report:
    """What is found of a record that was sent."""
    with checks.room() as file:
        file.write(body)
        return await checks.report(file, document=document)


async def test_a_record_that_is_sent_is_checked_in_either_form() -> None:
    """With or without an end to its last line."""
    body = b"\n".join(lines("hearts-3"))
    async with auditing(match("hearts-4")) as (checks, _, _):
        assert (await report(checks, body)).ok
        assert (await report(checks, body + b"\n")).ok
        assert not (await report(checks, body + b"\n\n")).ok
        with pytest.raises(NotARecord):
            await report(checks, body, document=True)
        with pytest.raises(NotARecord):
            await report(checks, b"")
