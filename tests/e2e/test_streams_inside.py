"""Streams, seen from outside and from inside the server that sends them."""

import asyncio
from contextlib import aclosing

import pytest

from api import house as houses
from infra.hints import RedisHints
from services import following
from tests.e2e.client import Client
from tests.e2e.four import four_of
from tests.e2e.inside import served
from tests.e2e.test_streams import until
from tests.valkey_cluster import Cluster


async def test_a_play_is_told_at_another_server_through_a_cluster(
    database: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a hint: nobody looks at the log."""
    monkeypatch.setattr(following, "LOOK", 3600)
    async with (
        served(database, cluster.url()) as here,
        served(database, cluster.url()) as there,
        here.http() as http,
        there.http() as elsewhere,
    ):
        four = await four_of([await Client.register(http) for _ in range(4)])
        ada = Client(elsewhere, four.people[0].token)
        async with (
            asyncio.timeout(30),
            aclosing(ada.frames(f"/tables/{four.table}/stream")) as frames,
        ):
            await until(frames, "caught_up")
            await four.all_pass()
            await until(frames, "passes_exchanged")


async def test_looks_go_on_whatever_becomes_of_the_hints(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that nobody foresaw makes followers late, no more."""
    monkeypatch.setattr(following, "LOOK", 0.5)
    monkeypatch.setattr(houses, "PAUSE", 0.01)

    async def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(RedisHints, "receive", fails)
    async with (
        served(database) as here,
        served(database, "redis://127.0.0.1:1") as there,
        here.http() as http,
        there.http() as elsewhere,
    ):
        host = await Client.register(http)
        table = await host.open_table()
        stranger = Client(elsewhere)
        async with (
            asyncio.timeout(30),
            aclosing(stranger.frames(f"/tables/{table}/stream")) as frames,
        ):
            await until(frames, "caught_up")
            await host.sit(table, 0)
            await until(frames, "seat_taken")
