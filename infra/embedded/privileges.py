"""As whom the database runs: Postgres refuses root.

An ordinary user runs it as it is. Root has three ways, tried in this order:

1. as the user `nobody`, with the data folder handed to it, when `nobody` can enter
   the folder's parents and run the binaries; in a folder that an ordinary user owns
   already, as that user;
2. in a user namespace (`unshare`) where root bears `nobody`'s number: to the world
   outside, process and files stay root's;
3. as `nobody`, with a copy of the binaries in the data folder.

No user is made, and no folder that is not ours changes its mode or its owner.
"""

import os
import pwd
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from infra.embedded.binaries import Binaries
from infra.embedded.errors import DataFolderError, NoSuitableUser
from infra.embedded.folder import DataFolder


@dataclass(frozen=True, slots=True)
class Guise:
    """As whom a program runs.

    `uid` and `gid` own its files as seen from here; `wrapper` goes before its command
    line; `changes_user` says whether the launcher must become `uid` first.
    """

    uid: int
    gid: int
    wrapper: tuple[str, ...] = ()
    changes_user: bool = False

    @property
    def user(self) -> int | None:
        """The user to become, as `subprocess` takes it."""
        return self.uid if self.changes_user else None

    @property
    def group(self) -> int | None:
        """The group to become, as `subprocess` takes it."""
        return self.gid if self.changes_user else None

    def can_run(self, program: str) -> bool:
        """Say whether this guise can execute the program, by trying it."""
        try:
            subprocess.run(  # noqa: S603 - our own binaries
                [*self.wrapper, program, "--version"],
                capture_output=True,
                check=True,
                timeout=30,
                cwd="/",
                user=self.user,
                group=self.group,
                extra_groups=[] if self.changes_user else None,
            )
        except (OSError, subprocess.SubprocessError):
            return False
        return True

    def can_enter(self, folder: Path) -> bool:
        """Say whether this guise may pass through the folder and all above it.

        Judged by owner, group and mode; finer grants (ACLs) are not counted on.
        """
        return all(self._may_pass(each) for each in (folder, *folder.parents))

    def _may_pass(self, folder: Path) -> bool:
        status = folder.stat()
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)


def settle(folder: DataFolder, part: Path, found: Binaries) -> tuple[Guise, Binaries]:
    """Choose who runs the database, and see that the folder `part` is theirs.

    Returns the guise and the binaries it can run, which may be a copy in `part`.
    Raises `NoSuitableUser`, or `DataFolderError` when the files are another user's.
    """
    if os.geteuid() != 0:
        guise = _ordinary(found)
        _must_own(part, guise)
        return guise, found
    other, ourselves = _owner_or_nobody(folder), _in_namespace()
    reaches = _can_be_given(folder, other)
    if reaches and _runs(other, found):
        guise, chosen = other, found
    elif (
        ourselves is not None
        and _can_be_given(folder, ourselves)
        and _runs(ourselves, found)
    ):
        guise, chosen = ourselves, found
    elif reaches and found.wheel is not None:
        guise, chosen = other, found.copy_into(part)
    else:
        raise _no_way_for_root(folder, found, reaches=reaches)
    if part.stat().st_uid != guise.uid or chosen is not found:
        _hand_over(part, guise)
    if not guise.can_enter(folder.path):
        folder.give(guise.uid, guise.gid)
    return guise, chosen


def _ordinary(found: Binaries) -> Guise:
    uid, gid = os.geteuid(), os.getegid()
    try:
        pwd.getpwuid(uid)
    except KeyError:
        # initdb wants a name for its user; containers often run as a bare number.
        guise = _in_namespace()
        if guise is None or not _runs(guise, found):
            raise NoSuitableUser(
                f"user {uid} has no name in the system's user list, which "
                "PostgreSQL needs; start misere as a user that has one"
            ) from None
        return guise
    return Guise(uid, gid)


def _owner_or_nobody(folder: DataFolder) -> Guise:
    owner = folder.path.stat().st_uid
    try:
        entry = pwd.getpwuid(owner)
    except KeyError:
        return _nobody()
    if owner == 0:
        return _nobody()
    return Guise(owner, entry.pw_gid, changes_user=True)


def _can_be_given(folder: DataFolder, guise: Guise) -> bool:
    """Say whether the guise can enter the folder, or could if it owned it.

    Only a folder of root's own is given away: nobody else misses it then. One that
    was handed to `nobody` is taken back when root runs the database as itself.
    """
    if guise.can_enter(folder.path):
        return True
    owner = folder.path.stat().st_uid
    return owner in {0, _nobody().uid} and guise.can_enter(folder.path.parent)


def _nobody() -> Guise:
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise NoSuitableUser(
            "PostgreSQL needs an ordinary user to run as, and this system has no user "
            "nobody; start misere as a user of its own"
        ) from None
    return Guise(entry.pw_uid, entry.pw_gid, changes_user=True)


def _in_namespace() -> Guise | None:
    """Return the guise of ourselves under another number, where there is such."""
    unshare = shutil.which("unshare") if sys.platform == "linux" else None
    if unshare is None:
        return None
    wrapper = (unshare, "--user", f"--map-user={_nobody().uid}")
    return Guise(os.geteuid(), os.getegid(), wrapper)


def _runs(guise: Guise, found: Binaries) -> bool:
    # Both: initdb needs libraries, perhaps elsewhere, that the server does without.
    return guise.can_run(found.postgres) and guise.can_run(found.initdb)


def _must_own(part: Path, guise: Guise) -> None:
    owner = part.stat().st_uid
    if owner != guise.uid:
        raise DataFolderError(
            f"{part} belongs to user {owner}, and this is user {guise.uid}; start "
            "misere as that user, or name another data folder with --data"
        )


def _hand_over(part: Path, guise: Guise) -> None:
    """Give `part` and all in it to the guise; modes stay as they are."""
    # The top comes last: by it a hand-over that was cut short is seen and repeated.
    for _, folders, files, here in os.fwalk(part, topdown=False):
        for name in (*folders, *files):
            os.chown(name, guise.uid, guise.gid, dir_fd=here, follow_symlinks=False)
    os.chown(part, guise.uid, guise.gid, follow_symlinks=False)


def _no_way_for_root(
    folder: DataFolder, found: Binaries, *, reaches: bool
) -> NoSuitableUser:
    obstacle, remedy = (
        (f"run {found.postgres}", "or install it where everybody can read it")
        if reaches
        else (f"enter {folder.path.parent}", "or name a data folder with --data")
    )
    return NoSuitableUser(
        "PostgreSQL refuses to run as root, user namespaces are not available here, "
        f"and no ordinary user at hand can {obstacle}; start misere as an ordinary "
        f"user, {remedy}"
    )
