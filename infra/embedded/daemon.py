"""A child process that serves us and dies with us.

Postgres and Valkey are launched alike: in a process group of their own, so that
Ctrl-C in the terminal reaches only us and we stop them in our own order; and, on
Linux, with a signal that the kernel sends them when we are gone, whatever killed us.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Self

from infra.embedded.errors import ServerDidNotStart

_PR_SET_PDEATHSIG: Final = 1
_LOG_LIMIT: Final = 1024 * 1024
_TAIL_LINES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to launch, how to know it serves, and how to end it.

    `stop_steps` are signals with the seconds to wait after each; the last should be
    `SIGKILL`. `log` takes what the program writes to its standard output and error.
    `user` and `group`, given by root, are who the program runs as.
    """

    name: str
    argv: tuple[str, ...]
    log: Path
    is_ready: Callable[[], bool]
    death_signal: signal.Signals
    stop_steps: tuple[tuple[signal.Signals, float], ...]
    ready_within_seconds: float = 60.0
    environment: Mapping[str, str] = field(default_factory=dict)
    user: int | None = None
    group: int | None = None


class Daemon:
    """A running `Program`. Get one with `Daemon.start`."""

    def __init__(self, program: Program, process: subprocess.Popen[bytes]) -> None:
        """Take over a process that was launched already."""
        self._program = program
        self._process = process

    @classmethod
    def start(cls, program: Program) -> Self:
        """Launch the program and return once it is ready.

        Raises `ServerDidNotStart` when it leaves or is not ready in time, and
        `RuntimeError` off the main thread: the kernel's death signal follows the
        thread that launched the child, and only the main thread lives as long as we.
        """
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError(f"{program.name} must be started from the main thread")
        try:
            daemon = cls(program, _launch(program))
        except (OSError, subprocess.SubprocessError) as error:
            raise ServerDidNotStart(program.name, None, str(error)) from error
        try:
            daemon._wait_until_ready()
        except BaseException:
            daemon.stop()
            raise
        return daemon

    @property
    def pid(self) -> int:
        """The process id of the child."""
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit status (negative: a signal) if the child has gone."""
        return self._process.poll()

    def stop(self) -> None:
        """End the child, harder with each step, and return when it has gone."""
        for number, seconds in self._program.stop_steps:
            if self._process.poll() is not None:
                return
            self._process.send_signal(number)
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
        self._process.wait()

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + self._program.ready_within_seconds
        while not self._program.is_ready():
            status = self._process.poll()
            if status is not None or time.monotonic() > deadline:
                tail = _last_lines(self._program.log)
                raise ServerDidNotStart(self._program.name, status, tail)
            time.sleep(0.005)


def _launch(program: Program) -> subprocess.Popen[bytes]:
    with _open_log(program.log) as log:
        return subprocess.Popen(  # noqa: S603 - the caller's own program, no shell
            program.argv,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=dict(program.environment),
            process_group=0,
            user=program.user,
            group=program.group,
            extra_groups=None if program.user is None else [],
            # Only one prepared system call runs between fork and exec; nothing else
            # can set a death signal on the child, and only after its change of user.
            preexec_fn=dying_with_parent(program.death_signal),  # noqa: PLW1509
        )


def dying_with_parent(
    number: signal.Signals, parent: int | None = None
) -> Callable[[], None] | None:
    """Return what a child calls to be sent a signal when its parent dies.

    The parent is this process, unless it is named. `None` off Linux. A change of user
    clears the death signal; `subprocess` calls this after it, before exec.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = parent or os.getpid()

    def ask_for_death_signal() -> None:
        if prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
        if os.getppid() != parent:  # it died before the kernel knew whom to tell
            os._exit(1)

    return ask_for_death_signal


def _open_log(path: Path) -> IO[bytes]:
    """Open the log to append; one that has grown past 1 MiB is set aside first."""
    if path.exists() and path.stat().st_size > _LOG_LIMIT:
        path.replace(path.with_name(f"{path.name}.old"))
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
    log = os.fdopen(os.open(path, flags, 0o600), "ab")
    if os.geteuid() == 0:  # as the folder's owner would have made it
        owner = path.parent.stat()
        os.fchown(log.fileno(), owner.st_uid, owner.st_gid)
    return log


def _last_lines(log: Path) -> str:
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - 4096))
        lines = stream.read().decode(errors="replace").splitlines()
    return " | ".join(lines[-_TAIL_LINES:]) or "(none)"
