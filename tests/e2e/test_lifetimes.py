"""The server comes and goes: nothing is left behind, and nothing is lost."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import asyncpg
import httpx
import pytest

from infra.embedded import DataFolder, EmbeddedPostgres, address_of_running
from tests.children import eventually, lives
from tests.e2e.client import (
    Client,
    Json,
    chosen,
    good,
    new_key,
    played_out,
    refused,
    seated,
)
from tests.e2e.running import Server, misere, processes_at, serving
from tests.independent.record_check import check

HARD = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])

PLANT = """
    INSERT INTO misere.migration (number, name, sha256)
    VALUES (9999, '9999_later', '')"""
UPROOT = "DELETE FROM misere.migration WHERE number = 9999"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder on which the servers of this module run, one after another."""
    return tmp_path_factory.mktemp("lifetimes") / "data"


@pytest.fixture
def running(folder: Path) -> Iterator[Server]:
    """A server on that folder."""
    with serving(folder) as server:
        yield server


@asynccontextmanager
async def calling(
    server: Server, *players: Client
) -> AsyncIterator[tuple[httpx.AsyncClient, list[Client]]]:
    """Connections to a server, and players of its folder, their tokens kept."""
    async with httpx.AsyncClient(base_url=server.address, timeout=30) as http:
        yield http, [Client(http, player.token, player.id) for player in players]


async def a_match(http: httpx.AsyncClient, moves: int) -> tuple[str, list[Client]]:
    """A table of three in the middle of its first deal."""
    people = [await Client.register(http, f"Guest {seat}") for seat in range(3)]
    table = await people[0].open_table(seats=3, title="Friday")
    await seated(table, people)
    for _ in range(moves):
        await one_move(table, people)
    return table, people


async def one_move(table: str, people: list[Client]) -> Json:
    """Whoever is to act makes a move."""
    seat: int = (await people[0].view(table))["to_act"][0]
    move = chosen(await people[seat].decision(table), Random(seat))
    return await people[seat].command(table, move)


async def everything(table: str, people: list[Client]) -> list[bytes]:
    """All that the players and the public can read of a table, as bytes."""
    answers = []
    for player in people:
        for what in ("", "/view", "/view?as=public", "/events?limit=1000"):
            answer = await player.ask("GET", f"/tables/{table}{what}")
            good(answer)
            answers.append(answer.content)
        answer = await player.ask("GET", "/me/turns")
        answers.append(answer.content)
    return answers


@HARD
async def test_everything_is_there_after_the_next_start(
    running: Server, folder: Path, number: signal.Signals
) -> None:
    """However the server ends: no process stays, all that was acknowledged does.

    Tables, views and events are the same byte for byte, tokens are good, a request that
    is sent again with its key gets its first answer, and play goes on.
    """
    key = new_key()
    async with calling(running) as (http, _):
        table, people = await a_match(http, moves=5)
        view = await people[0].view(table)
        [seat] = view["to_act"]
        move = chosen(await people[seat].decision(table), Random(1))
        first = await people[seat].send(table, move, key=key)
        good(first, 201)
        before = await everything(table, people)
    running.end(number)
    with serving(folder) as again:
        async with calling(again, *people) as (_, people):
            assert await everything(table, people) == before
            repeated = await people[seat].send(table, move, key=key)
            assert repeated.status_code == first.status_code
            assert repeated.content == first.content
            assert await everything(table, people) == before
            await one_move(table, people)


@pytest.mark.slow
@HARD
async def test_bots_go_on_after_the_next_start(
    running: Server, folder: Path, number: signal.Signals
) -> None:
    """A match of bots, interrupted, plays to its end although nobody asks for it."""
    async with calling(running) as (http, _):
        host = await Client.register(http)
        table = await host.open_table(
            seats=[{"bot": "steady"}] * 4, options={"target": 200}
        )
    running.end(number)
    ended = datetime.now(UTC)
    with serving(folder) as again:
        database = address_of_running(folder)
        assert database is not None
        connection = await asyncpg.connect(database)
        try:
            assert await finishes(connection, table)
        finally:
            await connection.close()
        async with calling(again, host) as (_, [host]):
            record = await host.record(table)
            assert record["table"]["status"] == "finished"
            assert datetime.fromisoformat(record["events"][0]["at"]) < ended
            assert datetime.fromisoformat(record["events"][-1]["at"]) > ended
            assert check(record) == []


async def finishes(connection: asyncpg.Connection, table: str) -> bool:
    """Whether the log, looked at past the server, comes to the match's end."""
    for _ in range(600):
        if await connection.fetchval(
            "SELECT count(*) FROM misere.event"
            " WHERE table_id = $1 AND type = 'match_ended'",
            table,
        ):
            return True
        await connection.fetchval("SELECT pg_sleep(0.05)")
    return False


async def test_the_database_is_started_again_when_it_is_killed(running: Server) -> None:
    """Kill the postmaster alone: the server heals, and no acknowledged move is lost."""
    async with calling(running) as (http, _):
        table, people = await a_match(http, moves=4)
        before = await everything(table, people)
        old = running.postmaster()
        old.kill()
        assert eventually(lambda: not lives(old))
        key, answers = new_key(), []
        view = await people[0].view_when_ready(table)
        [seat] = view["to_act"]
        assert await everything(table, people) == before
        move = chosen(await people[seat].decision(table), Random(2))
        answers = [await people[seat].send(table, move, key=key) for _ in range(2)]
        good(answers[0], 201)
        assert answers[0].content == answers[1].content
        good(await http.get("/health/ready"))
    assert running.postmaster().pid != old.pid
    running.end()


async def test_a_move_under_a_dying_database_happens_once(running: Server) -> None:
    """A keyed move that is repeated until it is accepted is in the log once.

    Meanwhile it is refused as retryable or not answered, but never otherwise.
    """
    async with calling(running) as (http, _):
        table, people = await a_match(http, moves=4)
        [seat] = (await people[0].view(table))["to_act"]
        move = chosen(await people[seat].decision(table), Random(3))
        running.postmaster().kill()
        key = new_key()
        answer = await people[seat].send(table, move, key=key)
        while answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            said = refused(answer, 503, answer.json()["code"])
            assert said["retryable"]
            assert answer.headers["retry-after"]
            answer = await people[seat].send(table, move, key=key)
        said = good(answer, 201)
        # A backend may outlive its postmaster by a moment and accept the move.
        listed = await people[seat].ask("GET", f"/tables/{table}/events")
        while listed.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            refused(listed, 503, "store-unavailable")
            await asyncio.sleep(0.1)
            listed = await people[seat].ask("GET", f"/tables/{table}/events")
        events = good(listed)["items"]
        ours = [it for it in events if it["command"] == said["events"][0]["command"]]
        assert [it["version"] for it in ours] == [
            it["version"] for it in said["events"]
        ]
    assert "request failed" not in running.output


def test_a_second_server_on_a_folder_is_refused(running: Server) -> None:
    """One line says that the folder is in use, and by which process."""
    second = misere("serve", "--data", running.folder, "--port", "0")
    assert second.returncode != 0
    assert second.stdout == ""
    [line] = second.stderr.splitlines()
    assert "in use by another misere server" in line
    assert f"(process {running.process.pid})" in line
    assert httpx.get(f"{running.address}/health/ready").is_success


async def test_a_newer_database_is_refused(running: Server, folder: Path) -> None:
    """A server older than its database says so in one line, and leaves."""
    database = address_of_running(folder)
    assert database is not None
    connection = await asyncpg.connect(database)
    await connection.execute(PLANT)
    await connection.close()
    running.end()
    try:
        older = misere("serve", "--data", folder, "--port", "0")
        assert older.returncode != 0
        [line] = older.stderr.splitlines()
        assert "9999_later" in line
        assert "newer version" in line
        assert not processes_at(folder)
    finally:
        with (
            DataFolder.claim(folder) as claimed,
            EmbeddedPostgres.start(claimed) as postgres,
        ):
            connection = await asyncpg.connect(postgres.dsn())
            await connection.execute(UPROOT)
            await connection.close()


@pytest.mark.parametrize("port", ["eighty", "-1", "65536"])
def test_a_bad_port_is_refused_by_its_name(tmp_path: Path, port: str) -> None:
    """One line names the variable; nothing is started or made."""
    done = misere("serve", "--data", tmp_path / "data", MISERE_PORT=port)
    assert done.returncode != 0
    [line] = done.stderr.splitlines()
    assert "MISERE_PORT" in line
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("MISERE_REDIS_URL", "redis://user:hunt/er2@host"),
        ("MISERE_REDIS_URL", "redis-cluster://user:hunt#er2@host"),
        ("MISERE_DATABASE_URL", "postgresql://user:hunt/er2@host/base"),
        ("MISERE_DATABASE_URL", "postgresql://user:word@host/base?sslmode=hunter2"),
    ],
)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_url_that_cannot_be_read_is_refused_by_its_name(
    tmp_path: Path, name: str, url: str, workers: str
) -> None:
    """One line names the variable, and no part of a password is said."""
    given = {name: url, "MISERE_WORKERS": workers}
    done = misere("serve", "--data", tmp_path / "data", "--port", "0", **given)
    assert done.returncode != 0
    [line] = done.stderr.splitlines()
    assert name in line
    assert "the URL cannot be read" in line
    assert "hunt" not in done.stderr + done.stdout
    assert not processes_at(tmp_path / "data")


def test_migrating_what_is_up_to_date_changes_nothing(folder: Path) -> None:
    """`misere migrate` says that the database is up to date, however often."""
    for _ in range(2):
        done = misere("migrate", "--data", folder)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == "The database is up to date."
    assert not processes_at(folder)


async def test_a_rebuild_brings_the_same_lists(running: Server) -> None:
    """The lobby, turns, results and standings are the same before and after."""
    async with calling(running) as (http, _):
        table, people = await a_match(http, moves=1)
        over, _ = await a_match(http, moves=0)
        await people[0].open_table(visibility="private")
        await people[1].open_table(seats=5, rated=True)
        quick = await people[0].open_table(seats=3, rated=True, options={"target": 1})
        await seated(quick, people)
        await played_out(quick, dict(enumerate(people)), Random(1))
        before = await lists(people)
        for name in ([], ["standings"]):
            done = misere("rebuild", *name, "--data", running.folder)
            assert done.returncode == 0, done.stderr
            assert done.stdout.startswith("The read models are rebuilt: lobby, ")
            assert await lists(people) == before
        listed = [it["id"] for it in before[0]["items"]]
        assert {table, over, quick} <= {*listed}
        assert [it["rating"] for it in before[1]["items"]] != [0, 0, 0]
        await one_move(table, people)
        assert await lists(people) != before


async def lists(people: list[Client]) -> list[Json]:
    """The lobby, the standings, and what each player waits for and has played."""
    general = [
        await people[0].get("/tables", limit=200),
        await people[0].get("/standings", game="hearts", limit=200),
    ]
    return general + [
        await player.get(path)
        for player in people
        for path in ("/me/turns", f"/players/{player.id}/results")
    ]


@pytest.mark.slow
def test_bots_play_matches_on_the_command_line(folder: Path) -> None:
    """`misere play` plays whole matches; the same seed plays the same ones."""
    runs = []
    for _ in range(2):
        done = misere("play", "2", "--seed", "1", "--data", folder)
        assert done.returncode == 0, done.stderr
        *table, summary = done.stdout.splitlines()
        assert summary.startswith("2 matches, ")
        runs.append((table, summary.partition(" events")[0]))
    assert runs[0] == runs[1]
    assert not processes_at(folder)
