"""A small client, as an integrator would write one from the API's description."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any, Final
from uuid import uuid4

import httpx

Json = dict[str, Any]

NDJSON: Final = "application/x-ndjson"
PROBLEM: Final = "application/problem+json"
CREATED: Final = 201


class Client:
    """Somebody who calls the server: a player with a token, or a stranger."""

    def __init__(
        self, http: httpx.AsyncClient, token: str | None = None, player: str = ""
    ) -> None:
        """Call over `http`, as the player with this token where there is one."""
        self._http = http
        self.token = token
        self.id = player

    @classmethod
    async def register(cls, http: httpx.AsyncClient, name: str = "Ada") -> "Client":
        """Become a player."""
        answer = await http.post("/v1/players", json={"name": name})
        made = good(answer, CREATED)
        return cls(http, made["token"], made["player"]["id"])

    async def ask(  # noqa: PLR0913 - the parts of a request
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        params: Mapping[str, str | int] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request, whatever comes of it."""
        sent = dict(headers or {})
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if key is not None:
            sent["Idempotency-Key"] = key
        return await self._http.request(
            method, f"/v1{path}", json=body, params=params, headers=sent
        )

    async def get(self, path: str, **params: str | int) -> Json:
        """What is at an address."""
        return good(await self.ask("GET", path, params=params))

    async def open_table(self, **terms: Any) -> str:  # noqa: ANN401 - any JSON
        """Make a table of Hearts and return its id."""
        made = await self.ask("POST", "/tables", {"game": "hearts", **terms})
        table: str = good(made, CREATED)["table"]["id"]
        return table

    async def sit(
        self, table: str, seat: int, *, key: str | None = None, **body: str
    ) -> Json:
        """Take a seat."""
        path = f"/tables/{table}/seats/{seat}"
        return good(await self.ask("PUT", path, body, key=key))

    async def view(self, table: str, **params: str | int) -> Json:
        """The table through one's own eyes."""
        return await self.get(f"/tables/{table}/view", **params)

    async def view_when_ready(self, table: str) -> Json:
        """The same, asked again while the database is away."""
        while True:
            answer = await self.ask("GET", f"/tables/{table}/view")
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                return good(answer)
            assert answer.json()["retryable"]
            await asyncio.sleep(0.05)

    async def decision(self, table: str) -> Json:
        """One's open decision."""
        decision: Json = (await self.view(table))["decision"]
        return decision

    async def send(
        self, table: str, move: object, *, key: str | None = None
    ) -> httpx.Response:
        """Post a move, whatever comes of it."""
        return await self.ask("POST", f"/tables/{table}/commands", move, key=key)

    async def command(
        self, table: str, move: object, *, key: str | None = None
    ) -> Json:
        """Make a move that is accepted."""
        return good(await self.send(table, move, key=key), CREATED)

    async def events(self, table: str, after: int = 0) -> list[Json]:
        """All events above a version, as one may have them."""
        path = f"/tables/{table}/events"
        page = await self.get(path, after=after)
        found: list[Json] = page["items"]
        while page["next"] is not None:
            page = await self.get(path, cursor=page["next"])
            found += page["items"]
        return found

    async def lead(self, table: str, what: str) -> Json:
        """Start, abandon or rematch a table."""
        return good(await self.ask("POST", f"/tables/{table}/{what}"))

    @asynccontextmanager
    async def stream(
        self,
        path: str,
        params: Mapping[str, str | int] | None = None,
        *,
        media: str = NDJSON,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """A stream that has begun, or the refusal of it."""
        sent = {"Accept": media, **(headers or {})}
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        async with self._http.stream(
            "GET", f"/v1{path}", params=params, headers=sent
        ) as answer:
            yield answer

    @asynccontextmanager
    async def frames(
        self, path: str, **params: str | int
    ) -> AsyncIterator[AsyncIterator[Json]]:
        """The frames of a stream that has begun."""
        async with self.stream(path, params) as answer:
            assert answer.status_code == httpx.codes.OK
            yield (json.loads(line) async for line in answer.aiter_lines() if line)

    async def record(self, table: str) -> Json:
        """The record of a table that is over."""
        return await self.get(f"/tables/{table}/record")

    async def record_lines(self, table: str) -> list[bytes]:
        """The record line by line."""
        path, media = f"/tables/{table}/record", "application/x-ndjson"
        answer = await self.ask("GET", path, headers={"Accept": media})
        assert answer.status_code == httpx.codes.OK
        assert answer.headers["content-type"].startswith(media)
        return answer.content.splitlines()


def good(answer: httpx.Response, status: int = 200) -> Json:
    """What a successful answer says."""
    assert answer.status_code == status, answer.text
    said: Json = answer.json()
    return said


def refused(answer: httpx.Response, status: int, code: str) -> Json:
    """What a problem document says, having the form that all of them have."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM), (
        answer.text
    )
    said: Json = answer.json()
    assert said["code"] == code, said
    assert said["type"] == f"/v1/problems/{code}"
    assert said["status"] == status
    assert said["title"]
    assert said["detail"]
    assert isinstance(said["retryable"], bool)
    return said


def chosen(decision: Json, chance: Random) -> Json:
    """Any answer to a decision: a listed move, or one made from the choices."""
    if decision["legal"]:
        move: Json = dict(chance.choice(decision["legal"]))
    else:
        offer = decision["choices"]
        assert offer["type"] == "pass"
        cards = chance.sample(offer["from"], offer["choose"])
        move = {"type": "pass", "cards": cards}
    return {**move, "decision": decision["id"]}


async def seated(
    table: str, people: Sequence[Client], entropy: Mapping[int, str] | None = None
) -> None:
    """Everybody takes the seat of their number."""
    for seat, player in enumerate(people):
        given = (entropy or {}).get(seat)
        await player.sit(table, seat, **({"entropy": given} if given else {}))


async def people_to_act(watcher: Client, table: str) -> list[int]:
    """The seats that are to act once the bots have moved and wait for people."""
    while True:
        view = await watcher.view(table)
        seats: list[int] = view["to_act"]
        if not any("bot" in view["table"]["seats"][seat]["occupant"] for seat in seats):
            return seats
        await asyncio.sleep(0.005)


async def played_out(table: str, people: Mapping[int, Client], chance: Random) -> Json:
    """The view of a match that these people, by seat, have played to its end."""
    watcher = next(iter(people.values()))
    while seats := await people_to_act(watcher, table):
        for seat in seats:
            decision = await people[seat].decision(table)
            await people[seat].command(table, chosen(decision, chance))
    return await watcher.view(table)


def new_key() -> str:
    """An idempotency key that nobody has used."""
    return str(uuid4())
