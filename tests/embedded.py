"""The embedded Postgres in tests: run here, or by another process that owns it."""

import asyncio
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from infra.embedded import DataFolder, EmbeddedPostgres

ROOT = Path(__file__).parents[1]
NOBODY = pwd.getpwnam("nobody").pw_uid

# Owns a server until it is killed or told (by a line) to leave. Everything is imported
# before the change of user, who may be unable to enter the interpreter's folders.
OWNER = """
import asyncio, os, pathlib, sys
import asyncpg
from infra.embedded import DataFolder, EmbeddedPostgres, EmbeddedServerError

async def add(dsn):
    connection = await asyncpg.connect(dsn)
    await connection.execute("CREATE TABLE IF NOT EXISTS kept (n int)")
    await connection.execute("INSERT INTO kept SELECT count(*) FROM kept")
    total = await connection.fetchval("SELECT count(*) FROM kept")
    await connection.close()
    return total

path, user, bin_folder = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
if user:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
try:
    with (
        DataFolder.claim(path) as folder,
        EmbeddedPostgres.start(
            folder, bin_folder=pathlib.Path(bin_folder) if bin_folder else None
        ) as postgres,
    ):
        print(asyncio.run(add(postgres.dsn())), flush=True)
        sys.stdin.readline()
except EmbeddedServerError as error:
    print(f"{type(error).__name__}: {error}", flush=True)
"""


def ask(dsn: str, *statements: str) -> Any:  # noqa: ANN401 - a column's value
    """Run statements on a connection of their own; return the last one's value."""

    async def run() -> Any:  # noqa: ANN401 - the same
        connection = await asyncpg.connect(dsn)
        try:
            answers = [await connection.fetchval(each) for each in statements]
        finally:
            await connection.close()
        return answers[-1]

    return asyncio.run(run())


@contextmanager
def running(path: Path, bin_folder: Path | None = None) -> Iterator[EmbeddedPostgres]:
    """Claim the folder and run a server in it."""
    with (
        DataFolder.claim(path) as folder,
        EmbeddedPostgres.start(folder, bin_folder=bin_folder) as postgres,
    ):
        yield postgres


@contextmanager
def owner(
    path: Path, user: int = 0, bin_folder: Path | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run `OWNER` in a process of its own; kill it if it is still there at the end."""
    process = subprocess.Popen(  # noqa: S603 - the script above
        [sys.executable, "-c", OWNER, path, str(user), bin_folder or ""],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def heard(process: subprocess.Popen[str]) -> str:
    """Return the next line an `owner` says."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def dismissed(process: subprocess.Popen[str]) -> int:
    """Tell an `owner` to leave and wait for it."""
    process.communicate("\n", timeout=10)
    return process.returncode


def namespaces() -> bool:
    """Say whether this machine lets root make a user namespace, by making one."""
    unshare = shutil.which("unshare")
    return unshare is not None and not subprocess.call(  # noqa: S603 - found just now
        [unshare, "--user", f"--map-user={NOBODY}", "true"], stderr=subprocess.DEVNULL
    )
