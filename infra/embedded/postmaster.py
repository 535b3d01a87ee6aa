"""A running postmaster, seen from outside: whether it answers, and whose it is."""

import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from infra.embedded.errors import DataFolderError

_PROTOCOL_3: Final = 0x00030000
_TERMINATE: Final = b"X\x00\x00\x00\x04"
_AUTHENTICATION: Final = b"R"

# A postmaster whose parent was killed writes its checkpoint and leaves.
_DISMISSAL: Final = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0))


def lock_file(cluster: Path) -> Path:
    """Return the file in which a postmaster notes that it is there."""
    return cluster / "postmaster.pid"


def socket_folder(cluster: Path) -> Path | None:
    """Return where the cluster's postmaster noted that its socket is."""
    try:
        notes = lock_file(cluster).read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    # Its fifth line, which it writes after those for the process and the port.
    address = "".join(notes[4:5])
    return Path(address) if address else None


def is_ready(cluster: Path, address: Path, user: str) -> bool:
    """Say whether the cluster's server lets `user` in at its Unix socket.

    The server's own note is read first, since each knock while it recovers costs a
    line in its log; then it is tried, since that note may be a dead one's.
    """
    try:
        notes = lock_file(cluster).read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    return any(note.strip() == "ready" for note in notes) and _accepts(address, user)


def _accepts(address: Path, user: str) -> bool:
    """Knock at the socket: send a start-up message, and see if it is welcome."""
    fields = b"user\0" + user.encode() + b"\0database\0postgres\0\0"
    knock = struct.pack("!ii", 8 + len(fields), _PROTOCOL_3) + fields
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5.0)
            connection.connect(str(address))
            connection.sendall(knock)
            answer = connection.recv(1)
            if answer == _AUTHENTICATION:
                connection.sendall(_TERMINATE)
            return answer == _AUTHENTICATION
    except OSError:
        return False


def dismiss(cluster: Path) -> None:
    """End a postmaster that an earlier owner left on the cluster, and wait for it.

    We hold the data folder's lock, so whoever started that one is gone. On Linux it
    is leaving already, and this waits; elsewhere nothing told it to. Raises
    `DataFolderError` when it stays.
    """
    for number, seconds in _DISMISSAL:
        pid = _left_behind(cluster)
        if pid is None:
            return
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if _left_behind(cluster) is None:
                return
            time.sleep(0.01)
    raise DataFolderError(f"a PostgreSQL that will not end still runs on {cluster}")


def _left_behind(cluster: Path) -> int | None:
    """Return the process in the lock file if it really is this cluster's postmaster."""
    try:
        first = lock_file(cluster).read_text("utf-8", "replace").partition("\n")[0]
        pid = int(first)
    except (FileNotFoundError, ValueError):
        return None
    command = _command(pid)
    # The number may have passed to another program since; it is not ours to end.
    ours = "postgres" in command and str(cluster) in command
    return pid if ours else None


def _command(pid: int) -> str:
    """Return the command line of a process, empty if there is none or it is dead."""
    if sys.platform != "linux":
        return subprocess.run(  # noqa: S603 - a number is all that is passed
            ["ps", "-ww", "-o", "command=", "-p", str(pid)],  # noqa: S607 - any will do
            capture_output=True,
            text=True,
            check=False,
        ).stdout
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""
