"""Schemathesis calls the running server as the document says, and as it does not.

It makes requests from the document, right ones and wrong ones, and holds every answer
against it: none is a failure of the server, and each has a status, headers, a media
type and a body that the operation lists.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from tests.e2e.client import Json
from tests.e2e.running import Server, serving

SCHEMATHESIS: Final = Path(sys.executable).with_name("st")

SETTINGS: Final = """
[phases.stateful]
max-steps = 30
[phases.stateful.inference]
algorithms = []
"""
"""Long stories, along the links of the document and no others."""

ENDING: Final = ("forgetMe", "replaceMyToken")
"""What ends the caller's token, and so is asked by nobody else's."""

ENDLESS: Final = ("streamTable", "streamMine")
"""What goes on while a table does, and so is never answered whole."""

REFUSED_WITH_REASON: Final = "positive_data_acceptance"
"""The check that is left out: the rules, a key or a cursor may refuse what is well
formed."""

OF_A_GAME: Final = {
    ("POST", "/v1/tables", 201),
    ("PUT", "/v1/tables/{}/seats/{}", 200),
    ("GET", "/v1/tables/{}/view", 200),
    ("POST", "/v1/tables/{}/commands", 201),
    ("GET", "/v1/tables/{}/events", 200),
    ("POST", "/v1/tables/{}/abandon", 200),
}
"""What has to be reached for a story to be one of tables and seats."""


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this module's own, which must not fail."""
    with serving(tmp_path_factory.mktemp("schemathesis") / "data") as server:
        yield server
        assert "request failed" not in server.output


def test_every_answer_is_as_the_document_says(watched: Server, tmp_path: Path) -> None:
    """Examples, bounds of every value, what is just beyond them, wrong methods."""
    explore(watched, tmp_path, "--phases=examples,coverage", "--seed=1")


@pytest.mark.parametrize("operation", ENDING)
def test_a_token_ends_as_the_document_says(
    operation: str, watched: Server, tmp_path: Path
) -> None:
    """Once it has succeeded, the token that was used is refused."""
    options = ("--phases=coverage", "--seed=1")
    explore(watched, tmp_path, f"--include-operation-id={operation}", *options)


def test_a_story_along_the_links(watched: Server, tmp_path: Path) -> None:
    """From a new table to its seats, moves, events: each answer is a described one."""
    reached = follow(watched, tmp_path, "--max-examples=15", "--seed=1")
    assert reached >= OF_A_GAME


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_every_answer_to_many_requests_is_as_the_document_says(
    watched: Server, tmp_path: Path
) -> None:
    """Hundreds of chance requests to each operation, other ones every time."""
    explore(watched, tmp_path, "--max-examples=200")


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_many_stories_along_the_links(watched: Server, tmp_path: Path) -> None:
    """The same stories, more of them and other ones every time."""
    follow(watched, tmp_path, "--max-examples=200")


def explore(server: Server, folder: Path, *options: str) -> None:
    """Call with right and wrong requests made from the document as it is served."""
    described = folder / "openapi.json"
    described.write_bytes(httpx.get(f"{server.address}/openapi.json").content)
    run(server, folder, described, *options)


def follow(server: Server, folder: Path, *options: str) -> set[tuple[str, str, int]]:
    """Follow links with requests of a client who knows the games; what was answered."""
    told = httpx.get(f"{server.address}/openapi.json").json()
    games = httpx.get(f"{server.address}/v1/games").json()["items"]
    described = folder / "narrowed.json"
    described.write_text(json.dumps(narrowed(told, games)))
    har = folder / "answers.har"
    run(
        server,
        folder,
        described,
        "--phases=stateful",
        "--mode=positive",
        "--include-path-regex=/tables|/me/turns",
        f"--report-har-path={har}",
        *options,
    )
    entries = json.loads(har.read_text())["log"]["entries"]
    return {
        (
            entry["request"]["method"],
            pattern(httpx.URL(entry["request"]["url"]).path),
            entry["response"]["status"],
        )
        for entry in entries
    }


def narrowed(document: Json, games: list[Json]) -> Json:
    """The document less what keeps chance requests from getting anywhere.

    Tables are those of the games that are played, with bots but for one seat, and with
    no passing; nobody looks at the past, shows an invite or uses a key.
    """
    bot = {"bot": "steady"}
    terms = [
        {
            "game": game["game"],
            "seats": [{}, *[bot] * (game["usual_seats"] - 1)],
            "options": {
                name: []
                for name in game["options_schema"]["properties"]
                if name == "passing"
            },
            "autostart": autostart,
        }
        for game in games
        for autostart in (True, False)
    ]
    schemas = document["components"]["schemas"]
    schemas["NewTable"] = {"enum": terms}
    schemas["SeatRequest"] = {"enum": [{}]}
    kept = {"table", "seat", "player", "after", "limit"}
    for methods in document["paths"].values():
        for operation in methods.values():
            operation["parameters"] = [
                each for each in operation["parameters"] if each["name"] in kept
            ]
            for response in operation["responses"].values():
                response["links"] = {
                    # A move that is listed is sent as it stands.
                    name: {**link, "x-schemathesis": {"merge_body": False}}
                    for name, link in response.get("links", {}).items()
                    if "cursor" not in link["parameters"]
                }
    return document


def run(server: Server, folder: Path, described: Path, *options: str) -> None:
    """Run Schemathesis as a new player; it must find nothing."""
    made = httpx.post(f"{server.address}/v1/players", json={"name": "Ada"}).json()
    settings = folder / "schemathesis.toml"
    settings.write_text(SETTINGS)
    apart = (
        []
        if any("include-operation-id" in option for option in options)
        else [f"--exclude-operation-id={name}" for name in (*ENDING, *ENDLESS)]
    )
    done = subprocess.run(  # noqa: S603 - a program of our environment
        [
            SCHEMATHESIS,
            f"--config-file={settings}",
            "--no-color",
            "run",
            described,
            f"--url={server.address}",
            f"--header=Authorization: Bearer {made['token']}",
            f"--exclude-checks={REFUSED_WITH_REASON}",
            "--generation-database=none",
            "--continue-on-failure",
            *apart,
            *options,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-5000:]


def pattern(path: str) -> str:
    """A path with `{}` in the place of an id or a number."""
    return re.sub(r"/([0-9a-f-]{36}|\d+)(?=/|$)", "/{}", path)
