"""Receipts of a running server, as somebody keeps them who trusts nobody's word."""

import json
from pathlib import Path

import msgspec
from click.testing import Result

from api.auditing_cli import verify_command
from domain.ids import Version
from domain.receipts import SignedReceipt, SigningKey, checked
from infra.signing import verify
from tests.e2e.client import Client, Json, good
from tests.e2e.four import Four
from tests.e2e.running import Server, here, misere


async def receipt(player: Client, table: str) -> SignedReceipt:
    """A receipt of a table."""
    answer = await player.ask("GET", f"/tables/{table}/receipt")
    assert answer.headers["cache-control"] == "private, no-store"
    return msgspec.convert(good(answer), SignedReceipt)


async def keys(player: Client) -> list[SigningKey]:
    """The server's public keys."""
    meta = await player.get("/meta")
    return msgspec.convert(meta["signing_keys"], list[SigningKey])


def heads(record: Json) -> dict[Version, str]:
    """The head at each version of a record."""
    return {Version(event["version"]): event["hash"] for event in record["events"]}


async def test_receipts_that_were_kept_hold_at_the_end(
    four: Four, admin: Client, stranger: Client
) -> None:
    """Each tells where the table stood; a record that was cut or changed shows."""
    kept = [await receipt(stranger, four.table)]
    for seat, player in enumerate(four.people):
        await player.command(four.table, four.pass_of(seat))
        kept.append(await receipt(player, four.table))
        assert kept[-1].receipt.head == await four.head()
    await admin.lead(four.table, "abandon")
    table = kept[0].receipt.table
    assert str(table) == four.table
    good_heads = heads(await stranger.record(four.table))
    known = await keys(stranger)
    findings = checked(kept, known, table, good_heads, verify)
    assert [finding.fault for finding in findings] == [None] * 5

    last = kept[-1].receipt.version
    cut = {version: head for version, head in good_heads.items() if version < last}
    [*_, finding] = checked(kept, known, table, cut, verify)
    assert finding.fault == "beyond-the-record"
    changed = good_heads | {last: "ab" * 32}
    [*_, finding] = checked(kept, known, table, changed, verify)
    assert finding.fault == "another-head"


async def test_receipts_are_checked_on_the_command_line(
    four: Four, admin: Client, stranger: Client, tmp_path: Path
) -> None:
    """With the files that a client kept: 0 where they hold, 1 where one does not."""
    path = f"/tables/{four.table}"
    kept = [(await stranger.ask("GET", f"{path}/receipt")).content]
    await four.all_pass()
    kept.append((await stranger.ask("GET", f"{path}/receipt")).content)
    await admin.lead(four.table, "abandon")
    (tmp_path / "receipts").write_bytes(b"\n".join(kept))
    (tmp_path / "keys").write_text(json.dumps(await stranger.get("/meta")))
    lines = await stranger.record_lines(four.table)
    (tmp_path / "record").write_bytes(b"\n".join(lines))
    (tmp_path / "document").write_text(json.dumps(await stranger.record(four.table)))
    for name in ("record", "document"):
        done = check(tmp_path, record=name)
        assert done.exit_code == 0, done.stderr
        assert [line[:7] for line in done.stdout.splitlines()[-2:]] == ["holds  "] * 2

    (tmp_path / "cut").write_bytes(b"\n".join([*lines[:10], lines[-1]]))
    done = check(tmp_path, record="cut")
    assert done.exit_code == 1
    assert "beyond-the-record" in done.stdout
    for there, more in ((10, b"?"), (10, lines[10][:-1]), (1, b"")):
        # Receipts are there to show what was changed or cut, however badly.
        (tmp_path / "cut").write_bytes(b"\n".join([*lines[:there], more]))
        done = check(tmp_path, record="cut")
        assert done.exit_code == 1
        assert f"first bad version: {there}" in done.stdout
        assert "beyond-the-record" in done.stdout or there == 1
    for wrong in ({"record": "keys"}, {"keys": "record"}, {"receipts": "keys"}):
        done = check(tmp_path, **wrong)
        assert (done.exit_code, done.stdout) == (2, "")


def check(
    folder: Path, receipts: str = "receipts", record: str = "record", keys: str = "keys"
) -> Result:
    """Check receipts by the command, with files of these names."""
    given: list[str | Path] = ["--receipts", folder / receipts, "--keys", folder / keys]
    return here(verify_command, folder / record, *given)


async def test_a_key_is_rotated_while_the_server_runs(
    four: Four, server: Server, stranger: Client
) -> None:
    """The new one is announced at once, and signs a minute later."""
    before = await keys(stranger)
    rotated = misere("rotate-key", "--data", server.folder)
    assert rotated.returncode == 0, rotated.stderr
    [*old, new] = await keys(stranger)
    assert [key.id for key in old] == [key.id for key in before]
    assert new.id in rotated.stdout
    assert old[-1].valid_until == new.valid_from
    assert new.valid_until is None
    assert (await receipt(stranger, four.table)).receipt.key == old[-1].id
