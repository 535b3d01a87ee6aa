"""Players who outlast their server: they send again until they are answered.

A server that is killed comes back at another address, so its callers ask a `Place`
where it is. Each request with a key is noted with its answer, to be held against the
log later.
"""

import asyncio
import hashlib
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID, uuid5

import httpx

from tests.e2e.client import Client, Json, chosen, good, refused
from tests.e2e.running import MISERE, Server, output_of, surroundings

OVER: Final = ("finished", "abandoned")
KEYS: Final = UUID("6d697365-7265-4000-8000-00000000beef")
POLL: Final = 0.02


@dataclass
class Sent:
    """A request with a key, its answer, and how many sendings of it had none."""

    player: str
    route: str
    key: str
    answer: httpx.Response | None = None
    in_doubt: int = 0
    put_off: int = 0

    @property
    def command(self) -> UUID:
        """The id of the command, worked out as the API's description says."""
        parts = (UUID(self.player).bytes, self.route.encode(), self.key.encode())
        return UUID(bytes=hashlib.sha256(b"\0".join(parts)).digest()[:16])

    @property
    def accepted(self) -> bool:
        """Whether it was answered with success."""
        return self.answer is not None and self.answer.is_success


@dataclass
class Place:
    """Where the server over a folder can be called, whichever process it is now."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    server: Server | None = None
    _http: httpx.AsyncClient | None = None
    _old: list[httpx.AsyncClient] = field(default_factory=list)
    _open: asyncio.Event = field(default_factory=asyncio.Event)
    _asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self) -> Server:
        """Start a server; whoever waits for one calls it from now on."""
        self.server = await asyncio.to_thread(
            partial(Server.start, self.folder, **self.environment)
        )
        limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
        self._http = httpx.AsyncClient(
            base_url=self.server.address, timeout=30, limits=limits
        )
        self._old.append(self._http)
        self._open.set()
        return self.server

    def note(self, sent: Sent) -> None:
        """Know of a request with a key that is being sent."""
        self.sent.append(sent)
        self._asked.set()

    async def asked(self) -> None:
        """Return as the next request with a key is being sent."""
        self._asked.clear()
        await self._asked.wait()

    async def kill(self) -> None:
        """End the server's process as a power cut would; its database has to follow."""
        assert self.server is not None
        self._open.clear()
        self.server.process.kill()
        await asyncio.to_thread(self.server.process.wait)
        assert "request failed" not in self.server.output, self.server.output

    async def stop(self) -> int:
        """End the server by SIGTERM, see that nothing is left, return its status."""
        assert self.server is not None
        self._open.clear()
        return await asyncio.to_thread(self.server.end)

    async def stillborn(self, seconds: float) -> None:
        """Start a server and kill it after some seconds, wherever it has got to."""
        with output_of(self.folder).open("wb") as file:
            process = subprocess.Popen(  # noqa: ASYNC220, S603 - our own program
                [MISERE, "serve", "--data", self.folder, "--port", "0"],
                stdout=file,
                stderr=file,
                env=surroundings(),
            )
        try:
            await asyncio.sleep(seconds)
        finally:
            process.kill()
            await asyncio.to_thread(process.wait)

    async def http(self) -> httpx.AsyncClient:
        """Connections to the server, once there is one."""
        await self._open.wait()
        assert self._http is not None
        return self._http

    async def close(self) -> None:
        """Close all connections, and kill a server that still runs."""
        for http in self._old:
            await http.aclose()
        if self.server is not None and self.server.process.poll() is None:
            self.server.process.kill()
            await asyncio.to_thread(self.server.process.wait)


@asynccontextmanager
async def place_at(folder: Path, **environment: str) -> AsyncIterator[Place]:
    """A place whose server, if one runs in the end, is killed."""
    place = Place(folder, environment)
    try:
        yield place
    finally:
        await place.close()


class Lasting(Client):
    """A client that sends a request again, with its key, until it is answered."""

    def __init__(self, place: Place, http: httpx.AsyncClient) -> None:
        """Call the server of `place`, whose connections are now `http`."""
        super().__init__(http)
        self._place = place

    @classmethod
    async def join(cls, place: Place, name: str) -> "Lasting":
        """Become a player."""
        player = cls(place, await place.http())
        made = good(await player.ask("POST", "/players", {"name": name}), 201)
        player.token, player.id = made["token"], made["player"]["id"]
        return player

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
        """Send a request until it gets an answer other than to try again later."""
        note = Sent(self.id, f"{method} /v1{path}", key or "")
        if key is not None:
            self._place.note(note)
        while True:
            self._http = await self._place.http()
            try:
                answer = await super().ask(
                    method, path, body, key=key, params=params, headers=headers
                )
            except httpx.TransportError:
                note.in_doubt += 1
                await asyncio.sleep(POLL)
                continue
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                note.answer = answer
                return answer
            assert answer.json()["retryable"], answer.text
            note.put_off += 1
            await asyncio.sleep(POLL)


async def match(
    place: Place, chance: Random, seats: Sequence[str | None], options: Json
) -> str:
    """Play a whole match: people where no bot's name stands. Its table's id.

    Each person at times calls from two devices at once, which answer the same decision:
    one of them is told that it came too late.
    """
    host = await Lasting.join(place, "Host")
    plan: list[Json] = [{"bot": bot} if bot else {} for bot in seats]
    body = {"game": "hearts", "seats": plan, "options": options}
    made = good(await host.ask("POST", "/tables", body, key=new_key(chance)), 201)
    table: str = made["table"]["id"]

    async def attend(seat: int, chance: Random) -> None:
        player = await Lasting.join(place, f"Guest {seat}")
        await player.sit(table, seat, key=new_key(chance))
        await play(player, table, chance)

    async with asyncio.TaskGroup() as people:
        for seat, bot in enumerate(seats):
            if bot is None:
                people.create_task(attend(seat, Random(chance.random())))
    await play(host, table, chance)  # who has no seat watches
    return table


async def play(player: Lasting, table: str, chance: Random) -> None:
    """Answer one's decisions until the match is over."""
    while (view := await player.view(table))["table"]["status"] not in OVER:
        decision = view["decision"]
        if decision is None:
            await asyncio.sleep(POLL)
            continue
        devices = 2 if chance.random() < 0.25 else 1
        answers = await asyncio.gather(
            *(
                player.send(table, chosen(decision, chance), key=new_key(chance))
                for _ in range(devices)
            )
        )
        accepted = [it for it in answers if it.status_code == httpx.codes.CREATED]
        assert len(accepted) == 1, [it.text for it in answers]
        for answer in answers:
            if answer not in accepted:
                late = answer.json()["code"]
                assert late in {"stale-decision", "table-finished"}, answer.text
                refused(answer, 409, late)


def new_key(chance: Random) -> str:
    """A key that repeats itself with the chance it comes from."""
    return str(uuid5(KEYS, chance.randbytes(16).hex()))


def said(sent: Sent) -> dict[str, Any]:
    """What an answered request was told."""
    assert sent.answer is not None
    answer: Json = sent.answer.json()
    return answer
