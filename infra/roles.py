"""The two roles beside the owner: what the running app may do, what an auditor may.

Roles belong to the whole server, and many a hosted database lets nobody make them. So
they are made where the migrating login may, and otherwise handed out as SQL.
"""

from importlib.resources import files
from typing import Final

import asyncpg

from infra.migrate import LOCK

ROLES: Final = ("misere_app", "misere_auditor")

MAY_MAKE_ROLES: Final = """
    SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user"""

PRESENT: Final = "SELECT count(*) FROM pg_roles WHERE rolname = ANY($1::text[])"


async def arrange(connection: asyncpg.Connection) -> str | None:
    """Make the roles and give them their rights, to be called after each migration.

    Answers None when that is done, else the SQL that somebody who may make roles must
    run. A login that is not a superuser must then be made a member of `misere_app`;
    until it is, the app works with whatever rights its login has.
    """
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        if await connection.fetchval(PRESENT, ROLES) < len(ROLES):
            if not await connection.fetchval(MAY_MAKE_ROLES):
                return _sql("roles") + "\n" + _sql("grants")
            await connection.execute(_sql("roles"))
        await connection.execute(_sql("grants"))
    return None


def _sql(name: str) -> str:
    path = files("infra") / "migrations" / f"{name}.sql"
    return path.read_text(encoding="utf-8")
