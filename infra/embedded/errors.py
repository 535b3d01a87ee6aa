"""What can go wrong with an embedded server, each told in a line a user can act on.

* EmbeddedServerError
    * DataFolderError: the data folder cannot be used
        * DataFolderInUse: another server holds it
    * BinariesNotFound: there is no PostgreSQL that can be run
    * NoSuitableUser: there is no user as whom the server would agree to run
    * ServerDidNotStart: it was launched and left, or never became ready
"""

from pathlib import Path


class EmbeddedServerError(Exception):
    """An embedded server cannot be had; the text says why and what to do."""


class DataFolderError(EmbeddedServerError):
    """The data folder cannot be used as it is."""


class DataFolderInUse(DataFolderError):
    """Another process holds the data folder's lock."""

    def __init__(self, path: Path, process: int | None) -> None:
        """Name the folder, and the process that holds it where that is known."""
        self.path = path
        self.process = process
        holder = "" if process is None else f" (process {process})"
        super().__init__(
            f"data folder {path} is in use by another misere server{holder}"
        )


class BinariesNotFound(EmbeddedServerError):
    """No usable PostgreSQL binaries were found where they were looked for."""


class NoSuitableUser(EmbeddedServerError):
    """The server refuses to run as we are, and we can become nobody else."""


class ServerDidNotStart(EmbeddedServerError):
    """A server left before it was ready, or was not ready in time.

    `status` is its exit status (negative for a signal), `None` when it was given up.
    """

    def __init__(self, name: str, status: int | None, log_tail: str) -> None:
        """Tell how it ended, and the last lines it wrote."""
        self.name = name
        self.status = status
        self.log_tail = log_tail
        ended = "was not ready in time" if status is None else f"ended with {status}"
        super().__init__(
            f"{name} did not start: it {ended}; its last words: {log_tail}"
        )
