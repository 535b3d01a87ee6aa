"""Streams, seen from outside and from inside the server that sends them."""

import asyncio
from contextlib import aclosing

import httpx
import pytest
from structlog.testing import capture_logs

from api import house as houses
from infra.hints import RedisHints
from services import following
from services.errors import Busy
from services.ports import StoreUnavailable
from services.tables import Tables
from tests.e2e.client import Client, Json
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


@pytest.mark.parametrize("why", [StoreUnavailable(), Busy("Too much.")])
async def test_what_cannot_be_told_for_now_cuts_a_stream(
    database: str, monkeypatch: pytest.MonkeyPatch, why: Exception
) -> None:
    """It stops without `end`, so that its client comes back, and nothing is logged."""
    with capture_logs() as logged:
        frames = await _frames_when_looks_fail(database, monkeypatch, why)
    assert [frame["frame"] for frame in frames] == []
    assert logged == []


async def test_a_fault_in_a_stream_is_logged_by_kind_and_place(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client sees that the answer is not whole."""
    with (
        capture_logs() as logged,
        pytest.raises(httpx.RemoteProtocolError, match="incomplete"),
    ):
        await _frames_when_looks_fail(database, monkeypatch, LookupError("QS"))
    [line] = logged
    assert (line["event"], line["error"]) == ("an answer was cut short", "LookupError")
    assert __file__ in str(line["at"])
    assert "QS" not in str(line)


async def _frames_when_looks_fail(
    database: str, monkeypatch: pytest.MonkeyPatch, why: Exception
) -> list[Json]:
    """What comes on a stream after a look at its table has failed."""

    async def fails(*_: object) -> None:
        raise why

    async with served(database) as here, here.http() as http:
        host = await Client.register(http)
        table = await host.open_table()
        frames = Client(http).frames(f"/tables/{table}/stream")
        async with asyncio.timeout(30), aclosing(frames):
            await until(frames, "caught_up")
            with monkeypatch.context() as patch:
                patch.setattr(Tables, "since", fails)
                await host.sit(table, 0)
                return [frame async for frame in frames]
