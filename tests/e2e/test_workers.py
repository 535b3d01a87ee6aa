"""Several workers: any takes any request, and none is missed when it dies."""

import asyncio
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import httpx
import psutil
import pytest

from api.databases import bring_up_to_date
from infra.metrics import NAMED
from tests.children import eventually, family, lives
from tests.e2e.lasting import Place, place_at
from tests.e2e.reading import followed_to_the_end
from tests.e2e.running import (
    MISERE,
    Server,
    command_of,
    output_of,
    processes_at,
    serving,
    surroundings,
)
from tests.e2e.surviving import survive
from tests.e2e.test_shutdown import AT_ONCE
from tests.embedded import running

COUNT: Final = 3
WORKERS: Final = {"MISERE_WORKERS": str(COUNT)}


def kill_a_worker(server: Server, chance: Random) -> None:
    """Kill a worker, and wait until the keeper has started another."""
    victim = chance.choice(server.workers())
    victim.kill()

    def replaced() -> bool:
        with suppress(psutil.Error):
            pids = {worker.pid for worker in server.workers()}
            return victim.pid not in pids and len(pids) == COUNT
        return False

    assert eventually(replaced, 60)


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_workers_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    """Under load: what was answered is in the log, and every table is played out."""

    async def blow(place: Place, chance: Random) -> None:
        assert place.server is not None
        await asyncio.to_thread(kill_a_worker, place.server, chance)

    async with place_at(tmp_path / "data", **WORKERS) as place:
        await survive(place, Random(5), [blow] * 8)


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_rolling_restart_under_load_loses_nothing(tmp_path: Path) -> None:
    """On SIGHUP all workers are replaced, one after another, while matches go on."""

    async def blow(place: Place, _: Random) -> None:
        server = place.server
        assert server is not None
        old = {worker.pid for worker in server.workers()}
        server.process.send_signal(signal.SIGHUP)

        def replaced() -> bool:
            return not old & {worker.pid for worker in server.workers()}

        assert await asyncio.to_thread(eventually, replaced, 60)

    async with place_at(tmp_path / "data", **WORKERS) as place:
        await survive(place, Random(6), [blow] * 2)


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_followers_outlive_the_worker_that_they_follow_at(tmp_path: Path) -> None:
    """Cut off by its death, they go on at another: every version once, in order."""

    def kill_workers(server: Server) -> None:
        chance = Random(7)
        for _ in range(3):
            time.sleep(0.3)
            kill_a_worker(server, chance)

    with serving(tmp_path / "data", **WORKERS) as server:
        await followed_to_the_end(server, kill_workers, readers=6)


@pytest.mark.slow
def test_workers_end_with_their_keeper(tmp_path: Path) -> None:
    """Told to stop, or killed: neither a worker nor a server of its own is left."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        server = Server.start(tmp_path / "data", **WORKERS)
        family = server.family()
        assert len(server.workers()) == COUNT
        server.process.send_signal(number)
        server.process.wait(15)
        _, alive = psutil.wait_procs(family, 15)
        assert not [process for process in alive if lives(process)]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_workers_outlast_a_database_that_is_away(tmp_path: Path) -> None:
    """A worker that cannot start meanwhile is started again until it can."""
    with running(tmp_path / "postgres") as postgres:
        asyncio.run(bring_up_to_date(postgres.dsn()))
        named = {"MISERE_DATABASE_URL": postgres.dsn(), **WORKERS}
        with serving(tmp_path / "data", **named) as server:
            assert postgres.pid is not None
            psutil.Process(postgres.pid).kill()
            assert eventually(lambda: postgres.poll() is not None)
            server.workers()[0].kill()
            assert eventually(lambda: server.output.count("is tried again") > 1, 60)
            postgres.restart()

            def answer() -> bool:
                tried = [httpx.get(f"{server.address}/v1/tables") for _ in range(9)]
                return all(it.is_success for it in tried)

            assert eventually(lambda: len(server.workers()) == COUNT, 60)
            assert eventually(answer, 60)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_workers_can_be_stopped_while_they_start(tmp_path: Path) -> None:
    """At whatever moment, at the first start or in the middle of a rolling restart."""
    chance, folder = Random(8), tmp_path / "data"
    for number in (signal.SIGTERM, signal.SIGINT) * 4:
        with output_of(folder).open("wb") as file:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [MISERE, "serve", "--data", folder, "--port", "0"],
                stdout=file,
                stderr=file,
                env=surroundings(**WORKERS),
            )
        assert eventually(lambda: "spawn_main" in _commands(process.pid))  # noqa: B023
        time.sleep(chance.uniform(0.0, 2.0))
        process.send_signal(number)
        assert process.wait(AT_ONCE) == 0
        assert eventually(lambda: not processes_at(folder))
    for pause in (0.0, 0.5, 1.0, 2.0):
        server = Server.start(folder, **WORKERS)
        server.process.send_signal(signal.SIGHUP)
        time.sleep(pause)
        began = time.monotonic()
        assert server.end() == 0
        assert time.monotonic() - began < AT_ONCE


def _commands(pid: int) -> str:
    return " ".join(map(command_of, family(pid)))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_server_of_our_own_is_mended_while_workers_are_replaced(
    tmp_path: Path,
) -> None:
    """Before the restart is over, which without it could not go on."""
    with serving(tmp_path / "data", **WORKERS) as server:
        old = {worker.pid for worker in server.workers()}
        server.process.send_signal(signal.SIGHUP)
        assert eventually(lambda: {it.pid for it in server.workers()} != old)
        server.postmaster().kill()
        assert eventually(lambda: "it runs again" in server.output, 5)
        assert old & {worker.pid for worker in server.workers()}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_worker_that_hangs_makes_its_keeper_neither_deaf_nor_idle(
    tmp_path: Path,
) -> None:
    """Servers are mended meanwhile, and it is replaced; or killed, where all end."""
    with serving(tmp_path / "data", **WORKERS) as server:
        hanging = server.workers()[0]
        hanging.suspend()
        time.sleep(1.5)  # it is asked how it is
        server.postmaster().kill()
        assert eventually(lambda: "it runs again" in server.output, 5)
        assert eventually(lambda: hanging not in server.workers(), 60)
        assert eventually(lambda: len(server.workers()) == COUNT)
        server.workers()[0].suspend()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(60) == 0


@pytest.mark.slow
def test_what_a_killed_keeper_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """That of a living one is not."""
    shared = {"TMPDIR": str(tmp_path), **WORKERS}
    with serving(tmp_path / "one", **shared):
        kept = set(tmp_path.glob(f"{NAMED}*"))
        assert len(kept) == 1
        server = Server.start(tmp_path / "other", **shared)
        server.end(signal.SIGKILL)
        assert len(set(tmp_path.glob(f"{NAMED}*"))) == 2
        with serving(tmp_path / "other", **shared):
            now = set(tmp_path.glob(f"{NAMED}*"))
            assert len(now) == 2
            assert now > kept
    assert not set(tmp_path.glob(f"{NAMED}*"))
