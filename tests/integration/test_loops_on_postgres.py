"""What goes on beside the requests, over a real database: bots and projectors.

Both outlast a database that goes away, and others that do the same work at once.
"""

import asyncio
from collections.abc import Sequence
from random import Random
from unittest.mock import patch
from uuid import uuid4

import asyncpg

from domain.commands import OpenTable
from domain.ids import Position, Shard, TableId
from domain.people import By, Occupant
from infra.event_log import PostgresEventLog
from infra.read_models import PostgresReadModels
from services import bot_players
from services import committer as committing
from services.bot_players import BotPlayers
from services.committer import Committer
from services.read_models import Generation, TableSummary
from services.tables import Tables
from tests.playing import OUTSIDE, follower, person

SEVER = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'misere'"""
OVER = "SELECT count(*) FROM misere.event WHERE type = 'match_ended'"
MATCHES = 12


async def test_bots_outlast_a_store_that_is_away(
    pool: asyncpg.Pool, owner: asyncpg.Connection
) -> None:
    """The store is away for longer than the committer tries; then every match ends.

    Bots play at more tables than are kept, so that some have to be read anew meanwhile.
    """
    log = PostgresEventLog(pool)
    committer = Committer(log)
    tables = Tables(log, committer, OUTSIDE, keep=3)
    bots = BotPlayers(tables, Random(1))
    bots.start()
    flying = asyncio.create_task(committer.run())
    seats = (Occupant(bot="random"),) * 4
    for number in range(MATCHES):
        await tables.open(
            TableId(uuid4()),
            By(player=person(number)),
            OpenTable("hearts", {"target": 40}, seats, person(number)),
            OUTSIDE.request(),
        )
    with (
        patch.object(committing, "RETRY_FOR", 0.1),
        patch.object(bot_players, "PAUSE", 0.1),
    ):
        for _ in range(3):
            async with owner.transaction():
                await owner.execute("LOCK TABLE misere.event")
                for _ in range(20):
                    await asyncio.sleep(0.03)
                    # A transaction would go on seeing those of its first look.
                    await owner.execute("SELECT pg_stat_clear_snapshot()")
                    await owner.execute(SEVER)
            await asyncio.sleep(0.1)
    async with asyncio.timeout(30):
        while await owner.fetchval(OVER) < MATCHES:
            await owner.fetchval("SELECT pg_sleep(0.05)")
    await bots.stop()
    flying.cancel()
    await asyncio.gather(flying, return_exceptions=True)


class Overtaken(PostgresReadModels):
    """Read models where another process is always a step ahead."""

    async def store(
        self,
        generation: Generation,
        shard: Shard,
        expected: Position,
        reached: Position,
        rows: Sequence[TableSummary],
    ) -> bool:
        """Let the other one take one position, then try."""
        ahead = Position(expected + 1)
        if ahead < reached:
            await super().store(generation, shard, expected, ahead, ())
        return await super().store(generation, shard, expected, reached, rows)


async def test_a_projector_that_is_overtaken_goes_on_to_the_end(
    pool: asyncpg.Pool,
) -> None:
    """Who has caught up sees all that was stored before, whoever projected it.

    Another process that took a step first may have come less far.
    """
    log, models = PostgresEventLog(pool), Overtaken(pool)
    committer = Committer(log)
    tables = Tables(log, committer, OUTSIDE)
    flying = asyncio.create_task(committer.run())
    opening = OpenTable("hearts", {}, (Occupant(),) * 4, person(0))
    for _ in range(100):
        by = By(player=person(0))
        await tables.open(TableId(uuid4()), by, opening, OUTSIDE.request())
    flying.cancel()
    await asyncio.gather(flying, return_exceptions=True)

    await follower(pool, tables, models).catch_up()
    assert await models.checkpoints(await models.serving()) == await log.positions()
