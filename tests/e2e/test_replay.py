"""`misere replay`, at a terminal and without one."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Final

import pytest

from api.replay.command import replay
from tests.driver import hearts, hearts_to_come
from tests.e2e.running import MISERE, here, misere, surroundings

STEERING: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
HOME: Final = "\x1b[H"
PATIENCE: Final = 20.0


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a match of Hearts."""
    path = tmp_path_factory.mktemp("replay") / "record.json"
    path.write_text(json.dumps(hearts({"target": 30}, seed=5).finish().record()))
    return path


def test_without_a_terminal_the_whole_game_is_printed(record: Path) -> None:
    """As plain text of 80 columns, from the first event to the last."""
    printed = misere("replay", record)
    assert printed.returncode == 0, printed.stderr
    assert "\x1b" not in printed.stdout
    text = printed.stdout.splitlines()
    assert max(map(len, text)) <= 80
    assert text[1].startswith("Hearts: deal 1, trick 1")
    assert "all cards open" in text[1]
    assert sum(line.startswith("Trick ") for line in text) % 13 == 0
    assert "The match is over" in text[-1]


def test_one_deal_through_one_seats_eyes(record: Path) -> None:
    """The others' hands are numbers of cards."""
    printed = here(replay, record, "--deal", "2", "--seat", "1")
    assert printed.exit_code == 0, printed.stderr
    assert sum(line.startswith("Trick ") for line in printed.stdout.splitlines()) == 13
    assert "as seat 1 sees it" in printed.stdout
    assert printed.stdout.count("13 cards") == 3


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--seat", "4"], "no such seat"),
        (["--deal", "99"], "no such deal"),
        (["--deal", "0"], "--deal"),
    ],
)
def test_what_is_not_in_the_record_cannot_be_asked_for(
    record: Path, given: list[str], why: str
) -> None:
    """In one line, and nothing is printed."""
    printed = here(replay, record, *given)
    assert printed.exit_code != 0
    assert printed.stdout == ""
    assert why in printed.stderr


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    """In one line."""
    path = tmp_path / "nothing"
    path.write_text("nothing")
    printed = here(replay, path)
    assert (printed.exit_code, printed.stdout) == (1, "")
    assert printed.stderr.startswith("Error: This is not a record: ")
    assert printed.stderr.count("\n") == 1


def test_a_game_that_is_none_is_told_of_in_one_line(tmp_path: Path) -> None:
    """A record that nobody has checked may tell of options that there are not."""
    text = b"\n".join(hearts_to_come().abandon().record_lines())
    path = tmp_path / "record"
    path.write_bytes(text.replace(b'"moon":"add"', b'"moon":"odd"'))
    printed = here(replay, path)
    assert (printed.exit_code, printed.stderr.count("\n")) == (1, 1)
    assert "misere verify" in printed.stderr


class Terminal:
    """A terminal of 24 lines in which a game is replayed."""

    def __init__(self, record: Path) -> None:
        """Begin the replay."""
        self._own, theirs = pty.openpty()
        self.is_of(24)
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [MISERE, "replay", record],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=surroundings(TERM="xterm-256color", NO_COLOR="1"),
        )
        os.close(theirs)

    def is_of(self, lines: int) -> None:
        """Have so many lines."""
        size = struct.pack("HHHH", lines, 80, 0, 0)
        fcntl.ioctl(self._own, termios.TIOCSWINSZ, size)

    def press(self, key: str) -> None:
        """Press a key."""
        os.write(self._own, key.encode())

    def shows(self, *wanted: str) -> None:
        """Wait until all of that is on one screen, in this order."""
        order = re.compile(".*".join(map(re.escape, wanted)), re.DOTALL)
        shown, until = "", monotonic() + PATIENCE
        while not any(
            order.search(STEERING.sub("", screen)) for screen in shown.split(HOME)[1:]
        ):
            assert monotonic() < until, shown
            if select.select([self._own], [], [], 0.5)[0]:
                shown += os.read(self._own, 65536).decode()

    def close(self) -> int:
        """How it ended."""
        code = self.process.wait(PATIENCE)
        os.close(self._own)
        return code


@pytest.fixture
def terminal(record: Path) -> Iterator[Terminal]:
    """A replay that has begun."""
    terminal = Terminal(record)
    yield terminal
    terminal.process.kill()
    terminal.process.wait()


def test_at_a_terminal_keys_lead_through_the_game(terminal: Terminal) -> None:
    """Forwards, back, to a deal, to a seat, and out."""
    terminal.shows("Scene 1 of ", "deal 1, trick 1", "all cards open")
    terminal.press("n")
    terminal.shows("Scene 2 of ", "passes 3 cards")
    terminal.press("\x1b[D")
    terminal.shows("Scene 1 of ", "The match begins.")
    terminal.press("d")
    terminal.shows("deal 2, trick 1")
    terminal.press("3")
    terminal.shows("as seat 3 sees it", "13 cards")
    terminal.press("nnn\x1b[Cpq")
    assert terminal.close() == 0


def test_a_terminal_of_another_size_is_drawn_anew(terminal: Terminal) -> None:
    """At once and from the top; where it is low, what happened is not cut off."""
    terminal.press("n")
    terminal.shows("Scene 2 of ", "tricks", "passes 3 cards")
    terminal.is_of(12)
    terminal.process.send_signal(signal.SIGWINCH)
    terminal.shows("Scene 2 of ", "passes 3 cards", "tricks")
