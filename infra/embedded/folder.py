"""The data folder: everything a server keeps, held by one server at a time."""

import errno
import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from infra.embedded.errors import DataFolderError, DataFolderInUse

LOCK_NAME = "misere.lock"
PRIVATE = 0o700

# A volume fresh from mkfs is not quite empty.
_IGNORED = frozenset({LOCK_NAME, "lost+found"})


class DataFolder:
    """A folder claimed by this process; the claim ends with `close` or the process.

    The lock is a `flock`, so it cannot be left behind by a crash: the file stays,
    the lock on it goes with its holder, even when that is killed.
    """

    def __init__(self, path: Path, lock: int) -> None:
        """Take over an open, locked descriptor; use `claim` to get one."""
        self.path = path
        self._lock: int | None = lock

    @classmethod
    def claim(cls, path: Path) -> Self:
        """Make the folder if it is missing (mode 0700), and lock it.

        A folder that exists keeps its mode. One that holds somebody else's files is
        refused: it may later be handed to another user as a whole (`privileges`).

        Raises `DataFolderInUse` when any process, this one included, holds it, and
        `DataFolderError` when it cannot be made, entered or used.
        """
        try:
            path = path.resolve()
            path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            _refuse_foreign(path)
            lock = _open_lock(path / LOCK_NAME)
        except OSError as error:
            raise _unusable(path, error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _read_process(lock)
            os.close(lock)
            raise DataFolderInUse(path, holder) from None
        except BaseException:
            os.close(lock)
            raise
        if os.geteuid() == 0:  # whoever owns the folder can claim it after us
            owner = path.stat()
            os.fchown(lock, owner.st_uid, owner.st_gid)
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        return cls(path, lock)

    def part(self, name: str) -> Path:
        """Return the folder `name` inside, made with mode 0700 if it is missing."""
        path = self.path / name
        try:
            path.mkdir(mode=PRIVATE, exist_ok=True)
        except OSError as error:
            raise _unusable(path, error) from error
        return path

    def give(self, uid: int, gid: int) -> None:
        """Make another user the owner of the folder and its lock, as only root can.

        What lies in its parts is theirs to give; no mode changes.
        """
        os.chown(self.path, uid, gid)
        if self._lock is not None:
            os.fchown(self._lock, uid, gid)

    def close(self) -> None:
        """Give the folder up; harmless when done twice.

        The lock file stays: removing it would let a third process lock a new file
        of the same name while a second one holds the old.
        """
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        """Return the claimed folder itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the folder up."""
        self.close()


def _unusable(path: Path, error: OSError) -> DataFolderError:
    return DataFolderError(
        f"data folder {path} cannot be used: {error.strerror}; name another with --data"
    )


def _refuse_foreign(path: Path) -> None:
    """Raise `DataFolderError` unless the folder is empty or was claimed before."""
    names = {entry.name for entry in os.scandir(path)}
    if LOCK_NAME not in names and not names <= _IGNORED:
        raise DataFolderError(
            f"folder {path} holds other files and was never a misere data folder; "
            "name a new or empty one with --data"
        )


def _open_lock(path: Path) -> int:
    """Open the lock file without following a link and without heirs."""
    # As root the folder may belong to an unprivileged user: a link planted there
    # must not make us write elsewhere. Close-on-exec is Python's default: a database
    # that outlives us by a moment must not keep the folder locked.
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise DataFolderError(
                f"lock file {path} is a symbolic link; remove it"
            ) from error
        raise


def _read_process(lock: int) -> int | None:
    """Return the process id the holder wrote, if it has come to that already."""
    text = os.pread(lock, 32, 0).strip()
    return int(text) if text.isdigit() else None
