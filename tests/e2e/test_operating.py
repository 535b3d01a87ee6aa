"""What a host sees of a running server: its counts, its log, whether it is ready."""

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import psutil
import pytest

from tests.children import eventually
from tests.e2e.client import PROBLEM, Client, Json, good, new_key, refused
from tests.e2e.four import HANDS, Four, four_of
from tests.e2e.running import Server, misere, serving

SAMPLE: Final = re.compile(r"^([a-z_]+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)
ELSEWHERE: Final = {"X-Forwarded-For": "198.51.100.7"}


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this module's own, which logs every request."""
    folder = tmp_path_factory.mktemp("operated") / "data"
    with serving(folder, MISERE_LOG="debug") as server:
        yield server


@pytest.fixture(scope="module")
async def line(operated: Server) -> AsyncIterator[httpx.AsyncClient]:
    """Connections to that server."""
    async with httpx.AsyncClient(base_url=operated.address, timeout=30) as http:
        yield http


@pytest.fixture(scope="module")
async def people(line: httpx.AsyncClient) -> Four:
    """Four people who are about to pass."""
    return await four_of([await Client.register(line, f"Guest {n}") for n in range(4)])


async def counts(http: httpx.AsyncClient) -> dict[str, float]:
    """What the server counts, by name and labels."""
    return counts_in(await http.get("/metrics"))


def counts_in(answer: httpx.Response) -> dict[str, float]:
    """The same, as it is told."""
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        f"{name}{{{labels}}}" if labels else name: float(value)
        for name, labels, value in SAMPLE.findall(answer.text)
    }


async def test_counts_go_up_as_one_plays(line: httpx.AsyncClient, people: Four) -> None:
    """Requests, commands by what came of them, flights, appends, streams, delivery."""
    before = await counts(line)
    player, key = people.people[0], new_key()
    path = f"/v1/tables/{people.table}/stream"
    headers = {"Authorization": f"Bearer {player.token}"}
    move = {"type": "pass", "cards": HANDS[0][:3]}
    async with line.stream("GET", path, headers=headers) as stream:
        lines = stream.aiter_lines()
        async for said in lines:
            if said.startswith("event: caught_up"):
                break
        for _ in range(2):
            good(await player.send(people.table, move, key=key), 201)
        refused(await player.send(people.table, move), 409, "not-your-turn")
        async for said in lines:
            if said.startswith("event: cards_passed"):
                break
        during = await counts(line)
    gained = {name: value - before.get(name, 0.0) for name, value in during.items()}
    sent = 'misere_request_seconds_count{method="POST",operation="sendCommand",status='
    assert gained[sent + '"2xx"}'] == 2
    assert gained[sent + '"4xx"}'] == 1
    assert gained['misere_commands_total{outcome="accepted"}'] == 2
    assert gained['misere_commands_total{outcome="not-your-turn"}'] == 1
    assert gained["misere_commands_repeated_total"] == 1
    assert gained['misere_appends_total{outcome="appended"}'] == 1
    assert gained["misere_flight_seconds_count"] == 1
    assert gained["misere_flight_appends_sum"] == 1
    assert gained['misere_delivery_seconds_count{way="here"}'] == 1
    assert (during["misere_followers"], during["misere_feeds"]) == (1, 1)
    assert during["misere_appends_waiting"] == 0
    assert during["misere_projection_lag_appends"] >= 0


async def test_counts_name_nobody(line: httpx.AsyncClient, people: Four) -> None:
    """No label holds an id, a name, an address or a path."""
    names = " ".join(await counts(line))
    for said in (people.table, people.people[0].id, "Guest", "127.0", "/v1"):
        assert said not in names


async def test_counts_are_for_the_machine_and_administrators(
    line: httpx.AsyncClient, operated: Server, people: Four
) -> None:
    """Who comes by way of a proxy needs an administrator's token."""
    made = misere("token", "--admin", "--data", operated.folder)
    admin = {"Authorization": f"Bearer {made.stdout.strip()}"}
    player = {"Authorization": f"Bearer {people.people[0].token}"}
    for headers, status in (({}, 401), (player, 403), (admin, 200)):
        answer = await line.get("/metrics", headers=ELSEWHERE | headers)
        assert answer.status_code == status, answer.text


@pytest.mark.parametrize("path", ["/v1/meta", "/v1/me", "/v1/none", "/health/live"])
async def test_a_request_keeps_a_sane_id(path: str, line: httpx.AsyncClient) -> None:
    """It comes back with the answer, whatever that is."""
    answer = await line.get(path, headers={"X-Request-Id": "Trace_7.a-b"})
    assert answer.headers["x-request-id"] == "Trace_7.a-b"


@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, 'a"b', "é", "a,b"])
async def test_a_request_without_a_sane_id_gets_one(
    sent: str, line: httpx.AsyncClient
) -> None:
    """Each a new one."""
    headers = {b"X-Request-Id": sent.encode()} if sent else {}
    ids = {
        (await line.get("/v1/meta", headers=headers)).headers["x-request-id"]
        for _ in range(2)
    }
    assert len(ids) == 2
    assert all(re.fullmatch("[0-9a-f]{16}", made) for made in ids)


async def test_a_line_tells_of_a_request(operated: Server, people: Four) -> None:
    """Its id, operation, status, time, table and command; nothing of what was sent."""
    player, sent = people.people[1], {"X-Request-Id": "told.1"}
    path = f"/tables/{people.table}/commands"
    move = {"type": "pass", "cards": HANDS[1][:3]}
    params = {"invite": "ab" * 16}
    good(await player.ask("POST", path, move, headers=sent, params=params), 201)
    [said] = lines_of(operated, "told.1")
    events = await player.events(people.table)
    assert said.pop("duration_ms") > 0
    assert said.pop("timestamp")
    assert said == {
        "event": "request",
        "level": "debug",
        "request": "told.1",
        "operation": "sendCommand",
        "status": 201,
        "code": None,
        "table": people.table,
        "command": events[-1]["command"],
    }


@pytest.mark.slow
async def test_ready_tells_what_is_away(
    line: httpx.AsyncClient, operated: Server, people: Four
) -> None:
    """Without Redis the game goes on; without Postgres the server is not ready."""
    everything = {"ready": True, "postgres": "ok", "redis": "ok"}
    await until_ready_says(line, everything)
    with standing_still(operated.valkey()):
        await until_ready_says(line, everything | {"redis": "away"})
        await people.people[0].view(people.table)
    postmaster = operated.postmaster()
    with standing_still(postmaster, *postmaster.children()):
        await until_ready_says(line, everything | {"ready": False, "postgres": "away"})
        answer = await line.get("/health/ready", headers={"X-Request-Id": "away.1"})
        refused(answer, 503, "store-unavailable")
        assert answer.headers["content-type"] == PROBLEM
        assert "retry-after" in answer.headers
    await until_ready_says(line, everything)
    [said] = lines_of(operated, "away.1")
    assert (said["level"], said["status"]) == ("error", 503)


@pytest.mark.slow
async def test_any_worker_tells_the_counts_of_all(tmp_path: Path) -> None:
    """What a worker that died had counted stays; what was open there does not."""
    with serving(tmp_path / "data", MISERE_WORKERS="2") as server:
        for _ in range(20):
            await asked_anew(server, "/v1/meta")
        read = 'misere_request_seconds_count{method="GET",operation="readMeta",'
        read += 'status="2xx"}'
        for _ in range(6):
            assert (counts_in(await asked_anew(server, "/metrics")))[read] == 20
        victim = server.workers()[0]
        victim.kill()

        def replaced() -> bool:
            workers = server.workers()
            return len(workers) == 2 and victim not in workers

        assert await asyncio.to_thread(eventually, replaced, 60)
        for _ in range(6):
            now = counts_in(await asked_anew(server, "/metrics"))
            assert now[read] == 20
            assert now["misere_followers"] == 0


async def asked_anew(server: Server, path: str) -> httpx.Response:
    """What a worker answers, whichever it is that takes a new connection."""
    async with httpx.AsyncClient(base_url=server.address, timeout=30) as http:
        answer = await http.get(path)
    assert answer.is_success
    return answer


def lines_of(server: Server, request: str) -> list[Json]:
    """What the server has logged of a request."""
    lines = [it for it in server.output.splitlines() if it.startswith("{")]
    return [said for said in map(json.loads, lines) if said.get("request") == request]


async def until_ready_says(http: httpx.AsyncClient, wanted: Json) -> None:
    """Ask until what is seen of the server's parts is as wanted, which a look shows."""
    async with asyncio.timeout(20):
        while True:
            told = (await http.get("/health/ready")).json()
            if {name: told[name] for name in wanted} == wanted:
                return
            await asyncio.sleep(0.1)


@contextmanager
def standing_still(*processes: psutil.Process) -> Iterator[None]:
    """Let processes do nothing for the length of a block."""
    for process in processes:
        process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            process.send_signal(signal.SIGCONT)
