"""Auditors check records: at a server, by what they send, and on their own machine."""

import asyncio
import json
from pathlib import Path
from random import Random

import httpx
import pytest

from api.auditing_cli import verify_command
from tests.e2e.client import NDJSON, Client, good, played_out, refused, seated
from tests.e2e.conftest import Guests
from tests.e2e.running import here, misere, serving
from tests.records.forgeries import illegal_play
from tests.records.forging import lines, rehash, two_deals
from tests.records.matches import lines as lines_of

NAMED = {"chain", "seals", "deals", "rules", "scores"}


async def finished(people: list[Client]) -> str:
    """A match of Hearts that was played to its end."""
    table = await people[0].open_table(seats=len(people), options={"target": 1})
    await seated(table, people)
    await played_out(table, dict(enumerate(people)), Random(1))
    return table


async def sent(
    client: Client, http: httpx.AsyncClient, body: bytes, media: str = NDJSON
) -> httpx.Response:
    """Send a record to be checked."""
    headers = {"Content-Type": media}
    if client.token:
        headers["Authorization"] = f"Bearer {client.token}"
    return await http.post("/v1/records/verify", content=body, headers=headers)


def text(record: list[bytes] | tuple[bytes, ...]) -> bytes:
    """A record as it is sent line by line."""
    return b"".join(line + b"\n" for line in record)


async def test_the_record_of_a_finished_table_verifies_everywhere(
    guests: Guests, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    """At its table, sent in both forms, and on the command line: the same report."""
    people = await guests(4)
    table = await finished(people)
    report = await people[0].get(f"/tables/{table}/verification")
    assert report["ok"]
    assert report["first_bad_version"] is None
    assert {check["name"] for check in report["checks"]} >= NAMED
    record = await people[0].record(table)
    assert (report["version"], report["head"]) == (record["version"], record["head"])
    assert good(await people[1].ask("POST", "/records/verify", record)) == report
    record_lines = await people[0].record_lines(table)
    assert good(await sent(people[1], http, text(record_lines))) == report
    for name, body in (
        ("record.ndjson", text(record_lines)),
        ("record.json", json.dumps(record, indent=2).encode()),
    ):
        (tmp_path / name).write_bytes(body)
        ran = misere("verify", tmp_path / name, "--json", "--head", record["head"])
        assert ran.returncode == 0, ran.stderr
        kept, *others = reversed(json.loads(ran.stdout)["checks"])
        assert kept == {"name": "kept_head", "ok": True, "checked": 1}
        assert [*reversed(others)] == report["checks"]


async def test_many_who_ask_are_told_the_same(guests: Guests) -> None:
    """At once and later."""
    people = await guests(3)
    table = await finished(people)
    asked = [client.get(f"/tables/{table}/verification") for client in people * 10]
    first, *others = await asyncio.gather(*asked)
    assert first["ok"]
    assert all(other == first for other in others)


async def test_the_server_goes_on_while_it_checks(
    guests: Guests, http: httpx.AsyncClient
) -> None:
    """Many records are sent: some are checked, others may have to come again."""
    [player] = await guests(1)
    body = text(lines_of("tetka-recorded"))
    answers, alive = await asyncio.gather(
        asyncio.gather(*(sent(player, http, body) for _ in range(20))),
        asyncio.gather(*(player.get("/me") for _ in range(20))),
    )
    assert all(answer["player"]["id"] == player.id for answer in alive)
    statuses = {answer.status_code for answer in answers}
    assert statuses <= {200, 503}
    assert 200 in statuses


async def test_a_forgery_is_told(guests: Guests, http: httpx.AsyncClient) -> None:
    """With where and why; that is no problem, but an answer."""
    [player] = await guests(1)
    record = two_deals()
    illegal_play(record)
    rehash(record)
    report = good(await sent(player, http, text(lines(record))))
    assert not report["ok"]
    [rules] = [check for check in report["checks"] if check["name"] == "rules"]
    assert rules["first_bad_version"] == report["first_bad_version"]
    assert "follow suit" in rules["why"]


async def test_what_is_no_record_is_refused(
    guests: Guests, http: httpx.AsyncClient
) -> None:
    """By a clear problem; a token is needed, and there is a bound."""
    [player] = await guests(1)
    whole = text(lines_of("hearts-3"))
    refused(await sent(Client(http), http, whole), 401, "unauthenticated")
    refused(await sent(player, http, b""), 400, "invalid-request")
    refused(await sent(player, http, b"nothing"), 400, "invalid-request")
    refused(
        await sent(player, http, b"nothing", "application/json"), 400, "malformed-json"
    )
    refused(await sent(player, http, b"{}", "application/json"), 400, "invalid-request")
    refused(
        await sent(player, http, whole, "text/plain"), 415, "unsupported-media-type"
    )
    refused(await sent(player, http, b"x" * 20_000_001), 413, "too-large")


def test_the_command_line_tells_what_is_wrong(tmp_path: Path) -> None:
    """0 for a sound record, 1 with the first bad version, 2 for what is none."""
    record = two_deals()
    illegal_play(record)
    rehash(record)
    forged, broken = tmp_path / "forged", tmp_path / "broken"
    forged.write_bytes(text(lines(record)))
    ran = here(verify_command, forged)
    assert ran.exit_code == 1
    assert "first bad version: 22" in ran.stdout.splitlines()
    assert "follow suit" in ran.stdout
    sound = [*lines_of("hearts-3")]
    sound[30] = sound[30].replace(b'"at":"2', b'"at":"3')
    broken.write_bytes(text(sound))
    ran = here(verify_command, broken)
    assert ran.exit_code == 1
    assert "first bad version: 30" in ran.stdout.splitlines()
    ran = here(verify_command, Path(__file__))
    assert ran.exit_code == 2
    assert ran.stderr.startswith("Not a record: ")
    broken.write_bytes(text(lines_of("hearts-3")))
    assert here(verify_command, broken, "--head", "5e" * 32).exit_code == 1
    assert here(verify_command, broken, "--head", "5e").exit_code == 2


def test_what_a_record_quotes_cannot_move_the_terminal(tmp_path: Path) -> None:
    """Only what is printed stands in the output."""
    record = two_deals()
    opened = next(it for it in record["events"] if it["type"] == "deal_revealed")
    opened["data"]["opened"][0]["body"] = '{"cards":["\\u202e\x9b31m"]}'
    rehash(record)
    forged = tmp_path / "forged"
    forged.write_bytes(text(lines(record)))
    ran = here(verify_command, forged)
    assert ran.exit_code == 1
    assert all(letter.isprintable() or letter == "\n" for letter in ran.stdout)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another server's folder."""
    return tmp_path_factory.mktemp("elsewhere") / "data"


async def test_a_record_becomes_a_table_of_another_server(
    guests: Guests, elsewhere: Path, tmp_path: Path
) -> None:
    """With its own hashes: it can be read and checked there, its record is the same.

    Nobody can play on; nobody stands anywhere for it; a second time it is refused.
    """
    people = await guests(4)
    table = await finished(people)
    original = text(await people[0].record_lines(table))
    file = tmp_path / "record"
    file.write_bytes(original)
    ran = misere("import", file, "--data", elsewhere)
    assert ran.returncode == 0, ran.stderr
    ran = misere("record", table, "--data", elsewhere)
    assert ran.stdout.encode() == original
    ran = misere("import", file, "--data", elsewhere)
    assert ran.returncode == 1
    assert "is here already" in ran.stderr
    with serving(elsewhere) as server:
        async with httpx.AsyncClient(base_url=server.address) as http:
            stranger = await Client.register(http)
            assert (await stranger.get(f"/tables/{table}/verification"))["ok"]
            assert (await stranger.view(table))["result"] is not None
            listed = await stranger.get("/tables", status="finished")
            assert [item["id"] for item in listed["items"]] == [table]
            assert (await stranger.get("/standings", game="hearts"))["items"] == []
            answer = await stranger.ask("PUT", f"/tables/{table}/seats/0", {})
            refused(answer, 409, "table-finished")
            late = await stranger.send(table, {"type": "play", "card": "2C"})
            refused(late, 403, "forbidden")


def test_a_forged_record_is_not_taken(elsewhere: Path, tmp_path: Path) -> None:
    """Nor what is no record."""
    record = two_deals()
    illegal_play(record)
    rehash(record)
    for name, body in (("forged", text(lines(record))), ("none", b"{}")):
        (tmp_path / name).write_bytes(body)
        ran = misere("import", tmp_path / name, "--data", elsewhere)
        assert ran.returncode == 1
        assert ran.stderr.startswith("Error: ")
