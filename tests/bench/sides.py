"""The sides of a comparison over HTTP: plays that are made, and what they cost."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

import httpx
from msgspec import Struct

from tests.bench.games import OPTIONS, Script
from tests.bench.load import Tally, post, run
from tests.bench.running import Running

SECONDS: Final = 4.0
"""How long a round lasts."""


class Side(Struct):
    """One side of the comparison, over its rounds."""

    name: str
    tallies: list[Tally]
    python: list[float]
    postgres: list[float]

    @property
    def rate(self) -> float:
        """The median of its rounds: answers of 201 a second."""
        return median(tally.rate for tally in self.tallies)


async def measured(
    side: Side, server: Running, sources: Sequence[Iterator[bytes]]
) -> None:
    """Let a side have a round, a connection for each source of requests."""
    before = server.cost()
    tally = await run(server.host, server.port, sources, SECONDS)
    after = server.cost()
    done = tally.statuses.get(201, 0)
    assert set(tally.statuses) == {201}, tally.statuses
    side.tallies.append(tally)
    side.python.append((after.python - before.python) / done)
    side.postgres.append((after.postgres - before.postgres) / done)


async def plays(
    server: Running, scripts: list[Script], tables: int
) -> list[Iterator[bytes]]:
    """New tables, and for each the requests that play at it in order."""
    url = f"http://{server.host}:{server.port}/v1"
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        tokens = [
            (await http.post("/players", json={"name": "Ada"})).json()["token"]
            for _ in range(4)
        ]
        room = asyncio.Semaphore(16)

        async def made(number: int) -> Iterator[bytes]:
            async with room:
                return await _table(http, tokens, scripts[number % len(scripts)])

        return await asyncio.gather(*map(made, range(tables)))


async def _table(
    http: httpx.AsyncClient, tokens: list[str], played: Script
) -> Iterator[bytes]:
    headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
    table = {
        "game": "hearts",
        "options": OPTIONS,
        "arrangement": {**played.arrangement, "first_dealer": 0},
    }
    made = await http.post("/tables", json=table, headers=headers[0])
    id_ = made.json()["table"]["id"]
    for seat in range(4):
        await http.put(f"/tables/{id_}/seats/{seat}", json={}, headers=headers[seat])
    path = f"/v1/tables/{id_}/commands"
    return (
        post(path, json.dumps({"type": "play", "card": card}).encode(), tokens[seat])
        for seat, card in played.plays
    )
