"""A database is brought to the known shape once, by whoever comes first."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import uuid4

import asyncpg
import pytest

from infra.database import connect
from infra.migrate import (
    DatabaseTooNew,
    DatabaseTooOld,
    Migration,
    MigrationChanged,
    check,
    known,
    migrate,
)
from infra.roles import arrange
from services.ports import StoreUnavailable

Work = Callable[..., Awaitable[object]]


@pytest.fixture
async def empty(empty_database: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to a database that nobody has migrated."""
    connection = await asyncpg.connect(empty_database)
    yield connection
    await connection.close()


def test_migrations_are_numbered_without_a_gap() -> None:
    """From 1, so that a missing file is noticed."""
    assert [each.number for each in known()] == list(range(1, len(known()) + 1))


async def test_migrating_again_changes_nothing(empty: asyncpg.Connection) -> None:
    """Everything is applied the first time, nothing the second."""
    assert await migrate(empty) == known()
    assert await migrate(empty) == []
    await check(empty)
    names = await empty.fetch("SELECT name FROM misere.migration ORDER BY number")
    assert [name for (name,) in names] == [migration.name for migration in known()]


async def test_an_older_database_is_brought_up_to_date(
    empty: asyncpg.Connection,
) -> None:
    """What it lacks is named by the check and applied by the next migration."""
    await migrate(empty, known()[:2])
    with pytest.raises(DatabaseTooOld, match="0003"):
        await check(empty)
    assert await migrate(empty) == known()[2:]


async def test_a_database_nobody_migrated_is_too_old(empty: asyncpg.Connection) -> None:
    """And looking does not change it."""
    with pytest.raises(DatabaseTooOld, match="misere migrate"):
        await check(empty)
    assert not await empty.fetchval(
        "SELECT count(*) FROM pg_namespace WHERE nspname = 'misere'"
    )


@pytest.mark.parametrize("work", [check, migrate])
async def test_a_database_from_the_future_is_refused(
    empty: asyncpg.Connection, work: Work
) -> None:
    """An old program must not write what a new one writes otherwise."""
    newer = Migration(len(known()) + 1, "from_the_future", "SELECT 1")
    await migrate(empty, [*known(), newer])
    with pytest.raises(DatabaseTooNew, match="from_the_future"):
        await work(empty)


@pytest.mark.parametrize("work", [check, migrate])
async def test_a_changed_migration_is_refused(
    owner: asyncpg.Connection, work: Work
) -> None:
    """What was applied is not what the program now believes was applied."""
    first, *others = known()
    changed = Migration(first.number, first.name, first.text + "\n-- improved")
    with pytest.raises(MigrationChanged, match="0001_log"):
        await work(owner, [changed, *others])


async def test_a_migration_that_fails_leaves_nothing_behind(
    empty: asyncpg.Connection,
) -> None:
    """Those before it stay; itself it is neither applied in part nor recorded."""
    bad = Migration(2, "0002_bad", "CREATE TABLE misere.half (); SELECT 1 / 0")
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate(empty, [known()[0], bad])
    assert await empty.fetchval("SELECT to_regclass('misere.half')") is None
    assert await migrate(empty) == known()[1:]


async def test_two_migrators_share_the_work(empty_database: str) -> None:
    """Each migration is applied once, by one of them, and both end well."""
    connections = [await asyncpg.connect(empty_database) for _ in range(3)]
    applied = await asyncio.gather(*map(migrate, connections))
    assert sorted(m.number for each in applied for m in each) == [
        migration.number for migration in known()
    ]
    assert await asyncio.gather(*map(arrange, connections)) == [None] * 3
    for connection in connections:
        await connection.close()


async def test_where_roles_may_not_be_made_their_sql_is_handed_out(
    empty: asyncpg.Connection,
    administrator: asyncpg.Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A login of no rights but its own database migrates; the rest is for others."""
    login = f"misere_test_{uuid4().hex}"
    await administrator.execute(f"CREATE ROLE {login}")
    database = await empty.fetchval("SELECT current_database()")
    await administrator.execute(f"GRANT CREATE ON DATABASE {database} TO {login}")
    await empty.execute(f"SET ROLE {login}")
    await migrate(empty)
    with monkeypatch.context() as patched:
        patched.setattr("infra.roles.ROLES", ("nobody_made_this_role",))
        by_hand = await arrange(empty)
    assert by_hand is not None
    await empty.execute("RESET ROLE")
    await empty.execute(by_hand)
    await empty.execute("SET ROLE misere_app")
    await check(empty)
    await empty.execute("RESET ROLE")
    await empty.execute(f"DROP OWNED BY {login}")
    await administrator.execute(f"DROP ROLE {login}")


async def test_where_roles_exist_the_owner_grants_without_making_any(
    empty: asyncpg.Connection, administrator: asyncpg.Connection, template: str
) -> None:
    """The roles are the server's: another database had them made."""
    assert template
    login = f"misere_test_{uuid4().hex}"
    await administrator.execute(f"CREATE ROLE {login}")
    database = await empty.fetchval("SELECT current_database()")
    await administrator.execute(f"GRANT CREATE ON DATABASE {database} TO {login}")
    await empty.execute(f"SET ROLE {login}")
    await migrate(empty)
    assert await arrange(empty) is None
    await empty.execute("RESET ROLE; SET ROLE misere_app")
    assert await empty.fetchval("SELECT count(*) FROM misere.shard") == 16
    await empty.execute("RESET ROLE")
    await empty.execute(f"DROP OWNED BY {login}")
    await administrator.execute(f"DROP ROLE {login}")


async def test_a_login_without_rights_is_told_to_migrate(
    owner: asyncpg.Connection,
) -> None:
    """One clear sentence, no trace of SQL."""
    login = f"misere_test_{uuid4().hex}"
    await owner.execute(f"CREATE ROLE {login}; SET ROLE {login}")
    with pytest.raises(DatabaseTooOld, match="may not read"):
        await check(owner)
    await owner.execute(f"RESET ROLE; DROP ROLE {login}")


async def test_without_the_role_the_app_works_as_its_login(database: str) -> None:
    """A database where roles cannot be made is still usable."""
    async with await connect(database, role="nobody_made_this_role") as pool:
        assert await pool.fetchval("SELECT current_user = session_user")


async def test_no_database_is_an_outage_in_words(database: str) -> None:
    """An operator reads what went wrong."""
    nowhere = database.replace("misere_test", "nowhere")
    with pytest.raises(StoreUnavailable, match="nowhere"):
        _ = await connect(nowhere)
