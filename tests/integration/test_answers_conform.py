"""Real answers, held against the document: status, media type, schema and codes."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Final, TypeAlias
from uuid import UUID

import msgspec
import pytest
from litestar import Litestar
from litestar.testing import AsyncTestClient

from api.app import application
from api.house import opened
from api.problems import KINDS
from infra.settings import Settings
from tests.documented import DESCRIBED, PROBLEM, Described, Json, fault, ok

Client: TypeAlias = AsyncTestClient[Litestar]

ENTROPY: Final = "5e" * 32

ENDLESS: Final = {"streamMine"}
"""What goes on until the client leaves."""

UNPROVOKED: Final = {
    "registration-closed",  # by a setting
    "rate-limited",  # the same
    "too-many-tables",  # the same
    "method-not-allowed",  # by no operation
    "busy",
    "store-unavailable",
    "internal",
}
"""Codes that no request to a healthy, open server brings about."""


class Checked:
    """A client that asks for operations by id and checks whatever comes back."""

    def __init__(self, client: Client, **tokens: str) -> None:
        self.succeeded: set[str] = set()
        self.codes: set[str] = set()
        self._client = client
        self._tokens = tokens

    async def register(self, name: str) -> str:
        """Register a player, whose name stands for the token from then on."""
        answer = await self.ask("registerPlayer", {"name": name})
        self._tokens[name] = answer["token"]
        return str(answer["player"]["id"])

    async def ask(  # noqa: PLR0913 - the parts of a request
        self,
        operation: str,
        body: object = None,
        *,
        by: str | None = None,
        key: str | None = None,
        query: dict[str, Any] | None = None,
        accept: str = "*/*",
        raw: bytes | None = None,
        media: str = "application/json",
        **path: object,
    ) -> Any:  # noqa: ANN401 - JSON, checked against its schema
        """Ask for an operation; the answer, a problem or not, as it was documented."""
        described = DESCRIBED[operation]
        headers = {"Accept": accept}
        if by is not None:
            headers["Authorization"] = f"Bearer {self._tokens.get(by, by)}"
        if key is not None:
            headers["Idempotency-Key"] = key
        content = raw if body is None else msgspec.json.encode(body)
        if content is not None:
            headers["Content-Type"] = media
        answer = await self._client.request(
            described.method,
            described.path.format(**path),
            params=query,
            headers=headers,
            content=content,
        )
        found = self._documented(
            described,
            str(answer.status_code),
            answer.headers.get("content-type", ""),
            answer.content,
        )
        if answer.is_success:
            self.succeeded.add(operation)
        else:
            self.codes.add(found["code"])
        return found

    async def refused(
        self,
        code: str,
        operation: str,
        body: object = None,
        **parts: Any,  # noqa: ANN401 - as `ask` takes them
    ) -> Json:
        """Ask for an operation that is refused with that code."""
        problem: Json = await self.ask(operation, body, **parts)
        assert problem.get("code") == code
        return problem

    @staticmethod
    def _documented(
        described: Described, status: str, media: str, content: bytes
    ) -> Any:  # noqa: ANN401 - JSON
        about = f"{described.id}: {status}"
        assert status in described.text["responses"], f"{about}: {content!r}"
        if not content:
            assert "content" not in described.text["responses"][status], about
            return None
        contents = described.text["responses"][status]["content"]
        assert media in contents, about
        assert ok(status) == (media != PROBLEM), about
        if media not in {"application/json", PROBLEM}:
            return content.decode()
        found = msgspec.json.decode(content)
        assert fault(contents[media]["schema"], found) is None, about
        return found


@pytest.fixture
async def checked(database: str) -> AsyncIterator[Checked]:
    """A client of a server with a clean database, in which Ref is a referee."""
    app = application(partial(opened, Settings(), database), [])
    async with AsyncTestClient(app) as client:
        people = {
            "Root": await an_admin(database, "Root"),
            "Ref": await an_admin(database, "Ref", referee=True),
        }
        yield Checked(client, **people)


async def an_admin(database: str, name: str, *, referee: bool = False) -> str:
    """The token of an administrator, who is made by another process, as it were."""
    async with opened(Settings(), database, bots_play=False) as house:
        _, token = await house.accounts.register(
            name, "human", admin=True, referee=referee
        )
    return token


async def open_table(checked: Checked, **wanted: object) -> str:
    """Ada's table for herself, Ben and two bots, to be started by her."""
    seats = [{}, {}, {"bot": "steady"}, {"bot": "random"}]
    body = {"game": "hearts", "seats": seats, "autostart": False, **wanted}
    answer = await checked.ask("createTable", body, by="Ada", key="a table")
    return str(answer["table"]["id"])


async def play(checked: Checked, table: str) -> None:
    """Play on for Ada and Ben until the table is over."""
    while True:
        waiting = False
        for player in ("Ada", "Ben"):
            view = await checked.ask("readView", by=player, table=table)
            if view["table"]["status"] == "finished":
                return
            decision = view["decision"]
            if decision is None:
                continue
            waiting = True
            await checked.ask("listMyTurns", by=player)
            move = (decision["legal"] or [None])[0]
            if decision["choices"]:
                choices = decision["choices"]
                cards = choices["from"][: choices["choose"]]
                move = {"type": choices["type"], "cards": cards}
            await checked.ask(
                "sendCommand",
                {**move, "decision": decision["id"]},
                by=player,
                table=table,
            )
        if not waiting:
            await asyncio.sleep(0.005)


async def test_a_match_is_answered_as_documented(checked: Checked) -> None:
    """From registration to the record, every operation succeeds in its own words."""
    ada, ben = await checked.register("Ada"), await checked.register("Ben")
    await checked.ask("readPlayer", player=ada)
    await checked.ask("readMe", by="Ada")
    for general in ("readMeta", "checkLive", "checkReady", "listGames"):
        await checked.ask(general)
    await checked.ask("readMetrics", by="Root")
    await checked.ask("readProblem", code="rule-violation")
    await checked.ask("readGame", game="hearts")
    await checked.ask("listRules", game="hearts", query={"limit": 2})

    options = {"target": 1, "moon": "choice"}
    table = await open_table(checked, options=options, title="Friday")
    await checked.ask("takeSeat", by="Ada", table=table, seat=0)
    await checked.ask(
        "giveEntropy", {"entropy": ENTROPY}, by="Ada", table=table, seat=0
    )
    await checked.ask("takeSeat", {"entropy": ENTROPY}, by="Ben", table=table, seat=1)
    await checked.ask("leaveSeat", by="Ben", table=table, seat=1)
    await checked.ask("takeSeat", {}, by="Ben", table=table, seat=1, key="sit")
    await checked.ask("readTable", table=table)
    await checked.ask("startMatch", by="Ada", table=table)
    await checked.ask("observeTable", by="Ref", table=table)
    await checked.ask("readView", by="Ref", table=table, query={"as": "open"})
    await checked.ask("listTables", query={"status": "playing", "host": ada})
    await play(checked, table)

    for who in (ada, ben):
        results = await checked.ask("listResultsOfPlayer", player=who)
        assert [result["table"] for result in results["items"]] == [table]
        await checked.ask("listStandingsOfPlayer", player=who)
    await checked.ask("listStandings", query={"game": "hearts", "limit": 1})

    await checked.ask("readView", table=table, query={"as": "public", "at": 30})
    for player in ("Ada", "Ben", None):
        await checked.ask("listEvents", by=player, table=table, query={"limit": 1000})
    await checked.ask("readReceipt", table=table)
    await checked.ask("readDealProof", table=table, deal=1)
    await checked.ask("readRecord", table=table)
    await checked.ask("readRecord", table=table, accept="application/x-ndjson")
    assert (await checked.ask("readVerification", table=table))["ok"]
    record = await checked.ask("readRecord", table=table)
    assert (await checked.ask("verifyRecord", record, by="Ada"))["ok"]
    for media in ("text/event-stream", "application/x-ndjson"):
        query = {"after": 20}
        await checked.ask("streamTable", table=table, accept=media, query=query)
    again = await checked.ask("askForRematch", by="Ben", table=table)
    await checked.ask("abandonTable", by="Ada", table=again["table"]["id"])
    await checked.ask("readRecord", table=again["table"]["id"])
    await checked.ask("replaceMyToken", by="Ada")
    await checked.ask("forgetMe", by="Ben")
    assert checked.succeeded == set(DESCRIBED) - ENDLESS, "ask for new operations here"


async def test_refusals_are_answered_as_documented(checked: Checked) -> None:
    """Every code that a client can bring about comes where the document has it."""
    refused, ask = checked.refused, checked.ask
    for name in ("Ada", "Ben", "Cid"):
        await checked.register(name)
    table = await open_table(checked)
    at: Json = {"table": table}
    await _wrong_requests(checked)
    await refused("not-found", "readTable", table=UUID(int=1))
    await refused("not-found", "readTable", table="nonsense")
    await refused("not-found", "leaveSeat", by="Ada", **at, seat="x")
    await refused("unknown-seat", "takeSeat", by="Ada", **at, seat=7)
    await refused("seat-empty", "leaveSeat", by="Ada", **at, seat=0)
    await ask("takeSeat", by="Ada", **at, seat=0)
    await refused("already-seated", "takeSeat", by="Ada", **at, seat=1)
    await refused("seat-taken", "takeSeat", by="Ben", **at, seat=0)
    await refused("seats-not-filled", "startMatch", by="Ada", **at)
    none = {"type": "pass", "cards": []}
    await refused("match-not-started", "sendCommand", none, by="Ada", **at)
    await ask("takeSeat", by="Ben", **at, seat=1)
    await refused("forbidden", "startMatch", by="Ben", **at)
    await ask("observeTable", by="Ref", **at)
    await refused("observing", "observeTable", by="Ref", **at)
    await refused("forbidden", "observeTable", by="Ada", **at)
    await refused("forbidden", "readView", by="Ada", **at, query={"as": "open"})
    await ask("startMatch", by="Ada", **at)
    await refused("match-started", "startMatch", by="Ada", **at)
    await refused("table-not-finished", "readRecord", **at)
    await refused("deal-not-over", "readDealProof", **at, deal=1)
    await refused("not-found", "readDealProof", **at, deal=2)
    await refused("table-not-finished", "askForRematch", by="Ada", **at)
    broken = await refused("rule-violation", "sendCommand", none, by="Ada", **at)
    assert broken["rule"]["id"].startswith(("HE-", "CM-"))
    stale = {**none, "decision": "1.0"}
    conflict = await refused("stale-decision", "sendCommand", stale, by="Ada", **at)
    assert conflict["view"]["viewer"] == {"seat": 0}
    view = await ask("readView", by="Ada", **at)
    cards = view["decision"]["choices"]["from"][:3]
    await ask("sendCommand", {"type": "pass", "cards": cards}, by="Ada", **at)
    await refused("not-your-turn", "sendCommand", none, by="Ada", **at)
    await ask("abandonTable", by="Ada", **at)
    await refused("table-finished", "sendCommand", none, by="Ada", **at)
    again = (await ask("askForRematch", by="Ada", **at))["table"]["id"]
    await refused("seat-reserved", "takeSeat", by="Cid", table=again, seat=1)
    assert checked.codes == set(KINDS) - UNPROVOKED


async def _wrong_requests(checked: Checked) -> None:
    """What is wrong before any table is looked at."""
    wanted = {"game": "hearts"}
    for code, body, more in (
        ("unauthenticated", wanted, {}),
        ("unauthenticated", wanted, {"by": "msr_unknown"}),
        ("invalid-request", {"game": 7}, {"by": "Ada"}),
        ("invalid-request", wanted, {"by": "Ada", "key": "k" * 65}),
        ("invalid-table", {"game": "poker"}, {"by": "Ada"}),
        ("invalid-table", {**wanted, "seats": 99}, {"by": "Ada"}),
        ("idempotency-key-reused", wanted, {"by": "Ada", "key": "a table"}),
        ("malformed-json", None, {"by": "Ada", "raw": b"{"}),
        ("too-large", None, {"by": "Ada", "raw": b" " * 70_000}),
        ("unsupported-media-type", wanted, {"by": "Ada", "media": "text/plain"}),
    ):
        await checked.refused(code, "createTable", body, **more)
    await checked.refused("invalid-request", "listTables", query={"limit": 0})
    await checked.refused("invalid-request", "listTables", query={"cursor": "?"})


@pytest.mark.parametrize("operation", ["startMatch", "abandonTable"])
async def test_a_body_where_none_belongs_is_refused_as_documented(
    checked: Checked, operation: str
) -> None:
    """An operation that takes no body says so in the words of those that do."""
    await checked.register("Ada")
    at: Json = {"table": await open_table(checked), "by": "Ada"}
    await checked.refused("invalid-request", operation, {"surprise": 1}, **at)
    await checked.refused("malformed-json", operation, raw=b"{", **at)
    await checked.refused("unsupported-media-type", operation, {}, media="a/b", **at)
    await checked.refused("too-large", operation, raw=b" " * 70_000, **at)


async def test_a_private_table_is_answered_as_documented(checked: Checked) -> None:
    """Its invite opens it to whoever shows it, wherever a table may be looked at."""
    await checked.register("Ada")
    await checked.register("Ben")
    body = {"game": "hearts", "visibility": "private"}
    answer = await checked.ask("createTable", body, by="Ada")
    table, shown = answer["table"]["id"], {"invite": answer["invite"]}
    for operation in ("readTable", "readView", "listEvents"):
        await checked.refused("not-found", operation, by="Ben", table=table)
        await checked.ask(operation, by="Ben", table=table, query=shown)
        await checked.ask(operation, table=table, query=shown)
    await checked.refused("not-found", "takeSeat", by="Ben", table=table, seat=0)
    await checked.ask("takeSeat", shown, by="Ben", table=table, seat=0)


async def test_registration_can_be_closed(database: str) -> None:
    """Then a newcomer is told so in a documented way."""
    settings = Settings(registration="closed")
    app = application(partial(opened, settings, database), [])
    async with AsyncTestClient(app) as client:
        checked = Checked(client)
        await checked.refused("registration-closed", "registerPlayer", {"name": "Ada"})
