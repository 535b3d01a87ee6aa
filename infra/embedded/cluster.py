"""The cluster: the files of a PostgreSQL, made once by `initdb`."""

import os
import secrets
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Final

from infra.disk import make_lasting
from infra.embedded.binaries import Binaries
from infra.embedded.daemon import dying_with_parent
from infra.embedded.errors import DataFolderError, ServerDidNotStart
from infra.embedded.folder import DataFolder
from infra.embedded.privileges import Guise

PART: Final = "postgres"
SUPERUSER: Final = "postgres"
DATABASE: Final = "misere"

# Nothing of ours leaks in (PGDATA, PGOPTIONS, LANG); messages stay in English.
ENVIRONMENT: Final = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}

_UNFINISHED: Final = "unfinished-"

_INITDB_OPTIONS: Final = (
    f"--username={SUPERUSER}",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
)


def path_in(folder: Path) -> Path:
    """Return where the cluster lies in a data folder."""
    return folder / PART / "cluster"


def ensure(folder: DataFolder, guise: Guise, binaries: Binaries) -> None:
    """Make the cluster, with the database `misere`, unless it is there.

    It is made under another name and renamed when whole, so that one cut short is
    thrown away by the next start. Raises `DataFolderError` for a cluster of another
    major version, and `ServerDidNotStart` when it cannot be made.
    """
    cluster = path_in(folder.path)
    if cluster.exists():
        _check_version(cluster, binaries)
        return
    for leftover in cluster.parent.glob(f"{_UNFINISHED}*"):
        # What was cut short may still be clearing up itself: then the next start does
        # the rest, and meanwhile this one uses another name.
        shutil.rmtree(leftover, ignore_errors=True)
    unfinished = cluster.with_name(_UNFINISHED + secrets.token_hex(4))
    _run(guise, (binaries.initdb, *_INITDB_OPTIONS, "-D", str(unfinished)))
    _run(
        guise,
        (binaries.postgres, "--single", "-D", str(unfinished), "postgres"),
        f"CREATE DATABASE {DATABASE};\n",
    )
    unfinished.rename(cluster)
    make_lasting(cluster.parent)


def _check_version(cluster: Path, binaries: Binaries) -> None:
    made_by = int((cluster / "PG_VERSION").read_text("utf-8"))
    if made_by != binaries.major:
        raise DataFolderError(
            f"{cluster} was made by PostgreSQL {made_by}, and the one found is "
            f"{binaries.version} in {binaries.folder}; name the binaries of {made_by}"
        )


def _run(guise: Guise, command: tuple[str, ...], sql: str = "") -> None:
    """Run one of the binaries to its end, and raise its complaint if it fails."""
    name = Path(command[0]).name
    try:
        done = subprocess.run(  # noqa: S603 - our own binaries, no shell
            [*guise.wrapper, *command],
            input=sql,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env=ENVIRONMENT,
            user=guise.user,
            group=guise.group,
            extra_groups=[] if guise.changes_user else None,
            umask=0o077,
            process_group=0,
            preexec_fn=dying_with_parent(signal.SIGTERM),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ServerDidNotStart(name, None, str(error)) from error
    # Single-user mode reports a failed statement and still exits with 0.
    complaints = [
        line
        for line in done.stderr.splitlines()
        if any(word in line for word in ("ERROR", "FATAL", "PANIC", "error:"))
    ]
    if done.returncode != 0 or complaints:
        tail = " | ".join(complaints) or done.stderr.strip() or "(none)"
        raise ServerDidNotStart(name, done.returncode, tail)
