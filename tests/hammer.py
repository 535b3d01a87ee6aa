"""A process that appends to a few tables as hard as it can, beside others like it."""

import asyncio
import random
import time
from uuid import UUID, uuid5

from domain.ids import Hash, Version
from infra.database import connect
from infra.event_log import PostgresEventLog
from services.ports import NewAppend
from tests.fakes import Chain

SPACE = UUID("6d697365-7265-4000-8000-000000000000")

Acknowledged = list[tuple[UUID, int, bytes]]
"""What was answered as appended: table, last version, head."""


def hammer(url: str, seed: int, seconds: float) -> Acknowledged:
    """Append from four connections for some seconds; any error is raised."""
    return asyncio.run(_hammer(url, seed, seconds))


async def _hammer(url: str, seed: int, seconds: float) -> Acknowledged:
    async with await connect(url, smallest=4, largest=4) as pool:
        log = PostgresEventLog(pool)
        until = time.monotonic() + seconds
        chances = [random.Random(seed + n) for n in range(4)]
        workers = [_work(log, chance, until) for chance in chances]
        return [each for done in await asyncio.gather(*workers) for each in done]


async def _work(
    log: PostgresEventLog, chance: random.Random, until: float
) -> Acknowledged:
    done: Acknowledged = []
    while time.monotonic() < until:
        batch = await _batch(log, chance)
        for _ in range(chance.choice([1, 1, 1, 2])):  # sometimes as after a lost answer
            for append, outcome in zip(batch, await log.append(batch), strict=True):
                if outcome.kind == "appended":
                    last = append.expected + len(append.events)
                    done.append((append.table, last, append.head))
    return done


async def _batch(log: PostgresEventLog, chance: random.Random) -> list[NewAppend]:
    # Twenty old tables that all want, and one that several begin at the same moment.
    names = [str(n) for n in range(20)] + [f"new {int(time.time() * 50)}"]
    batch = []
    for name in chance.sample(names, chance.randint(1, 8)):
        chain = Chain(uuid5(SPACE, name))
        if at := (await log.heads([chain.table])).get(chain.table):
            chain.version, chain.head = Version(at[0]), Hash(at[1])
        bodies = [chance.randbytes(20) for _ in range(chance.randint(1, 3))]
        batch.append(chain.propose(*bodies, secrets={0: b"sealed"}))
    return batch
