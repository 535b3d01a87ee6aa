"""Records become tables of a log: the same bytes, the same secrets, the same table."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

import pytest

from domain.chain import canonical, shard_of
from domain.ids import CommandId, Position, Version
from domain.log import public_event
from domain.records import lines_of_document
from services.committer import Committer
from services.importing import Importing, NotImported, is_import
from services.projections import summary
from services.tables import Tables
from tests.driver import Driver
from tests.fakes.memory import MemoryEventLog
from tests.fakes.read_models import MemoryReadModels
from tests.records.forgeries import illegal_play
from tests.records.forging import lines, rehash, two_deals
from tests.records.matches import MATCHES, match
from tests.records.matches import lines as lines_of
from tests.services.processes import follower, outside


@asynccontextmanager
async def importing(log: MemoryEventLog) -> AsyncIterator[Importing]:
    """What takes records into a log."""
    committer = Committer(log)
    flying = asyncio.create_task(committer.run())
    try:
        yield Importing(log, committer)
    finally:
        flying.cancel()
        await asyncio.gather(flying, return_exceptions=True)


def lasting(record: Iterable[bytes]) -> Callable[[], list[bytes]]:
    """Lines that can be read as often as one likes."""
    kept = [*record]
    return lambda: kept


async def taken(log: MemoryEventLog, driver: Driver) -> Tables:
    """The tables of a process, after a driver's record was taken in."""
    async with importing(log) as into:
        await into.take(lasting(driver.record_lines()))
    return Tables(log, Committer(log), outside())


@pytest.mark.parametrize("name", MATCHES)
async def test_an_imported_table_is_the_one_that_was_played(name: str) -> None:
    """Event by event, hash by hash, and what was hidden too."""
    log, driver = MemoryEventLog(), match(name)
    tables = await taken(log, driver)
    stored = await log.read(driver.id, Version(0), 10_000)
    assert [(it.body, it.hash) for it in stored] == [
        (line.body, line.hash) for line in driver.lines
    ]
    secrets = await log.secrets(driver.id, Version(1), Version(10_000))
    assert secrets == {it.version: it.kept for it in driver.lines if it.kept}
    snapshot = await tables.current(driver.id)
    assert snapshot.table == driver.table
    halfway = driver.tables[len(driver.tables) // 2]
    assert (await tables.at(driver.id, halfway.version)).table == halfway


async def test_what_is_here_already_is_refused() -> None:
    """Whether it was played here or taken before."""
    log = MemoryEventLog()
    await taken(log, match("hearts-4"))
    async with importing(log) as into:
        with pytest.raises(NotImported, match="is here already"):
            await into.take(lasting(lines_of("hearts-4")))


async def test_what_does_not_verify_is_refused() -> None:
    """A forgery, and a record that was cut; nothing of it is stored."""
    forged = two_deals()
    illegal_play(forged)
    rehash(forged)
    log = MemoryEventLog()
    async with importing(log) as into:
        for record in (lines(forged), lines_of("hearts-4")[:-3]):
            with pytest.raises(NotImported, match="version"):
                await into.take(lasting(record))
    assert not any(await log.positions())


async def test_a_lost_answer_is_no_second_import() -> None:
    """The store is asked again, and has it: that is a success."""
    log = MemoryEventLog()
    log.outages.append("after")
    tables = await taken(log, match("hearts-4"))
    assert (await tables.current(match("hearts-4").id)).table.is_over()


async def test_an_imported_match_counts_for_nobody() -> None:
    """The table is in the lobby, its match in no results, in a rebuild neither."""
    log, models, driver = MemoryEventLog(), MemoryReadModels(), match("hearts-entropy")
    tables = await taken(log, driver)
    assert summary(await tables.current(driver.id)).match is not None
    projector = follower(log, models, tables)
    for follow in (projector.catch_up, projector.rebuild):
        await follow()
        served = models.served()
        assert [*served.tables] == [driver.id]
        assert served.ended == {}


async def test_an_import_is_known_by_its_command_alone() -> None:
    """No other append of the table would be taken for one."""
    log, driver = MemoryEventLog(), match("hearts-3")
    await taken(log, driver)
    [append] = await log.placed(shard_of(driver.id), Position(0), 10)
    assert (append.first, append.last) == (1, driver.table.version)
    assert is_import(append.table, append.command)
    assert not is_import(append.table, command_of(driver.lines[0].body))


def command_of(body: bytes) -> CommandId:
    """The command that an event stems from."""
    return public_event(body).command


async def test_one_document_is_taken_as_well() -> None:
    """It says the same as the lines."""
    document = canonical(match("hearts-never-begun").record())
    async with importing(MemoryEventLog()) as into:
        assert (await into.take(lasting(lines_of_document(document)))).ok
