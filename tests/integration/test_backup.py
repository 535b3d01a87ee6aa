"""A backup is the database as it was at one moment, and comes back whole."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest

from infra.archive import BackupFault
from infra.backup import DERIVED, KEPT
from infra.database import connect
from infra.event_log import PostgresEventLog
from infra.key_ring import PostgresKeyRing
from infra.migrate import DatabaseTooNew, Migration, check, known, migrate
from infra.roles import arrange
from services.receipts import KeptKey
from tests.backups import backed_up, connected, contents, furnished, restored
from tests.fakes import Chain
from tests.whole_log import check_log

TABLES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'misere'::regnamespace AND relkind = 'r'"""

GUARDS = """
    SELECT tgname, tgrelid::regclass::text, tgenabled FROM pg_trigger
    WHERE NOT tgisinternal ORDER BY 1, 2"""


@pytest.fixture
async def chains(pool: asyncpg.Pool) -> list[Chain]:
    """Some tables, with people and a note."""
    return await furnished(pool)


@pytest.fixture
async def backup(database: str, chains: list[Chain], tmp_path: Path) -> Path:
    """A backup of them."""
    assert chains
    return await backed_up(database, tmp_path / "backup")


async def test_every_table_is_kept_or_derived(owner: asyncpg.Connection) -> None:
    """Whoever adds a table has to say which, or a backup would lack it."""
    present = {name for (name,) in await owner.fetch(TABLES)}
    assert {*KEPT} | {*DERIVED} == present
    assert not {*KEPT} & {*DERIVED}


@pytest.mark.parametrize("shaped", [False, True], ids=["bare", "migrated"])
async def test_what_comes_back_is_what_there_was(
    database: str, backup: Path, empty_database: str, *, shaped: bool
) -> None:
    """Row for row, in a database that was bare or migrated, guarded as before."""
    async with connected(empty_database) as connection:
        if shaped:
            await migrate(connection)
        await restored(empty_database, backup)
        assert await contents(empty_database) == await contents(database)
        async with connected(database) as original:
            guards = await original.fetch(GUARDS)
            assert len(guards) == 10
            assert await connection.fetch(GUARDS) == guards
        await check(connection)


async def test_the_key_of_an_idle_server_gives_way(
    database: str, backup: Path, empty_database: str
) -> None:
    """It signed nothing that anybody could miss; the old keys are there again."""
    async with connected(empty_database) as connection:
        await migrate(connection)
        await arrange(connection)
    async with await connect(empty_database) as pool:
        key = KeptKey(1, bytes(32), datetime.now(UTC))
        await PostgresKeyRing(pool).add(key, bytes(32))
    await restored(empty_database, backup)
    assert await contents(empty_database) == await contents(database)


async def test_a_restored_log_goes_on(
    chains: list[Chain], backup: Path, empty_database: str
) -> None:
    """With the next version at each table, and the next position of each shard."""
    await restored(empty_database, backup)
    async with connected(empty_database) as connection:
        await arrange(connection)
    async with await connect(empty_database) as pool:
        log = PostgresEventLog(pool)
        outcomes = await log.append([chain.propose(b"{}") for chain in chains])
        assert {outcome.kind for outcome in outcomes} == {"appended"}
        placed, _ = await check_log(log)
        assert len(placed) == 3 * len(chains)


async def test_a_backup_is_of_one_moment(
    database: str, pool: asyncpg.Pool, empty_database: str, tmp_path: Path
) -> None:
    """While appends go on, it holds whole ones only, and restores to a log."""
    log, enough = PostgresEventLog(pool), asyncio.Event()

    async def go_on() -> None:
        chain = Chain()
        while not enough.is_set():
            entry = chain.propose(b"1", b"2", b"3", secrets={1: b"QS"})
            await log.append([entry])
            chain.follow(entry)

    async with asyncio.TaskGroup() as writers:
        for _ in range(4):
            writers.create_task(go_on())
        while sum(await log.positions()) < 100:  # noqa: ASYNC110 - others append
            await asyncio.sleep(0.01)
        path = await backed_up(database, tmp_path / "backup")
        enough.set()
    await restored(empty_database, path)
    async with await connect(empty_database, role="nobody") as restored_pool:
        placed, _ = await check_log(PostgresEventLog(restored_pool))
    assert placed
    assert len(placed) < len((await check_log(log))[0])


@pytest.mark.parametrize("shaped", [False, True], ids=["bare", "migrated"])
async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    empty_database: str, tmp_path: Path, *, shaped: bool
) -> None:
    """It is filled in the shape it had, then migrated like a database of that age."""
    async with connected(empty_database) as connection:
        await migrate(connection, known()[:3])
        await connection.execute(
            "INSERT INTO misere.player (id, name, kind)"
            " VALUES (gen_random_uuid(), 'Ada', 'human')"
        )
        path = await backed_up(empty_database, tmp_path / "backup")
        await connection.execute("DROP SCHEMA misere CASCADE")
        if shaped:
            await migrate(connection)
        await restored(empty_database, path)
        await check(connection)
        assert await connection.fetchval("SELECT name FROM misere.player") == "Ada"


async def test_a_file_is_for_its_owner_alone_and_never_overwritten(
    database: str, backup: Path
) -> None:
    """It holds hidden cards; and a second backup must not end the first."""
    assert backup.stat().st_mode & 0o777 == 0o600  # noqa: ASYNC240 - small
    before = files(backup.parent)
    with pytest.raises(BackupFault, match="there already"):
        await backed_up(database, backup)
    assert files(backup.parent) == before
    assert [*before] == [backup.name]


async def test_a_backup_that_fails_leaves_no_file(
    empty_database: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where there is nothing to back up, nor where the disk is full."""
    with pytest.raises(BackupFault, match="SQLSTATE"):
        await backed_up(empty_database, tmp_path / "backup")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("zipfile._ZipWriteFile.write", full)
    with pytest.raises(BackupFault, match="No space left"):
        await backed_up(database, tmp_path / "backup")
    with pytest.raises(BackupFault, match="No such file"):
        await backed_up(database, tmp_path / "nowhere" / "backup")
    assert files(tmp_path) == {}


def files(folder: Path) -> dict[str, bytes]:
    """What is in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


FILLED = [
    "INSERT INTO misere.player (id, kind) VALUES (gen_random_uuid(), 'human')",
    "INSERT INTO misere.table_note VALUES (gen_random_uuid(), 'Friday', NULL)",
    "INSERT INTO misere.stream VALUES (0, gen_random_uuid(), 1, sha256(''))",
]


@pytest.mark.parametrize("row", FILLED)
async def test_a_database_with_anything_in_it_is_left_alone(
    backup: Path, empty_database: str, row: str
) -> None:
    """Be it one player."""
    async with connected(empty_database) as connection:
        await migrate(connection)
        await connection.execute(row)
        before = await contents(empty_database)
        with pytest.raises(BackupFault, match="not empty"):
            await restored(empty_database, backup)
        assert await contents(empty_database) == before


async def test_a_database_of_a_newer_version_is_left_alone(
    backup: Path, empty_database: str
) -> None:
    """An older one would not know what it destroys."""
    newer = Migration(len(known()) + 1, "from_the_future", "SELECT 1")
    async with connected(empty_database) as connection:
        await migrate(connection, [*known(), newer])
    with pytest.raises(DatabaseTooNew, match="from_the_future"):
        await restored(empty_database, backup)
