"""Connections to Postgres, set up the same way wherever they are used."""

import asyncio
from typing import Final

import asyncpg
import structlog

from infra.faults import FAULTS
from services.ports import StoreUnavailable

_log = structlog.get_logger()

APP_ROLE: Final = "misere_app"

BORROW_SECONDS: Final = 5.0
"""How long to wait for a free connection."""

LARGEST_POOL: Final = 8

ENDED: Final = (asyncpg.AdminShutdownError, asyncpg.CrashShutdownError)
"""A server's last words on a connection, which come before it is closed."""

LOST: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, ConnectionError)
"""What is raised, among other things, when a connection is lost."""

CONNECT_SECONDS: Final = 10.0
STATEMENT_SECONDS: Final = 10.0

SETTINGS: Final = {
    "application_name": "misere",
    # The append function counts on it, whatever the database's default.
    "default_transaction_isolation": "read committed",
    "statement_timeout": "10s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "10s",
    # Statements here are short; compiling them would cost more than it wins.
    "jit": "off",
    # All is asked for by key: a plan that was made while a table was empty must not go
    # on scanning it when it is full.
    "enable_seqscan": "off",
    # An error must not copy its statement's values, cards among them, into a log.
    "log_parameter_max_length_on_error": "0",
    "timezone": "UTC",
}


async def connect(
    url: str, *, role: str = APP_ROLE, smallest: int = 1, largest: int = LARGEST_POOL
) -> asyncpg.Pool:
    """Open a pool of connections that act as `role` where the login may take it.

    Raises:
        StoreUnavailable: no connection could be made.
    """
    try:
        acting = await _may_act(url, role)
        if not acting:
            _log.warning("the login keeps its own rights", wanted_role=role)
        settings = SETTINGS | ({"role": role} if acting else {})
        return await asyncpg.create_pool(
            url,
            min_size=smallest,
            max_size=largest,
            server_settings=settings,
            timeout=CONNECT_SECONDS,
            # Later than the server's own limit: this one is for a dead line.
            command_timeout=STATEMENT_SECONDS + BORROW_SECONDS,
            # The statements are few and always the same: prepare each once.
            max_cached_statement_lifetime=0,
            max_queries=2**31,
            reset=_as_it_is,
        )
    except FAULTS as error:
        # Nothing was asked yet: these words hold no card, and an operator needs them.
        fault = StoreUnavailable(f"cannot connect to the database: {error}")
    raise fault


async def fetch(
    pool: asyncpg.Pool, query: str, *values: object
) -> list[asyncpg.Record]:
    """The rows of one statement on a borrowed connection.

    It must be one that may be repeated: a connection that died while it lay in the pool
    is noticed only when it is used, and then the next one is tried.
    """
    for _ in range(LARGEST_POOL):
        async with pool.acquire(timeout=BORROW_SECONDS) as connection:
            try:
                return await connection.fetch(query, *values)
            except (asyncio.CancelledError, TimeoutError):
                # The pool would take it back only once the server has ended the
                # statement; one that does not answer would hold up whoever gave it up.
                connection.terminate()
                raise
            except ENDED:
                connection.terminate()
            except LOST:
                if not connection.is_closed():
                    raise
    async with pool.acquire(timeout=BORROW_SECONDS) as connection:
        return await connection.fetch(query, *values)


async def _may_act(url: str, role: str) -> bool:
    connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
    try:
        await connection.execute("SELECT set_config('role', $1, false)", role)
    except (
        asyncpg.InvalidParameterValueError,  # there is no such role
        asyncpg.InsufficientPrivilegeError,
    ):
        return False
    finally:
        await connection.close()
    return True


async def _as_it_is(connection: asyncpg.Connection) -> None:
    """Hand a connection back untouched.

    No borrower changes its session, and the usual reset is a round trip each time.
    """
