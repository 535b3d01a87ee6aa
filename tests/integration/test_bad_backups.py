"""A backup that is not whole, not ours or not true is refused, and changes nothing."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from infra.archive import MANIFEST, BackupFault
from tests.backups import backed_up, connected, furnished, restored

Parts = dict[str, bytes]
Claims = dict[str, Any]


@pytest.fixture
async def backup(database: str, pool: asyncpg.Pool, tmp_path: Path) -> Path:
    """A backup of some tables."""
    await furnished(pool)
    return await backed_up(database, tmp_path / "backup")


async def check_refused(url: str, backup: Path, words: str) -> None:
    """See that a restore fails with these words, and leaves the database bare."""
    with pytest.raises(BackupFault, match=words):
        await restored(url, backup)
    async with connected(url) as connection:
        assert not await connection.fetchval("SELECT to_regnamespace('misere')")


def cut_short(path: Path) -> None:
    """Lose the end."""
    path.write_bytes(path.read_bytes()[:-100])


def halved(path: Path) -> None:
    """Lose more."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(path: Path) -> None:
    """Change a bit amid the compressed events."""
    with zipfile.ZipFile(path) as file:
        place = file.getinfo("event").header_offset + 200
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (cut_short, "no backup"),
        (halved, "no backup"),
        (lambda path: path.write_bytes(b""), "no backup"),
        (lambda path: path.write_text("Dear diary"), "no backup"),
        (Path.unlink, "No such file"),
        (flipped, "event is not as it was"),
    ],
    ids=["cut short", "halved", "emptied", "another file", "gone", "flipped"],
)
async def test_a_damaged_file_is_refused(
    backup: Path, empty_database: str, spoil: Callable[[Path], None], words: str
) -> None:
    """Whatever befell it."""
    spoil(backup)
    await check_refused(empty_database, backup, words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda parts: parts.pop(MANIFEST), "no backup"),
        (lambda parts: parts.pop("event"), "event is not as it was"),
        (lambda parts: parts.update(player=parts["event"]), "player is not as it was"),
    ],
    ids=["no manifest", "no events", "other players"],
)
async def test_a_file_of_other_parts_is_refused(
    backup: Path, empty_database: str, change: Callable[[Parts], None], words: str
) -> None:
    """Though as a zip it is without a flaw."""
    rewrite(backup, change)
    await check_refused(empty_database, backup, words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda it: it.update(format="misere-backup/2"), "no backup"),
        (lambda it: it.update(more=1), "no backup"),
        (lambda it: it["members"].pop(), "lacks a table"),
        (lambda it: it["members"][2]["columns"].pop(), "lacks a table or a column"),
        (lambda it: it["members"].append(it["members"][0]), "SQLSTATE 23505"),
        (lambda it: it["members"][0].update(rows=1), "stream is not as it was"),
        (lambda it: it["migrations"][0].update(sha256=""), "another migration 0001"),
        (
            lambda it: it["migrations"].extend(it["migrations"][-1:]),
            "restore it with the newer version",
        ),
    ],
    ids=[
        *("another format", "more", "no notes", "no column", "twice", "fewer rows"),
        *("another migration", "a later migration"),
    ],
)
async def test_a_file_of_other_claims_is_refused(
    backup: Path, empty_database: str, change: Callable[[Claims], None], words: str
) -> None:
    """Though its parts are whole."""

    def change_manifest(parts: Parts) -> None:
        claims = json.loads(parts[MANIFEST])
        change(claims)
        parts[MANIFEST] = json.dumps(claims).encode()

    rewrite(backup, change_manifest)
    await check_refused(empty_database, backup, words)


async def test_a_log_that_does_not_hold_is_refused(
    owner: asyncpg.Connection,
    database: str,
    pool: asyncpg.Pool,
    empty_database: str,
    tmp_path: Path,
) -> None:
    """However well its backup was made."""
    table = (await furnished(pool))[0].table
    async with owner.transaction():
        await owner.execute("ALTER TABLE misere.event DISABLE TRIGGER no_rewrite")
        await owner.execute(
            "UPDATE misere.event SET body = '[]' WHERE table_id = $1 AND version = 3",
            table,
        )
        await owner.execute("ALTER TABLE misere.event ENABLE ALWAYS TRIGGER no_rewrite")
    path = await backed_up(database, tmp_path / "backup")
    await check_refused(empty_database, path, f"{table}: .* broken at version 3")


def rewrite(path: Path, change: Callable[[Parts], None]) -> None:
    """Write a backup anew, in other parts."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    change(parts)
    with zipfile.ZipFile(path, "w") as file:
        for name, data in parts.items():
            file.writestr(name, data)
