"""Streams whose server, hints or database break: all comes, once and in order."""

import asyncio
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx
import psutil
import pytest

from infra.embedded import address_of_running
from infra.hints import ALONE_FOR, LISTENERS, connect
from tests.e2e.client import Client
from tests.e2e.four import four_of
from tests.e2e.reading import (
    BOTS,
    Reader,
    followed_to_the_end,
    until,
)
from tests.e2e.running import Server, serving


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, to break."""
    with serving(tmp_path / "data") as server:
        yield server


async def test_streams_that_are_cut_lose_nothing(fragile: Server) -> None:
    """Cut anywhere and taken up again: every version once, in order."""
    readers = await followed_to_the_end(fragile, readers=4)
    assert sum(reader.cuts for reader in readers) > 10


@pytest.mark.slow
async def test_streams_outlive_the_hints(fragile: Server) -> None:
    """With Valkey killed again and again, every version comes once and in order."""

    def kill_valkey(server: Server) -> None:
        for _ in range(4):
            time.sleep(0.4)
            with suppress(ValueError, psutil.Error):  # it may just be starting
                server.valkey().kill()

    await followed_to_the_end(fragile, kill_valkey, readers=4)
    assert fragile.output.count("it runs again") >= 1


@pytest.mark.slow
async def test_streams_outlive_the_database(fragile: Server) -> None:
    """With Postgres killed in the middle, every version comes once and in order."""

    def kill_postgres(server: Server) -> None:
        time.sleep(0.7)
        server.postmaster().kill()

    await followed_to_the_end(fragile, kill_postgres, readers=4)


async def test_a_follower_at_another_server_misses_nothing(
    fragile: Server, tmp_path: Path
) -> None:
    """Two servers on one database and one Valkey: play here, followed there."""
    database = address_of_running(fragile.folder)
    assert database is not None
    urls = {
        "MISERE_DATABASE_URL": database,
        "MISERE_REDIS_URL": f"unix://{fragile.folder}/valkey/valkey.sock",
    }
    with serving(tmp_path / "other", **urls) as other:
        async with httpx.AsyncClient(base_url=fragile.address, timeout=30) as http:
            host = await Client.register(http)
            table = await host.open_table(seats=BOTS, options={"target": 60})
            async with asyncio.timeout(60):
                reader = Reader(other.address, table, Random(1))
                await reader.read()
            listed = await host.events(table)
    assert reader.told == [event["version"] for event in listed]


async def test_nothing_hidden_is_published(fragile: Server) -> None:
    """What goes through Valkey while hands are dealt and passed names no card."""
    valkey = fragile.folder / "valkey" / "valkey.sock"
    reader, writer = await asyncio.open_unix_connection(valkey, limit=2**24)
    writer.write(b"MONITOR\r\n")
    assert await reader.readline() == b"+OK\r\n"
    async with (
        connect(f"unix://{valkey}") as other,
        other.pubsub() as line,
        httpx.AsyncClient(base_url=fragile.address, timeout=30) as http,
    ):
        await line.subscribe(LISTENERS)
        await asyncio.sleep(ALONE_FOR)  # the server may still believe it is alone
        four = await four_of([await Client.register(http) for _ in range(4)])
        await four.all_pass()
    published = b""
    async with asyncio.timeout(20):
        while b"passes_exchanged" not in published:
            published += await reader.readline()
    writer.close()
    assert b"hand_dealt" in published
    assert b"cards_passed" in published
    for hidden in (b"salt", b"secret", b"opens", b'\\"cards\\"', b"arrangement"):
        assert hidden not in published


async def test_a_server_that_stops_says_so(fragile: Server) -> None:
    """Open streams end with the reason, so that clients go to another one."""
    async with httpx.AsyncClient(base_url=fragile.address, timeout=30) as http:
        host = await Client.register(http)
        table = await host.open_table()
        async with (
            host.frames(f"/tables/{table}/stream") as of_table,
            host.frames("/me/stream") as of_player,
        ):
            for frames in (of_table, of_player):
                await until(frames, "caught_up")
            fragile.process.send_signal(signal.SIGTERM)
            for frames in (of_table, of_player):
                last = (await until(frames, "end"))[-1]
                assert last["data"] == {"reason": "draining"}
