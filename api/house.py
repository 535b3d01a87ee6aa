"""The one place where services and stores are put together."""

import os
from asyncio import CancelledError, create_task, sleep
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from random import Random, SystemRandom
from typing import Final

import structlog
from msgspec import Struct

from infra.database import connect
from infra.event_log import PostgresEventLog
from infra.notes import PostgresNotes
from infra.players import PostgresPlayers
from infra.read_models import PostgresReadModels
from infra.settings import Settings
from services.accounts import Accounts
from services.bot_players import BotPlayers
from services.committer import Committer
from services.hosting import Hosting
from services.ports import EventLog, TableNotes
from services.projections import Projector
from services.read_models import ReadModels
from services.showing import Showing
from services.tables import Outside, Tables

PAUSE: Final = 1.0
"""Seconds before a loop that failed begins again."""

_log = structlog.get_logger()

SYSTEM: Final = SystemRandom()


class House(Struct, frozen=True, kw_only=True):
    """All that a running server has."""

    settings: Settings
    outside: Outside
    log: EventLog
    notes: TableNotes
    models: ReadModels
    accounts: Accounts
    tables: Tables
    hosting: Hosting
    showing: Showing
    projector: Projector
    bots: BotPlayers


@asynccontextmanager
async def opened(
    settings: Settings,
    database_url: str,
    *,
    chance: Random = SYSTEM,
    bots_play: bool = True,
) -> AsyncIterator[House]:
    """A house over that database, its loops running until the block is left.

    `chance` is where secrets and the bots' choices come from. Unless `bots_play`, the
    house moves nobody: it only looks and keeps its books.
    """
    outside = Outside(
        now=lambda: datetime.now(UTC),
        random_bytes=os.urandom if chance is SYSTEM else chance.randbytes,
    )
    pool = await connect(database_url)
    try:
        log = PostgresEventLog(pool)
        models = PostgresReadModels(pool)
        committer = Committer(log)
        tables = Tables(log, committer, outside)
        accounts = Accounts(PostgresPlayers(pool), outside)
        notes = PostgresNotes(pool)
        bots = BotPlayers(tables, chance)
        house = House(
            settings=settings,
            outside=outside,
            log=log,
            notes=notes,
            models=models,
            accounts=accounts,
            tables=tables,
            hosting=Hosting(tables, accounts, notes, outside),
            showing=Showing(log),
            projector=Projector(log, models, tables),
            bots=bots,
        )
        loops = [
            create_task(_kept_up(name, loop))
            for name, loop in (
                ("committer", committer.run),
                ("projector", house.projector.run),
            )
        ]
        if bots_play:
            bots.start()
        try:
            yield house
        finally:
            await bots.stop()
            for loop in loops:
                loop.cancel()
                with suppress(CancelledError):
                    await loop
    finally:
        await pool.close()


async def _kept_up(name: str, loop: Callable[[], Awaitable[None]]) -> None:
    """Run a loop until it is cancelled; begin it again where a fault ends it."""
    while True:
        try:
            await loop()
        except Exception as fault:  # noqa: BLE001 - whatever it is, the house goes on
            _log.error("a loop failed", loop=name, error=type(fault).__name__)
        await sleep(PAUSE)
