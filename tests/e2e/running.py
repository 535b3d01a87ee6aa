"""The real server as a process of its own, and everything that it started."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self

import click
import psutil
from click.testing import CliRunner, Result

from tests.children import family, lives

MISERE: Final = Path(sys.executable).with_name("misere")
ADDRESS: Final = re.compile(r"^Misère listens on (http://\S+)$", re.MULTILINE)
START_SECONDS: Final = 60.0
LEAVE_SECONDS: Final = 15.0


class Server:
    """A running `misere serve` over a data folder."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        """Take over a process that was launched; use `start` to get one that serves."""
        self.folder = folder
        self.process = process
        self.address = ""

    @classmethod
    def start(cls, folder: Path, *options: str, **environment: str) -> Self:
        """Launch a server and return once it said where it listens."""
        output = output_of(folder)
        with output.open("wb") as file:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [MISERE, "serve", "--data", folder, "--port", "0", *options],
                stdout=file,
                stderr=file,
                env=surroundings(**environment),
            )
        server = cls(folder, process)
        try:
            server.address = server._wait_for_address()
        except BaseException:
            process.kill()
            process.wait()
            raise
        return server

    @property
    def output(self) -> str:
        """What the server wrote so far."""
        return output_of(self.folder).read_text("utf-8", "replace")

    def family(self) -> list[psutil.Process]:
        """The server's process and all that it started."""
        return family(self.process.pid)

    def postmaster(self) -> psutil.Process:
        """The process of the server's own database."""
        return self._child("postgres")

    def valkey(self) -> psutil.Process:
        """The process of the server's own Valkey."""
        return self._child("valkey")

    def workers(self) -> list[psutil.Process]:
        """The processes that take requests, where there are several."""
        return [
            child
            for child in psutil.Process(self.process.pid).children()
            if "spawn_main" in command_of(child)
        ]

    def _child(self, name: str) -> psutil.Process:
        [child] = [
            child
            for child in psutil.Process(self.process.pid).children()
            if str(self.folder / name) in command_of(child)
        ]
        return child

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and see to it that nothing of the server is left."""
        family = self.family()
        self.process.send_signal(number)
        status = self.process.wait(LEAVE_SECONDS)
        _, alive = psutil.wait_procs(family, LEAVE_SECONDS)
        assert not [process for process in alive if lives(process)]
        assert not processes_at(self.folder)
        return status

    def _wait_for_address(self) -> str:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            if found := ADDRESS.search(self.output):
                return found[1]
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"the server does not start: {self.output}")


@contextmanager
def serving(folder: Path, *options: str, **environment: str) -> Iterator[Server]:
    """A server for the length of a block; SIGTERM ends it unless it has ended."""
    server = Server.start(folder, *options, **environment)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()


def misere(
    *arguments: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line to its end."""
    return subprocess.run(  # noqa: S603 - our own program
        [MISERE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
        env=surroundings(**environment),
    )


def here(command: click.Command, *arguments: str | Path) -> Result:
    """Run a command that needs no server in this process, which takes no start."""
    runner = CliRunner(catch_exceptions=False)
    return runner.invoke(command, [*map(str, arguments)])


def surroundings(**environment: str) -> dict[str, str]:
    """The environment of a program: ours without its settings, and these.

    What ours says of the size of a terminal is of another one.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MISERE_") and name not in {"LINES", "COLUMNS"}
    }
    return kept | environment


def output_of(folder: Path) -> Path:
    """Where the output of the server over a data folder goes."""
    return folder.with_name(f"{folder.name}.out")


def processes_at(folder: Path) -> list[psutil.Process]:
    """The living processes that name a data folder."""
    found = []
    for process in psutil.process_iter():
        try:
            named = str(folder) in " ".join(process.cmdline())
        except psutil.Error:
            continue
        if named and lives(process):
            found.append(process)
    return found


def command_of(process: psutil.Process) -> str:
    """The command line of a process, empty once it has gone."""
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""
