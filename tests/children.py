"""Processes that tests start, watched from outside."""

import time
from collections.abc import Callable

import psutil


def family(pid: int | None) -> list[psutil.Process]:
    """A process and all its descendants."""
    assert pid is not None
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def lives(process: psutil.Process) -> bool:
    """Whether a process runs; one that waits to be reaped by another does not."""
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def gone(processes: list[psutil.Process]) -> bool:
    """Whether none of the processes runs any more."""
    return not any(map(lives, processes))


def eventually(holds: Callable[[], bool], seconds: float = 15.0) -> bool:
    """Whether something comes true within some seconds."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True
