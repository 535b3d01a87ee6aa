"""The server under measurement: the real one, with what measuring needs beside it.

    python -m tests.bench.server FOLDER [single | workers | paced]

`single` gives each command a transaction of its own, which is what group commit is held
against. `workers` has two processes that take requests. `paced` has bots that stand
still until they are given a pace, and times every append.
"""

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from unittest.mock import patch

from litestar import Litestar, get, post
from litestar.types import ASGIApp
from msgspec.structs import replace

from api import serving
from api.answers import answer
from api.app import application as whole
from api.databases import backing
from api.workers import serve_with_workers
from infra import logs
from infra.settings import Settings
from services import committer
from tests.bench.pacing import Pace, Stopwatch, paced

WORKERS = 2

SINGLE_FLIGHTS = 8
"""Transactions at once where each has one command: as many as the pool has room for."""


@post("/nothing")
async def do_nothing() -> ASGIApp:
    """Answer what the smallest command would, as the framework handles a request."""
    return answer({"version": 1}, 201)


def measured(pace: Pace, watch: Stopwatch, *parts: object) -> Litestar:
    """The application, and the levers and dials of a measurement."""

    @post("/pace/{seconds:str}")
    async def set_pace(seconds: str) -> ASGIApp:
        pace.set(float(seconds))
        return answer({}, 201)

    @get("/appends")
    async def read_appends() -> ASGIApp:
        return answer(watch.read(), 200)

    app = whole(*parts)  # type: ignore[arg-type]
    for handler in (do_nothing, set_pace, read_appends):
        app.register(handler)
    return app


def main() -> None:
    """Serve until told to stop."""
    folder, *variant = sys.argv[1:]
    logs.configure("warning")
    if variant == ["single"]:
        committer.FLIGHTS = SINGLE_FLIGHTS  # type: ignore[misc]
        committer.FLIGHT_SIZE = 1  # type: ignore[misc]
    settings = Settings(data=Path(folder), port=0)
    pace, watch = Pace(), Stopwatch()
    with (
        paced(pace, watch) if variant == ["paced"] else nullcontext(),
        backing(settings) as standing,
        patch("api.serving.application", partial(measured, pace, watch)),
    ):
        if variant == ["workers"]:
            serve_with_workers(replace(settings, workers=WORKERS), standing)
        else:
            serving.serve(settings, standing)


if __name__ == "__main__":
    main()
