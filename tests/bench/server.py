"""The server under measurement: the real one, with a POST that does nothing beside it.

    python -m tests.bench.server FOLDER [single]

`single` gives each command a transaction of its own, which is what group commit is held
against.
"""

import sys
from pathlib import Path
from unittest.mock import patch

from litestar import Litestar, post
from litestar.types import ASGIApp

from api import serving
from api.answers import answer
from api.app import application as whole
from api.databases import backing
from infra import logs
from infra.settings import Settings
from services import committer

SINGLE_FLIGHTS = 8
"""Transactions at once where each has one command: as many as the pool has room for."""


@post("/nothing")
async def do_nothing() -> ASGIApp:
    """Answer what the smallest command would, as the framework handles a request."""
    return answer({"version": 1}, 201)


def main() -> None:
    """Serve until told to stop."""
    folder, *variant = sys.argv[1:]
    logs.configure("warning")
    if variant == ["single"]:
        committer.FLIGHTS = SINGLE_FLIGHTS  # type: ignore[misc]
        committer.FLIGHT_SIZE = 1  # type: ignore[misc]
    settings = Settings(data=Path(folder), port=0)

    def application(*parts: object) -> Litestar:
        app = whole(*parts)  # type: ignore[arg-type]
        app.register(do_nothing)
        return app

    with backing(settings) as standing, patch("api.serving.application", application):
        serving.serve(settings, standing)


if __name__ == "__main__":
    main()
