"""What all embedded servers have in common: launched, watched, started again, ended."""

import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from infra.embedded.daemon import Daemon
from infra.embedded.sockets import private_folder


class EmbeddedServer(ABC):
    """A server of our own, in a claimed data folder, reached by a Unix socket.

    Anybody who can enter the socket's folder (mode 0700) is let in.
    """

    name: ClassVar[str]
    """What the server is called in messages."""

    def __init__(self, place: Path, socket: str, *, forbidden: str = "") -> None:
        """Find room for the socket, in `place` if it can be there."""
        self._sockets = private_folder(place, socket, forbidden=forbidden)
        self._sockets_are_temporary = self._sockets != place
        self._daemon: Daemon | None = None

    @abstractmethod
    def launch(self) -> Daemon:
        """Start the server and return once it can be used.

        Call it from the main thread. Raises `ServerDidNotStart`.
        """

    def begin(self) -> Self:
        """Launch, and tidy up where that fails."""
        try:
            self._daemon = self.launch()
        except BaseException:
            self.stop()
            raise
        return self

    @property
    def socket_folder(self) -> Path:
        """The private folder that holds the server's Unix socket."""
        return self._sockets

    @property
    def pid(self) -> int | None:
        """The process id of the server, `None` once it is stopped."""
        return self._daemon.pid if self._daemon else None

    def poll(self) -> int | None:
        """Return the server's exit status (negative: a signal) if it has gone."""
        return self._daemon.poll() if self._daemon else 0

    def restart(self) -> None:
        """Start again, as after a crash, on the same address.

        Call it from the main thread. Raises `ServerDidNotStart`.
        """
        if self._daemon is not None:
            self._daemon.stop()
        self._daemon = self.launch()

    def stop(self) -> None:
        """Shut the server down and wait until it has gone; harmless when repeated."""
        if self._daemon is not None:
            self._daemon.stop()
            self._daemon = None
        if self._sockets_are_temporary:
            shutil.rmtree(self._sockets, ignore_errors=True)

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Shut the server down."""
        self.stop()
