"""Workers that die at the worst places: what was answered is stored, and followed."""

import asyncio
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.children import eventually
from tests.e2e.lasting import Place, place_at
from tests.e2e.reading import followed_to_the_end
from tests.e2e.running import Server, serving
from tests.e2e.surviving import survive

FAILPOINTS: Final = Path(__file__).parents[1] / "failpoints"
WORKERS: Final = 3

places = pytest.mark.parametrize("place", ["committed", "unpublished"])


def dying_at(place: str, deaths: Path, often: float) -> dict[str, str]:
    """The environment of a server whose workers die there, once that file is there."""
    return {
        "MISERE_WORKERS": str(WORKERS),
        "MISERE_TEST_DIES_AT": place,
        "MISERE_TEST_DEATHS": str(deaths),
        "MISERE_TEST_OFTEN": str(often),
        "PYTHONPATH": str(FAILPOINTS),
    }


def deaths_in(deaths: Path) -> int:
    """How many there have been."""
    return len(deaths.read_text().splitlines())


@pytest.mark.slow
@pytest.mark.timeout(400)
@places
async def test_nothing_is_lost_where_workers_die(place: str, tmp_path: Path) -> None:
    """Every answer is in the log once, and every table is played to its end."""
    deaths = tmp_path / "deaths"

    async def blow(_: Place, __: Random) -> None:
        deaths.touch()
        assert await asyncio.to_thread(eventually, lambda: deaths_in(deaths) >= 6, 200)

    async with place_at(tmp_path / "data", **dying_at(place, deaths, 0.01)) as where:
        await survive(where, Random(8), [blow])


@pytest.mark.slow
@pytest.mark.timeout(400)
@places
async def test_followers_miss_nothing_where_workers_die(
    place: str, tmp_path: Path
) -> None:
    """Cut off with the worker that told them: every version once, in order."""
    deaths = tmp_path / "deaths"

    def wait(_: Server) -> None:
        deaths.touch()
        assert eventually(lambda: deaths_in(deaths) >= 2, 60)

    with serving(tmp_path / "data", **dying_at(place, deaths, 0.04)) as server:
        await followed_to_the_end(server, wait, readers=6)
