"""A backup as a file: a zip of what tables hold, and a manifest that vouches for it.

The manifest comes last, as the zip's own directory does, so what is cut short is no
archive. It is written under another name and takes its own once it is whole and on the
disk; nobody but its owner may read it, for it holds hidden cards.
"""

import os
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import Final, Literal

import msgspec
from msgspec import Struct

from infra.disk import make_lasting

MANIFEST: Final = "manifest.json"
CHUNK: Final = 1 << 18
"""Bytes that are read at a time."""

LEVEL: Final = 1
"""How hard it is compressed: an eighth larger than usual in half of the time, for what
is played meanwhile costs the more the longer Postgres must keep a moment."""

DAMAGE: Final = (
    *(KeyError, EOFError, OSError, zipfile.BadZipFile, zlib.error),
    *(RuntimeError, ValueError),  # it says that it is encrypted, or of another kind
)
"""What reading a part of a zip raises that is not as it was written."""


class BackupFault(Exception):
    """A backup cannot be made or restored; the text says why."""


class Applied(Struct, frozen=True):
    """A migration that the database of a backup had; `sha256` is hexadecimal."""

    number: int
    name: str
    sha256: str


class Member(Struct, frozen=True):
    """A table in a backup: so many rows of these columns, in Postgres's binary COPY.

    `size` in bytes and `sha256`, hexadecimal, are of what COPY gave.
    """

    table: str
    columns: tuple[str, ...]
    rows: int
    size: int
    sha256: str


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup holds. `made_at` is the moment whose state it is."""

    format: Literal["misere-backup/1"]
    made_at: str
    migrations: tuple[Applied, ...]
    members: tuple[Member, ...]

    def rows(self, table: str) -> int:
        """How many rows of a table there are."""
        return sum(it.rows for it in self.members if it.table == table)


class Sum:
    """The size and the hash of what goes by."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.size = 0
        self._hash = sha256()

    def add(self, data: bytes) -> None:
        """Take some more into account."""
        self.size += len(data)
        self._hash.update(data)

    @property
    def sha256(self) -> str:
        """The hash so far, hexadecimal."""
        return self._hash.hexdigest()


class ArchiveToWrite:
    """A backup in the making."""

    def __init__(self, path: Path, file: zipfile.ZipFile) -> None:
        """Write into a zip that is open, and will be at `path`."""
        self._path = path
        self._file = file

    @contextmanager
    def member(self, name: str) -> Iterator[Callable[[bytes], None]]:
        """What takes the contents of a table, piece by piece.

        Raises:
            BackupFault: the disk takes no more.
        """
        with (
            _writing(self._path),
            self._file.open(name, "w", force_zip64=True) as stream,
        ):

            def write(data: bytes) -> None:
                with _writing(self._path):
                    stream.write(data)

            yield write

    def vouch(self, manifest: Manifest) -> None:
        """Say what was written, after all of it."""
        text = msgspec.json.format(msgspec.json.encode(manifest))
        self._file.writestr(MANIFEST, text)


class ArchiveToRead:
    """A backup with a manifest that can be read; its contents are yet to be seen."""

    def __init__(self, file: zipfile.ZipFile, manifest: Manifest) -> None:
        """Read from a zip that is open."""
        self._file = file
        self.manifest = manifest

    async def chunks(self, member: Member) -> AsyncIterator[bytes]:
        """What a table held, piece by piece.

        Raises:
            BackupFault: it is not what the manifest says, which may show at the end.
        """
        seen = Sum()
        try:
            with self._file.open(member.table) as stream:
                while chunk := stream.read(CHUNK):
                    seen.add(chunk)
                    yield chunk
        except DAMAGE:
            raise _changed(member) from None
        if (seen.size, seen.sha256) != (member.size, member.sha256):
            raise _changed(member)


@contextmanager
def new_archive(path: Path) -> Iterator[ArchiveToWrite]:
    """A backup to be written, which is there once the block is left without a fault.

    Raises:
        BackupFault: the file cannot be written, or there is one already.
    """
    if path.exists():
        raise BackupFault(f"{path} is there already: name another file.")
    with _writing(path):
        handle, name = mkstemp(prefix=f".{path.name}-", dir=path.parent)
        unfinished = Path(name)
        try:
            with os.fdopen(handle, "wb") as plain:
                with zipfile.ZipFile(
                    plain, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL
                ) as file:
                    yield ArchiveToWrite(path, file)
                plain.flush()
                os.fsync(plain.fileno())
            unfinished.rename(path)
            make_lasting(path.parent)
        finally:
            unfinished.unlink(missing_ok=True)


@contextmanager
def archive(path: Path) -> Iterator[ArchiveToRead]:
    """A backup to be read.

    Raises:
        BackupFault: there is none, or it is no backup.
    """
    try:
        file = zipfile.ZipFile(path)
    except OSError as error:
        raise BackupFault(f"{path} cannot be read: {error.strerror}.") from None
    except zipfile.BadZipFile:
        raise _foreign(path) from None
    with file:
        try:
            manifest = msgspec.json.decode(file.read(MANIFEST), type=Manifest)
        except DAMAGE:
            raise _foreign(path) from None
        yield ArchiveToRead(file, manifest)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupFault(f"{path} cannot be written: {error.strerror}.") from None


def _foreign(path: Path) -> BackupFault:
    return BackupFault(f"{path} is no backup that misere made, or it is cut short.")


def _changed(member: Member) -> BackupFault:
    return BackupFault(f"The backup was changed: {member.table} is not as it was.")
