"""A server that is told to stop does so soon, keeps its word, and leaves nothing."""

import asyncio
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import urlsplit

import asyncpg
import pytest

from infra.embedded import address_of_running
from tests.children import eventually
from tests.e2e.client import Client, good, new_key
from tests.e2e.lasting import Place, Sent, place_at
from tests.e2e.running import (
    MISERE,
    misere,
    output_of,
    processes_at,
    serving,
    surroundings,
)
from tests.e2e.stored import Log
from tests.e2e.surviving import survive

AT_ONCE = 8.0
"""Seconds within which a server is gone where nothing holds it back: before the ten
that it would grant a request are over."""

AFTER_GRACE = 18.0
"""The same where a request does not end, which is given up after ten seconds."""


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """A folder for servers that come and go."""
    async with place_at(tmp_path / "data") as place:
        yield place


@pytest.mark.slow
async def test_what_was_answered_before_the_end_is_stored(place: Place) -> None:
    """Told to stop in the middle of commands, a server is gone at once.

    All that it answered is in the log; what it did not answer is sent again to the next
    one, and carried out once.
    """
    await survive(place, Random(3), [stop_and_start] * 3)


async def stop_and_start(place: Place, _: Random) -> None:
    """Tell the server to stop, and start another."""
    began = time.monotonic()
    assert await place.stop() == 0
    assert time.monotonic() - began < AT_ONCE
    await place.start()


@pytest.mark.slow
def test_half_a_request_does_not_keep_a_server(tmp_path: Path) -> None:
    """A client that never sends the rest of its body is given up."""
    with serving(tmp_path / "data") as server:
        address = urlsplit(server.address)
        assert address.hostname
        assert address.port
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall(
                b"POST /v1/players HTTP/1.1\r\nHost: it\r\n"
                b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            )
            time.sleep(0.2)
            began = time.monotonic()
            assert server.end() == 0
            assert time.monotonic() - began < AFTER_GRACE


def test_an_idle_connection_does_not_keep_a_server(tmp_path: Path) -> None:
    """Somebody who is connected and says nothing is not waited for."""
    with serving(tmp_path / "data") as server:
        address = urlsplit(server.address)
        assert address.hostname
        assert address.port
        with socket.create_connection((address.hostname, address.port)):
            time.sleep(0.2)
            began = time.monotonic()
            assert server.end() == 0
            assert time.monotonic() - began < AT_ONCE


@pytest.mark.slow
async def test_commands_that_wait_for_the_store_do_not_keep_a_server(
    place: Place,
) -> None:
    """The log is locked, so that no command ends: the server goes nevertheless.

    The commands are not in the log, and the next server carries them out.
    """
    server = await place.start()
    http = await place.http()
    people = [await Client.register(http, f"Guest {n}") for n in range(6)]
    database = address_of_running(place.folder)
    assert database is not None
    holder = await asyncpg.connect(database)
    await holder.execute("BEGIN; SELECT FROM misere.shard FOR UPDATE")
    keys = [new_key() for _ in people]
    waiting = [
        asyncio.create_task(player.ask("POST", "/tables", {"game": "hearts"}, key=key))
        for player, key in zip(people, keys, strict=True)
    ]
    await asyncio.sleep(0.5)
    assert not any(task.done() for task in waiting)
    began = time.monotonic()
    assert await asyncio.to_thread(server.end) == 0
    assert time.monotonic() - began < AFTER_GRACE
    holder.terminate()
    for answer in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(answer, BaseException) or answer.is_server_error
    await place.start()
    assert (await Log.of(place.folder)).streams == {}
    for player, key in zip(people, keys, strict=True):
        again = Client(await place.http(), player.token, player.id)
        sent = Sent(player.id, "POST /v1/tables", key)
        sent.answer = await again.ask("POST", "/tables", {"game": "hearts"}, key=key)
        good(sent.answer, 201)
        place.sent.append(sent)
    log = await Log.of(place.folder)
    log.check()
    log.check_answers(place.sent)
    assert await place.stop() == 0


@pytest.mark.parametrize("pause", [0.0, pytest.param(0.25, marks=pytest.mark.slow)])
def test_a_server_whose_database_was_just_killed_can_be_stopped(
    tmp_path: Path, pause: float
) -> None:
    """Whether it has noticed, or is starting the database again."""
    with serving(tmp_path / "data") as server:
        server.postmaster().kill()
        time.sleep(pause)
        began = time.monotonic()
        assert server.end() == 0
        assert time.monotonic() - began < AT_ONCE


SWALLOWING: Final = """
import os, signal, sys

class Swallowing:
    def find_spec(self, name, *_):
        if name == "uvicorn":
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except BaseException:
                pass

sys.meta_path.insert(0, Swallowing())
"""
"""Has an interrupt come while a library is imported that catches whatever is raised."""


def test_no_library_swallows_an_interrupt(tmp_path: Path) -> None:
    """It ends the program, which is not even there yet."""
    (tmp_path / "sitecustomize.py").write_text(SWALLOWING)
    done = misere("--version", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (-signal.SIGINT, "")


@pytest.mark.slow
def test_a_server_can_be_stopped_while_it_starts(tmp_path: Path) -> None:
    """At whatever moment: it goes, and so does its database; the next one starts."""
    chance, folder = Random(4), tmp_path / "data"
    for number in (signal.SIGTERM, signal.SIGINT) * 8:
        with output_of(folder).open("wb") as file:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [MISERE, "serve", "--data", folder, "--port", "0"],
                stdout=file,
                stderr=file,
                env=surroundings(),
            )
        time.sleep(chance.uniform(0.0, 2.5))
        process.send_signal(number)
        process.wait(AT_ONCE)
        assert eventually(lambda: not processes_at(folder))
    with serving(folder) as server:
        assert server.end() == 0
