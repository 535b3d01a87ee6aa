"""Bounds on what callers ask for: requests a minute, new players, tables at once.

The server believes a proxy on its own machine, which each test plays: it says whom it
speaks for, so that every test has addresses of its own.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from itertools import count
from typing import Final

import httpx
import pytest

from tests.e2e.client import NDJSON, Client, good, new_key, refused
from tests.e2e.running import Server, serving

REQUESTS: Final = 12
BOUNDS: Final = {
    "MISERE_RATE_LIMIT": str(REQUESTS),
    "MISERE_MAX_LIVE_TABLES": "2",
    "MISERE_TRUSTED_PROXIES": "127.0.0.1, 203.0.113.0/24",
}
SECOND_PROXY: Final = "203.0.113.9"

_addresses: Final = count(1)


@pytest.fixture(scope="module")
def bounded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with narrow bounds."""
    with serving(tmp_path_factory.mktemp("limits") / "data", **BOUNDS) as server:
        yield server
        assert "request failed" not in server.output


@pytest.fixture(scope="module")
async def proxy(bounded: Server) -> AsyncIterator[httpx.AsyncClient]:
    """The proxy's connections to it."""
    async with httpx.AsyncClient(base_url=bounded.address, timeout=30) as http:
        yield http


def an_address() -> str:
    """One that nobody else has."""
    return f"198.51.100.{next(_addresses)}"


class Guest(Client):
    """A player who comes from an address of their own."""

    address: str

    @classmethod
    async def come(cls, proxy: httpx.AsyncClient) -> "Guest":
        """Register."""
        address = an_address()
        headers = {"X-Forwarded-For": address}
        made = await proxy.post("/v1/players", json={"name": "Ada"}, headers=headers)
        token = good(made, 201)
        guest = cls(proxy, token["token"], token["player"]["id"])
        guest.address = address
        return guest

    async def tries(self) -> httpx.Response:
        """A small request of theirs."""
        return await self.ask("GET", "/me", headers={"X-Forwarded-For": self.address})


async def tries_from(
    proxy: httpx.AsyncClient, address: str, path: str = "/v1/meta", token: str = ""
) -> httpx.Response:
    """A small request from an address."""
    headers = {"X-Forwarded-For": address}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return await proxy.get(path, headers=headers)


async def use_up(proxy: httpx.AsyncClient, address: str) -> httpx.Response:
    """Ask from an address until it is too much."""
    for _ in range(2 * REQUESTS):
        answer = await tries_from(proxy, address)
        if answer.is_error:
            return answer
    raise AssertionError("it is never too much")


async def test_a_token_has_a_quota_of_its_own(proxy: httpx.AsyncClient) -> None:
    """One that is used up is told when to come again; another one is not concerned."""
    ada, ben = await Guest.come(proxy), await Guest.come(proxy)
    told = []
    for _ in range(REQUESTS):
        answer = await ada.tries()
        good(answer)
        assert answer.headers["ratelimit-policy"] == f'"token";q={REQUESTS};w=60'
        told.append(answer.headers["ratelimit"])
    assert told[0] == f'"token";r={REQUESTS - 1};t=5'
    problem = refused(await ada.tries(), 429, "rate-limited")
    assert problem["retryable"]
    assert problem["params"]["policy"] == "token"
    late = await ada.tries()
    assert re.fullmatch('"token";r=0;t=[1-5]', late.headers["ratelimit"])
    assert int(late.headers["retry-after"]) == late.json()["params"]["seconds"]
    good(await ben.tries())


async def test_a_refused_command_is_not_carried_out(proxy: httpx.AsyncClient) -> None:
    """It may be sent again with its key, and is then the first one."""
    ada = await Guest.come(proxy)
    while not (await ada.tries()).is_error:
        pass
    key, body = new_key(), {"game": "hearts"}
    refused(await ada.ask("POST", "/tables", body, key=key), 429, "rate-limited")
    listed = await tries_from(proxy, an_address(), f"/v1/tables?host={ada.id}")
    assert good(listed)["items"] == []


async def test_who_has_no_token_is_an_address(proxy: httpx.AsyncClient) -> None:
    """Addresses are apart; of IPv6 a site is one."""
    one, other = an_address(), an_address()
    problem = refused(await use_up(proxy, one), 429, "rate-limited")
    assert problem["params"]["policy"] == "address"
    good(await tries_from(proxy, other))
    await use_up(proxy, "2001:db8:1:2::3")
    refused(await tries_from(proxy, "2001:db8:1:2:ffff::4"), 429, "rate-limited")
    good(await tries_from(proxy, "2001:db8:1:3::3"))


async def test_the_last_who_is_not_believed_is_the_caller(
    proxy: httpx.AsyncClient,
) -> None:
    """What a client writes before its proxies do is nothing; they may be several."""
    address = an_address()
    for number in range(REQUESTS):
        chain = f"192.0.2.{number}, {address}, {SECOND_PROXY}"
        good(await tries_from(proxy, chain if number % 2 else f"nonsense, {address}"))
    refused(await tries_from(proxy, f"192.0.2.99, {address}"), 429, "rate-limited")
    good(await tries_from(proxy, f"{address}, {an_address()}"))


async def test_guessing_tokens_uses_up_the_address(proxy: httpx.AsyncClient) -> None:
    """Also where each guess is another token; a real one there still has its own."""
    ada = await Guest.come(proxy)
    for number in range(REQUESTS):
        guess = f"msr_{number}"
        answer = await tries_from(proxy, ada.address, "/v1/me", guess)
        refused(answer, 401, "unauthenticated")
        assert answer.headers["ratelimit"].startswith('"address";')
    answer = await tries_from(proxy, ada.address, "/v1/me", "msr_last")
    refused(answer, 429, "rate-limited")
    good(await ada.tries())


async def test_what_is_not_there_counts_too(proxy: httpx.AsyncClient) -> None:
    """So do methods that an address does not take."""
    address = an_address()
    headers = {"X-Forwarded-For": address}
    for _ in range(REQUESTS // 2):
        answer = await proxy.get("/v1/none", headers=headers)
        refused(answer, 404, "not-found")
        assert answer.headers["ratelimit-policy"] == f'"address";q={REQUESTS};w=60'
        refused(await proxy.patch("/v1/me", headers=headers), 405, "method-not-allowed")
    late = await proxy.get("/v1/none", headers=headers)
    refused(late, 429, "rate-limited")
    assert int(late.headers["retry-after"]) > 0


async def test_few_players_are_registered_from_an_address(
    proxy: httpx.AsyncClient,
) -> None:
    """A token does not change that."""
    ada = await Guest.come(proxy)
    headers = {"X-Forwarded-For": ada.address}
    for _ in range(2):
        again = await ada.ask("POST", "/players", {"name": "B"}, headers=headers)
        problem = refused(again, 429, "rate-limited")
        assert problem["params"]["policy"] == "registration"
    good(await ada.tries())


async def test_a_stream_taken_up_again_costs_nothing(proxy: httpx.AsyncClient) -> None:
    """Whoever was cut off can go on, though a new stream is one request too many."""
    ada = await Guest.come(proxy)
    table = await ada.open_table()
    path = f"/tables/{table}/stream"
    while not (await ada.tries()).is_error:
        pass
    refused(await ada.ask("GET", path), 429, "rate-limited")
    resumed: list[dict[str, dict[str, str]]] = [
        {"params": {"after": "1"}},
        {"headers": {"Last-Event-ID": "1"}},
    ]
    for _ in range(REQUESTS):
        for how in resumed:
            headers = {"Authorization": f"Bearer {ada.token}", "Accept": NDJSON}
            headers |= how.get("headers", {})
            async with proxy.stream(
                "GET", f"/v1{path}", headers=headers, params=how.get("params")
            ) as stream:
                assert stream.status_code == 200
                assert stream.headers["ratelimit"].startswith('"resumed";')


async def test_looks_of_the_host_cost_nothing(proxy: httpx.AsyncClient) -> None:
    """Whether the server is well can be asked at any rate."""
    address = an_address()
    await use_up(proxy, address)
    for _ in range(3):
        for path in ("/health/live", "/health/ready"):
            answer = await tries_from(proxy, address, path)
            good(answer)
            assert "ratelimit" not in answer.headers


async def test_a_host_has_so_many_tables_at_once(proxy: httpx.AsyncClient) -> None:
    """Private ones count, those that are over do not; a retry is no new table."""
    ada = await Guest.come(proxy)
    key, body = new_key(), {"game": "hearts"}
    made = good(await ada.ask("POST", "/tables", body, key=key), 201)
    await ada.open_table(visibility="private")
    said = refused(await ada.ask("POST", "/tables", body), 409, "too-many-tables")
    assert said["params"] == {"most": 2}
    good(await ada.ask("POST", "/tables", body, key=key), 201)
    first = made["table"]["id"]
    await ada.lead(first, "abandon")
    await ada.open_table()
    again = await ada.ask("POST", f"/tables/{first}/rematch", {})
    refused(again, 409, "too-many-tables")


async def test_a_host_who_asks_for_many_at_once_gets_no_more(
    proxy: httpx.AsyncClient,
) -> None:
    """However the requests come."""
    ada = await Guest.come(proxy)
    asked = (ada.ask("POST", "/tables", {"game": "hearts"}) for _ in range(8))
    statuses = sorted(answer.status_code for answer in await asyncio.gather(*asked))
    assert statuses == [201] * 2 + [409] * 6


async def test_the_bounds_are_told(proxy: httpx.AsyncClient) -> None:
    """A client need not find them out by being refused."""
    told = good(await tries_from(proxy, an_address()))["limits"]
    assert (told["requests"], told["live_tables"]) == (REQUESTS, 2)


async def test_nobody_is_believed_unless_named(server: Server) -> None:
    """A server on loopback bounds nothing, and takes no client's word for its place."""
    async with httpx.AsyncClient(base_url=server.address) as http:
        answer = good(await http.get("/v1/meta"))
        assert answer["limits"]["requests"] is None
        assert answer["limits"]["live_tables"] is None
        forwarded = {"X-Forwarded-For": "127.0.0.1"}
        assert (await http.get("/metrics", headers=forwarded)).status_code == 401


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_server_open_to_others_has_bounds(
    workers: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Unless it is told otherwise; and what a client says of its address is nothing."""
    folder = tmp_path_factory.mktemp("open") / "data"
    everywhere = "0.0.0.0"  # noqa: S104 - as a server for others has it
    options = ("--host", everywhere, "--workers", workers)
    with (
        serving(folder, *options, MISERE_RATE_LIMIT="3") as server,
        httpx.Client(base_url=server.address.replace(everywhere, "127.0.0.1")) as http,
    ):
        told = good(http.get("/v1/meta"))["limits"]
        assert (told["requests"], told["live_tables"]) == (3, 50)
        answers = [
            http.get("/v1/meta", headers={"X-Forwarded-For": f"192.0.2.{number}"})
            for number in range(3)
        ]
        refused(answers[-1], 429, "rate-limited")
