"""The one place where services and stores are put together."""

import os
from asyncio import Task, create_task, sleep, timeout, wait
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from datetime import UTC, datetime, timedelta
from random import Random, SystemRandom
from typing import Final

import structlog
from msgspec import Struct

from api.limits import Limits
from domain.ids import TableId
from infra.cluster_hints import ClusterHints
from infra.database import connect
from infra.hints import NoHints, RedisHints
from infra.hints import connect as connect_redis
from infra.key_ring import PostgresKeyRing
from infra.lease import PostgresLease
from infra.logs import traced
from infra.measured_log import MeasuredEventLog
from infra.metrics import Metrics
from infra.notes import PostgresNotes
from infra.players import PostgresPlayers
from infra.ratings import OpenSkillRatings
from infra.read_models import PostgresReadModels
from infra.settings import CLUSTER, Settings
from infra.signing import Ed25519
from infra.standings import PostgresStandings
from services.accounts import Accounts
from services.attendance import Attendance
from services.auditing import Auditing
from services.bot_players import BotPlayers
from services.committer import Committer
from services.following import MOST_FOLLOWERS, MOST_OF_ONE, Following
from services.hosting import Hosting
from services.importing import Importing
from services.ports import EventLog, Hints, HintsUnavailable, TableNotes
from services.projections import Projector
from services.rating import Rater
from services.read_models import ReadModels
from services.readiness import Probe, Readiness
from services.receipts import Receipts
from services.room import Room
from services.showing import Showing
from services.standings import Standings
from services.tables import Outside, Tables
from services.timekeeper import Patience, Timekeeper

PAUSE: Final = 1.0
"""Seconds before a loop that failed begins again."""

_log = structlog.get_logger()

SYSTEM: Final = SystemRandom()


class House(Struct, frozen=True, kw_only=True):
    """All that a running server has."""

    settings: Settings
    metrics: Metrics
    limits: Limits | None
    outside: Outside
    log: EventLog
    notes: TableNotes
    models: ReadModels
    standings: Standings
    accounts: Accounts
    tables: Tables
    following: Following
    attendance: Attendance
    readiness: Readiness
    hosting: Hosting
    showing: Showing
    auditing: Auditing
    importing: Importing
    receipts: Receipts
    projector: Projector
    bots: BotPlayers
    timekeeper: Timekeeper


@asynccontextmanager
async def opened(
    settings: Settings,
    database_url: str,
    redis_url: str | None = None,
    *,
    chance: Random = SYSTEM,
    bots_play: bool = True,
) -> AsyncIterator[House]:
    """A house over that database, its loops running until the block is left.

    Without a `redis_url` other processes hear of what happens here a second late.
    `chance` is where secrets and the bots' choices come from. Unless `bots_play`, the
    house moves nobody and keeps no time: it only looks and keeps its books.
    """
    outside = Outside(
        now=lambda: datetime.now(UTC),
        random_bytes=os.urandom if chance is SYSTEM else chance.randbytes,
    )
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(await connect(database_url))
        hints = await stack.enter_async_context(_hints(redis_url))
        ping = await stack.enter_async_context(_pings(redis_url))
        metrics = Metrics()
        log = MeasuredEventLog(pool, metrics)
        models = PostgresReadModels(pool)
        standings = PostgresStandings(pool)
        committer = Committer(log, one_shard=settings.one_shard_flights)
        requests = settings.requests_a_minute()
        following = Following(
            log,
            hints,
            metrics.delivered,
            most_of_one=MOST_OF_ONE if requests else MOST_FOLLOWERS,
        )
        tables = Tables(
            log,
            committer,
            outside,
            following.tell,
            repeated=metrics.repeated.inc,
            amiss=_passed_over,
        )
        accounts = Accounts(PostgresPlayers(pool), outside)
        notes = PostgresNotes(pool)
        bots = BotPlayers(tables, chance)
        rater = Rater(standings, OpenSkillRatings())
        projector = Projector(log, models, tables, rater)
        room = Room(settings.most_live_tables(), projector)
        timekeeper = Timekeeper(
            PostgresLease(pool), projector, tables, outside, _patience(settings)
        )
        showing = Showing(log)
        auditing = stack.enter_context(closing(Auditing(showing)))
        house = House(
            settings=settings,
            metrics=metrics,
            limits=Limits(requests) if requests else None,
            outside=outside,
            log=log,
            notes=notes,
            models=models,
            standings=standings,
            accounts=accounts,
            tables=tables,
            following=following,
            attendance=Attendance(models),
            readiness=Readiness({"postgres": log.positions, "redis": ping}),
            hosting=Hosting(tables, accounts, notes, room, outside),
            showing=showing,
            auditing=auditing,
            importing=Importing(log, committer),
            receipts=Receipts(PostgresKeyRing(pool), Ed25519(), outside),
            projector=projector,
            bots=bots,
            timekeeper=timekeeper,
        )
        running = {
            "committer": committer.run,
            "projector": projector.run,
            **following.loops(),
            "metrics": metrics.run,
        }
        _watch(metrics, committer, following)
        if bots_play:
            bots.start()
            running["timekeeper"] = timekeeper.run
        loops = [create_task(_kept_up(name, run)) for name, run in running.items()]
        try:
            yield house
        finally:
            await _ended(loops)
            await bots.stop()  # now that nothing wakes one any more
            # Without a database it would wait for one, and the lease lapses by itself.
            with suppress(TimeoutError):
                async with timeout(PAUSE):
                    await timekeeper.stop()


def _patience(settings: Settings) -> Patience:
    return Patience(
        open=timedelta(hours=settings.open_hours),
        playing=timedelta(hours=settings.idle_hours),
    )


def _watch(metrics: Metrics, committer: Committer, following: Following) -> None:
    """Have counted what is there at a time, not what happens."""
    metrics.watch(
        "misere_appends_waiting",
        "How many appends wait for a flight.",
        lambda: committer.waiting,
    )
    metrics.watch(
        "misere_followers", "How many streams are open.", lambda: following.followers
    )
    metrics.watch(
        "misere_feeds", "How many tables are followed.", lambda: following.feeds
    )


@asynccontextmanager
async def _hints(url: str | None) -> AsyncIterator[Hints]:
    if url is None:
        yield NoHints()
        return
    is_cluster = url.startswith(CLUSTER)
    hints = ClusterHints(url) if is_cluster else RedisHints(connect_redis(url))
    try:
        yield hints
    finally:
        await hints.close()


@asynccontextmanager
async def _pings(url: str | None) -> AsyncIterator[Probe]:
    """How to see whether hints can be sent; of a cluster the named node is asked."""
    if url is None:
        yield _nothing_there
        return
    async with connect_redis(url.replace(CLUSTER, "redis://", 1)) as redis:
        yield redis.ping


async def _nothing_there() -> None:
    raise HintsUnavailable


def _passed_over(table: TableId, fault: Exception) -> None:
    _log.error("a table was passed over", table=table, **traced(fault))


async def _ended(loops: Iterable[Task[None]]) -> None:
    """Cancel loops until they end, for one that is connecting may miss it."""
    while running := [loop for loop in loops if not loop.done()]:
        for loop in running:
            loop.cancel()
        await wait(running, timeout=PAUSE)


async def _kept_up(name: str, loop: Callable[[], Awaitable[None]]) -> None:
    """Run a loop until it is cancelled; begin it again where a fault ends it."""
    while True:
        try:
            await loop()
        except Exception as fault:  # noqa: BLE001 - whatever it is, the house goes on
            _log.error("a loop failed", loop=name, **traced(fault))
        await sleep(PAUSE)
