"""Hunts for secrets where none may be: logs, problems, pages, the files of the server.

People play at an arranged table, at a private one and beside bots; at several moments
everything is asked that is refused; then the database fails, and is killed in the
middle of moves. What is left lying about must hold no card, token, salt, secret or
invite, and no refusal a card that whoever got it could not know.
"""

import asyncio
import json
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import asyncpg
import httpx
import pytest

from infra.embedded import address_of_running
from tests.e2e.client import PROBLEM, Client, Json, chosen, good, new_key
from tests.e2e.four import ARRANGED
from tests.e2e.running import Server, misere, output_of, serving

pytestmark = pytest.mark.slow

PACK: Final = sorted({*map("".join, product("23456789TJQKA", "CDHS")), "JK"})
CARD: Final = re.compile(r"(?<![\w-])(?:[2-9TJQKA][CDHS]|JK)(?![\w-])")
TOKEN: Final = re.compile(r"msr_[\w-]{20,}")
SECRET: Final = re.compile(r"[0-9a-f]{64}")

MISSING: Final = "00000000-0000-4000-8000-000000000000"
COUNTS: Final = "/metrics"
PAGES: Final = (
    "/openapi.json",
    "/docs",
    "/v1/meta",
    "/v1/games",
    "/v1/tables",
    "/v1/standings?game=hearts",
    "/health/ready",
    COUNTS,
)
MOVES: Final = (0, 2, 9)
"""How many moves are made before each round of refusals."""

SEALED: Final = """
    SELECT secret FROM misere.sealed UNION ALL
    SELECT encode(private_key, 'hex')::bytea FROM misere.signing_key
    WHERE private_key IS NOT NULL"""
OPEN: Final = "ALTER TABLE misere.sealed DISABLE TRIGGER USER"
CLOSE: Final = (
    "ALTER TABLE misere.sealed ENABLE ALWAYS TRIGGER no_rewrite;"
    "ALTER TABLE misere.sealed ENABLE ALWAYS TRIGGER no_truncate"
)
SPOIL: Final = "UPDATE misere.sealed SET secret = secret || '\"'"
UNSPOIL: Final = "UPDATE misere.sealed SET secret = rtrim(secret, '\"')"
BREAK: Final = "ALTER TABLE misere.sealed RENAME TO sealed_away"
MEND: Final = "ALTER TABLE misere.sealed_away RENAME TO sealed"


class Refused(NamedTuple):
    """A problem that somebody got, and what they had asked."""

    token: str | None
    asked: str
    status: int
    text: str


class Told:
    """All that anybody was told: problems, other answers, tokens, invites."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self.problems: list[Refused] = []
        self.to_strangers: list[str] = []
        self.tokens: set[str] = set()
        self.invites: set[str] = set()
        self.excess: list[str] = []
        self._judged = 0

    async def hear(self, answer: httpx.Response) -> None:
        """Take note of an answer."""
        text = f"{answer.headers}\n{(await answer.aread()).decode()}"
        request = answer.request
        header = request.headers.get("authorization")
        token = header.removeprefix("Bearer ") if header else None
        if request.url.path.startswith(("/v1/players", "/v1/me")):
            self.tokens |= {*TOKEN.findall(text)}
        elif token is None and answer.is_success:
            self.to_strangers.append(text)
        if answer.is_error:
            assert answer.headers["content-type"] == PROBLEM, text
            asked = f"{request.url} {request.content.decode('latin-1')}"
            self.problems.append(Refused(token, asked, answer.status_code, text))

    def judge(self, watched: "Watched") -> None:
        """See what was refused since the last time with a card its hearer knew not."""
        for problem in self.problems[self._judged :]:
            known = watched.known(problem.token) | {*CARD.findall(problem.asked)}
            if more := {*CARD.findall(problem.text)} - known:
                self.excess.append(f"{sorted(more)} in {problem}")
        self._judged = len(self.problems)


class Watched:
    """A table with four people; what each of them may know."""

    def __init__(self, table: str, people: Sequence[Client]) -> None:
        """Know them."""
        self.table = table
        self.people = people
        self._seen: list[set[str]] = [set() for _ in people]
        self._played: set[str] = set()

    async def look(self) -> None:
        """Have everybody look at their hands, and at what was played."""
        for seat, player in enumerate(self.people):
            self._seen[seat] |= {*(await player.view(self.table))["deal"]["hand"]}
        self._played = {
            event["data"]["card"]
            for event in await self.people[0].events(self.table)
            if event["type"] == "card_played"
        }

    def known(self, token: str | None) -> set[str]:
        """The cards that the bearer of a token may know."""
        for seat, player in enumerate(self.people):
            if player.token == token:
                return self._seen[seat] | self._played
        return self._played

    async def next_move(self) -> tuple[Client, Json]:
        """Somebody whose turn it is, and a move."""
        seat = (await self.people[0].view(self.table))["to_act"][0]
        player = self.people[seat]
        return player, chosen(await player.decision(self.table), Random(seat))


class Aftermath(NamedTuple):
    """What there is once all has been done. `secrets` are the log's, in hexadecimal."""

    folder: Path
    told: Told
    logs: dict[str, str]
    pages: dict[str, str]
    secrets: set[str]


@pytest.fixture(scope="module")
async def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    """Do all of it on a server that logs whatever it can."""
    folder = tmp_path_factory.mktemp("leaks") / "data"
    told = Told()
    hooks = {"response": [told.hear]}
    with serving(folder, MISERE_LOG="debug") as server:
        async with httpx.AsyncClient(
            base_url=server.address, timeout=30, event_hooks=hooks
        ) as http:
            tables = await people_play(http, told)
            await the_database_fails(server, tables)
            await the_database_is_killed(server, tables)
            pages = {path: (await http.get(path)).text for path in PAGES}
        admin = misere("token", "--admin", "--data", folder)
        told.tokens |= {*TOKEN.findall(admin.stdout)}
        secrets = await sealed(server)
    logs = [output_of(folder), *folder.rglob("*.log")]
    texts = {path.name: path.read_text("utf-8", "replace") for path in logs}
    return Aftermath(folder, told, texts, pages, secrets)


async def people_play(http: httpx.AsyncClient, told: Told) -> list[Watched]:
    """Play at three tables, and have everything refused at each of several moments."""
    tables = [
        await four_at(http, told, arrangement=ARRANGED),
        await four_at(http, told, visibility="private", title="Friday"),
    ]
    stranger, other = Client(http), await Client.register(http, "Eve")
    host = await Client.register(http, "Hal")
    bots = [{"bot": "steady"}] * 3
    await host.open_table(seats=[{}, *bots], options={"target": 1000})
    for moves in MOVES:
        for watched in tables:
            for _ in range(moves):
                player, move = await watched.next_move()
                await player.command(watched.table, move)
            await watched.look()
            callers = (*watched.people, other, stranger)
            await asyncio.gather(
                *(
                    be_refused(http, caller, watched, Random(number))
                    for number, caller in enumerate(callers)
                )
            )
            told.judge(watched)
        public = Client(http)
        for what in ("", "/view", "/events?limit=1000"):
            await public.get(f"/tables/{tables[0].table}{what}")
    return tables


async def four_at(http: httpx.AsyncClient, told: Told, **terms: object) -> Watched:
    """A table of four people who have sat down, two of them with entropy."""
    people = [await Client.register(http, f"Guest {seat}") for seat in range(4)]
    made = await people[0].ask("POST", "/tables", {"game": "hearts", **terms})
    answer = good(made, 201)
    shown = {}
    if "invite" in answer:
        told.invites.add(answer["invite"])
        shown = {"invite": answer["invite"]}
    table = answer["table"]["id"]
    for seat, player in enumerate(people):
        entropy = {"entropy": f"{seat:02x}" * 32} if seat % 2 else {}
        await player.sit(table, seat, **shown, **entropy)
    return Watched(table, people)


async def be_refused(
    http: httpx.AsyncClient, caller: Client, watched: Watched, chance: Random
) -> None:
    """Have somebody ask for what is refused, with their own cards and others' in it."""
    table, path = watched.table, f"/tables/{watched.table}"
    held = watched.known(caller.token)
    strange = chance.sample(sorted({*PACK} - held), 6)
    own = [*chance.sample(sorted(held), min(3, len(held))), *strange][:3]
    moves: list[object] = [
        *({"type": "play", "card": card} for card in strange),
        {"type": "play", "card": own[0], "decision": "1.0"},
        {"type": "pass", "cards": own, "decision": "2.0"},
        {"type": "pass", "cards": strange[:3]},
        {"type": "pass", "cards": own[:1] * 3},
        {"type": "bid", "chips": 4},
        {"type": "settle_moon", "how": "add"},
        {"type": "name_suit", "suit": "D"},
        {"type": "play", "card": own[0].lower()},
        [own],
    ]
    for move in moves:
        await caller.send(table, move)
    entropy = {"entropy": "ab" * 32}
    for method, target, body in (
        ("PUT", f"{path}/seats/0", {}),
        ("PUT", f"{path}/seats/1", {"bot": "steady"}),
        ("PUT", f"{path}/seats/2/entropy", entropy),
        ("PUT", f"{path}/seats/7", {**entropy, "invite": "ef" * 16}),
        ("POST", f"{path}/start", {}),
        ("POST", f"{path}/start", {"cards": own}),
        ("POST", f"{path}/rematch", {}),
        ("GET", f"{path}/record", None),
        ("GET", f"{path}/verification", None),
        ("POST", "/records/verify", {"table": own}),
        ("GET", f"{path}/view?at=none&invite={'ef' * 16}", None),
        ("GET", f"{path}/events?cursor={own[0]}", None),
        ("PATCH", path, {}),
        ("POST", f"/tables/{MISSING}/commands", moves[0]),
    ):
        await caller.ask(method, target, body)
    await send_the_unreadable(http, caller, f"/v1{path}/commands", own)


async def send_the_unreadable(
    http: httpx.AsyncClient, caller: Client, path: str, cards: Sequence[str]
) -> None:
    """Send bodies with cards in them that cannot be read."""
    whole = json.dumps({"type": "pass", "cards": cards})
    token = {"Authorization": f"Bearer {caller.token}"} if caller.token else {}
    for body, media in (
        (whole[:-1], "application/json"),
        (whole + "x", "application/json"),
        (f'{{"{cards[0]}":1,"{cards[0]}":2}}', "application/json"),
        (whole + " " * 70_000, "application/json"),
        (whole, "text/plain"),
    ):
        headers = {"Content-Type": media, **token}
        await http.post(path, content=body, headers=headers)
    await http.get("/v1/me", headers={"Authorization": f"Bearer msr_{cards[0]}"})


async def the_database_fails(server: Server, tables: Sequence[Watched]) -> None:
    """Spoil what is sealed, then let every statement that touches it be an error."""
    database = await connected(server)
    await database.execute(OPEN)
    for harm, mending, status in ((SPOIL, UNSPOIL, 500), (BREAK, MEND, 503)):
        await database.execute(harm)
        answers = await asyncio.gather(*map(deal_and_move, tables))
        assert status in {answer.status_code for some in answers for answer in some}
        await database.execute(mending)
    await database.execute(CLOSE)
    await database.close()


async def deal_and_move(watched: Watched) -> list[httpx.Response]:
    """Have everybody ask for what their hands were, and one whose turn it is move."""
    player, move = await watched.next_move()
    return [
        *[
            await one.ask("GET", f"/tables/{watched.table}/events")
            for one in watched.people
        ],
        await player.send(watched.table, move, key=new_key()),
    ]


async def the_database_is_killed(server: Server, tables: Sequence[Watched]) -> None:
    """Kill it while people move."""
    moves = [(watched, *await watched.next_move()) for watched in tables]
    sent = [
        asyncio.ensure_future(player.send(watched.table, move, key=new_key()))
        for watched, player, move in moves
    ]
    await asyncio.sleep(0)
    server.postmaster().kill()
    await asyncio.gather(*sent)
    for watched in tables:
        await watched.people[0].view_when_ready(watched.table)


async def connected(server: Server) -> asyncpg.Connection:
    """The server's database, as its owner sees it."""
    address = address_of_running(server.folder)
    assert address is not None
    return await asyncpg.connect(address)


async def sealed(server: Server) -> set[str]:
    """Every secret and salt that is in the log, and what receipts are signed with."""
    database = await connected(server)
    rows = await database.fetch(SEALED)
    await database.close()
    return {text for row in rows for text in SECRET.findall(row["secret"].decode())}


def test_the_hunt_went_everywhere(aftermath: Aftermath) -> None:
    """Refusals of every kind were met, and there were secrets to be found."""
    statuses = {problem.status for problem in aftermath.told.problems}
    assert statuses >= {400, 401, 403, 404, 405, 409, 413, 415, 422, 500, 503}
    assert any('"view":' in problem.text for problem in aftermath.told.problems)
    assert any('"rule":' in problem.text for problem in aftermath.told.problems)
    assert len(aftermath.told.tokens) >= 10
    assert len(aftermath.told.invites) == 1
    assert len(aftermath.secrets) > 20
    assert {*aftermath.logs} >= {"data.out", "postgres.log", "valkey.log"}
    for line in ("request failed", "a server of our own has gone"):
        assert line in aftermath.logs["data.out"]
    assert "ERROR" in aftermath.logs["postgres.log"]


def test_no_log_holds_a_card(aftermath: Aftermath) -> None:
    """Neither the server's log nor its database's, whatever failed."""
    for name, text in aftermath.logs.items():
        assert not [line for line in text.splitlines() if CARD.search(line)], name


def test_no_log_holds_a_token_secret_or_invite(aftermath: Aftermath) -> None:
    """A log may be sent to somebody who helps."""
    for name, text in aftermath.logs.items():
        assert not hidden_in(text, aftermath), name


def test_no_file_of_the_server_holds_a_token(aftermath: Aftermath) -> None:
    """Tokens are stored as hashes, and no trace of them is in the database's files."""
    tokens = [token.encode() for token in aftermath.told.tokens]
    files = [path for path in aftermath.folder.rglob("*") if path.is_file()]
    assert len(files) > 100
    for path in files:
        data = path.read_bytes()
        assert b"msr_" not in data or not any(token in data for token in tokens), path


def test_no_refusal_tells_a_card_that_its_hearer_could_not_know(
    aftermath: Aftermath,
) -> None:
    """One's own cards, those that were played, and those one named."""
    assert aftermath.told.excess == []


def test_no_problem_holds_a_token_secret_or_invite(aftermath: Aftermath) -> None:
    """Not even those of its hearer."""
    for problem in aftermath.told.problems:
        assert not hidden_in(problem.text, aftermath), problem


def test_strangers_are_told_no_secret(aftermath: Aftermath) -> None:
    """Of tables at which a deal is on they see commitments and seals only."""
    assert len(aftermath.told.to_strangers) > 10
    for text in aftermath.told.to_strangers:
        assert not hidden_in(text, aftermath)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_holds_a_secret(path: str, aftermath: Aftermath) -> None:
    """The document, the reference, and what all may read; examples are made up."""
    text = aftermath.pages[path]
    assert not hidden_in(text, aftermath)
    assert all(token.startswith("msr_example") for token in TOKEN.findall(text))


def test_the_counts_name_no_card_and_nobody(aftermath: Aftermath) -> None:
    """Not by a label either: neither a rule that was broken, nor a table or a seat."""
    text = aftermath.pages[COUNTS]
    assert "rule-violation" in text
    assert not CARD.findall(text)
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-|[A-Z]{2}-[A-Z]?\d", text)


def hidden_in(text: str, aftermath: Aftermath) -> list[str]:
    """The tokens, secrets, salts and invites that a text holds."""
    told = aftermath.told
    found = {*TOKEN.findall(text)} & told.tokens
    found |= {*SECRET.findall(text)} & aftermath.secrets
    found |= {invite for invite in told.invites if invite in text}
    return sorted(found)
