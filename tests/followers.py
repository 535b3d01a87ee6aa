"""Processes that follow the log while others append to it."""

import asyncio
from collections.abc import Sequence
from random import Random

from domain.ids import Position, Shard
from infra.database import connect
from infra.event_log import PostgresEventLog
from services.ports import Placed

Checkpoint = dict[int, int]
"""The position reached in each shard that is followed."""


def follow(
    url: str, checkpoint: Checkpoint, ends: Sequence[int] | None
) -> tuple[list[Placed], Checkpoint]:
    """Read on from a checkpoint, as a projection does: what was met, and how far.

    It is done when it has come to `ends`, the last position of each shard; or after a
    while where none are given.
    """
    return asyncio.run(_follow(url, checkpoint, ends))


async def _follow(
    url: str, checkpoint: Checkpoint, ends: Sequence[int] | None
) -> tuple[list[Placed], Checkpoint]:
    chance, looks = Random(sum(checkpoint.values())), 0
    met: list[Placed] = []
    async with await connect(url, largest=1) as pool:
        log = PostgresEventLog(pool)
        while looks < 50 or ends is not None:
            told = await log.positions()
            for shard, at in checkpoint.items():
                new = await _read_on(log, Shard(shard), at, told[shard], chance)
                checkpoint[shard] += len(new)
                met += new
            looks += 1
            if ends and all(at == ends[shard] for shard, at in checkpoint.items()):
                break
            await asyncio.sleep(chance.uniform(0.0, 0.05))
    return met, checkpoint


async def _read_on(
    log: PostgresEventLog, shard: Shard, at: int, end: int, chance: Random
) -> list[Placed]:
    """All appends up to a position that the log has told of: they must be there."""
    met: list[Placed] = []
    while at + len(met) < end:
        after = Position(at + len(met))
        new = await log.placed(shard, after, chance.choice([1, 7, 50, 1000]))
        assert new, "a position that was told of is not there"
        met += new
    return met
