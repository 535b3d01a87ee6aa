"""Several workers: any takes any request, and none is missed when it dies."""

import asyncio
import signal
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import psutil
import pytest

from tests.children import eventually, lives
from tests.e2e.lasting import Place, place_at
from tests.e2e.running import Server, serving
from tests.e2e.surviving import survive
from tests.e2e.test_streams import followed_to_the_end

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
