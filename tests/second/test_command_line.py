"""The second verifier on the command line: what it prints, and how it exits."""

import json
from pathlib import Path

import pytest

from tests.second.node import VERIFIER, run
from tests.second.records import joined, lines_of, match

CLI = VERIFIER / "cli.mjs"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A good record."""
    path = tmp_path / "record.ndjson"
    path.write_bytes(joined(lines_of(match("tetka", 4, seed=2))))
    return path


def test_a_good_record_exits_with_nought(record: Path) -> None:
    """The last line names version and head."""
    end = json.loads(record.read_bytes().splitlines()[-1])
    done = run(CLI, str(record))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == f"good: {end['version']} {end['head']}"
    assert "The play was not judged." in done.stdout


def test_a_changed_record_exits_with_one(record: Path) -> None:
    """A line of its own names the first bad version."""
    lines = record.read_bytes().splitlines()
    del lines[30]
    record.write_bytes(joined(lines))
    done = run(CLI, str(record))
    assert done.returncode == 1
    assert "first bad version: 30" in done.stdout.splitlines()


def test_a_record_without_the_kept_head_exits_with_one(record: Path) -> None:
    """It is good, but not of the table that somebody saw."""
    end = json.loads(record.read_bytes().splitlines()[-1])
    assert run(CLI, str(record), "--head", end["head"]).returncode == 0
    done = run(CLI, str(record), "--head", "5e" * 32)
    assert done.returncode == 1
    assert f"first bad version: {end['version'] + 1}" in done.stdout.splitlines()


def test_the_report_can_be_had_as_json(record: Path) -> None:
    """One object, for another program."""
    done = run(CLI, "--json", str(record))
    said = json.loads(done.stdout)
    assert list(said) == [
        "ok",
        "version",
        "head",
        "checks",
        "first_bad_version",
        "why",
    ]
    assert all(list(it) == ["name", "ok", "checked"] for it in said["checks"])


def test_a_record_may_come_through_a_pipe(record: Path) -> None:
    """A hyphen is standard input."""
    done = run(CLI, "-", given=record.read_text("utf-8"))
    assert done.returncode == 0


@pytest.mark.parametrize(
    "args", [[], ["a", "b"], ["--head", "5E" * 32], ["--what"], ["/nowhere"], ["-"]]
)
def test_what_is_no_record_exits_with_two(args: list[str]) -> None:
    """Nor are no file, two, one that is not there; nor a head that is none."""
    done = run(CLI, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


def test_it_imports_nothing_but_its_own_modules() -> None:
    """No package; in a browser, nothing of Node's; none of the server's code."""
    for module in VERIFIER.glob("*.mjs"):
        for line in module.read_text("utf-8").splitlines():
            if " from " in line and line.startswith(("import", "export", "}")):
                source = line.split(" from ")[1].strip('";')
                ours = source.startswith("./") and (VERIFIER / source).exists()
                assert ours or (module == CLI and source.startswith("node:")), line
