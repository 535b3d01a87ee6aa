"""One whole match of every game and rules version, as its log was once written.

Old tables are read for ever: a record that no longer reads the same, or is judged
otherwise, is a mistake in the rules or in how events are written.
`python -m tests.golden.test_records` writes those that are not there yet.
"""

import json
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from domain import log
from domain.adjudication import adjudicated
from domain.chain import moment
from domain.events import DealVoided, Event
from domain.games import GAMES
from domain.ids import TableId
from domain.table import Table
from tests.driver import Driver
from tests.games import TRIALS

FOLDER = Path(__file__).with_name("records")
every_game = pytest.mark.parametrize("game", TRIALS)


def path_of(game: str) -> Path:
    """Where the record of a game as its rules are now is kept."""
    return FOLDER / f"{game}-{GAMES[game].rules_version}.ndjson"


def lines_of(driver: Driver) -> list[str]:
    """Each event as it is stored: what is public and, apart, what is kept secret."""
    return [
        json.dumps(
            {"body": line.body.decode(), "kept": line.kept and line.kept.decode()},
            ensure_ascii=False,
        )
        for line in driver.lines
    ]


def appends_of(path: Path) -> list[tuple[datetime, list[Event]]]:
    """The appends of a record and their times, as they are read today."""
    stored = [json.loads(text) for text in path.read_text("utf-8").splitlines()]
    whole = [
        log.read(it["body"].encode(), it["kept"] and it["kept"].encode())
        for it in stored
    ]
    return [
        (moment(at), [event for _, event in append])
        for (_, at), append in groupby(whole, key=lambda it: (it[0].command, it[0].at))
    ]


@every_game
def test_the_match_is_written_as_it_was(game: str) -> None:
    """The same chance makes the same cards, the same plays and the same bytes."""
    text = path_of(game).read_text("utf-8")
    assert text.splitlines() == lines_of(TRIALS[game].recorded())


@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("*.ndjson")), ids=lambda it: it.stem
)
def test_the_record_is_read_and_judged_as_it_was(path: Path) -> None:
    """Every event is what had to follow, and the match ends as it ended."""
    appends = appends_of(path)
    body: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[0])
    table_id: TableId = log.public_event(body["body"].encode()).table
    table: Table | None = None
    for at, append in appends:
        assert adjudicated(table_id, table, append, at) == append
        table = log.follow(table_id, table, append, at)
    assert table is not None
    assert table.status == "finished"


@every_game
def test_the_record_holds_every_kind_of_event_of_its_game(game: str) -> None:
    """What a match that is played out can bring about stands in it."""
    appends = appends_of(path_of(game))
    recorded = {type(event) for _, append in appends for event in append}
    assert set(GAMES[game].steps) - {DealVoided} <= recorded


def main() -> None:
    """Write the records that are missing."""
    for game, trial in TRIALS.items():
        if not path_of(game).exists():
            text = "\n".join(lines_of(trial.recorded())) + "\n"
            path_of(game).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
