"""What nobody should send: each gets its problem, nothing changes, nothing breaks."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Final, NamedTuple

import httpx
import pytest

from tests.e2e.client import Client, Json, refused
from tests.e2e.conftest import Guests
from tests.e2e.four import ARRANGED, HANDS, Four, four_of

JSON: Final = {"Content-Type": "application/json"}
PASS: Final = {"type": "pass", "cards": HANDS[0][:3]}
NAMED: Final = {"game": "hearts"}
MANY_DIGITS: Final = "9" * 5000


class Hostile(NamedTuple):
    """A request of seat 0, `{table}` in its path, and the problem that it gets."""

    method: str
    path: str
    body: object
    status: int
    code: str
    headers: Mapping[str, str | bytes] = {}
    field: str | None = None


def command(body: object, status: int = 400, code: str = "invalid-request") -> Hostile:
    """A hostile move."""
    return Hostile("POST", "/v1/tables/{table}/commands", body, status, code)


def opening(
    status: int = 400, code: str = "invalid-request", **terms: object
) -> Hostile:
    """A hostile table."""
    return Hostile("POST", "/v1/tables", {**NAMED, **terms}, status, code)


def asking(path: str, status: int = 400, code: str = "invalid-request") -> Hostile:
    """A hostile address."""
    return Hostile("GET", f"/v1{path}", None, status, code)


def player(body: object, code: str = "invalid-request") -> Hostile:
    """A hostile name."""
    return Hostile("POST", "/v1/players", body, 400, code)


def seat(number: str, status: int, code: str) -> Hostile:
    """A seat that is not there."""
    return Hostile("PUT", f"/v1/tables/{{table}}/seats/{number}", {}, status, code)


def keyed(key: bytes, status: int = 400, code: str = "invalid-request") -> Hostile:
    """A hostile key with a legal move."""
    return command(PASS, status, code)._replace(headers={"Idempotency-Key": key})


def bearing(header: str) -> Hostile:
    """A hostile Authorization header."""
    hostile = command(PASS, 401, "unauthenticated")
    return hostile._replace(headers={"Authorization": header.encode("latin-1")})


def cursor(contents: object) -> str:
    """What looks like a cursor."""
    return urlsafe_b64encode(json.dumps(contents).encode()).decode()


RULE: Final = (422, "rule-violation")
MALFORMED: Final = (400, "malformed-json")
INVALID_TABLE: Final = (422, "invalid-table")
NOT_FOUND: Final = (404, "not-found")
MISTYPED: Final = command(PASS, 415, "unsupported-media-type")
NOWHEN: Final = {"moment": "0001-01-01T00:00:00", "table": "x"}
AN_ID: Final = "00000000-0000-4000-8000-000000000000"
FAR: Final = {"moment": "9999-12-31T23:59:59-23:59", "table": AN_ID}
TOO_FAR: Final = {"table": AN_ID, "seat": 10**9}
WORTHLESS: Final = {"worth": -(10**30), "player": AN_ID}
BELOW: Final = {"table": AN_ID, "seat": -(10**30)}

HOSTILE: Final[dict[str, Hostile]] = {
    "no type": command({}),
    "an unknown type": command({"type": "cheat"}),
    "a type that is a number": command({"type": 7}),
    "a list": command([PASS]),
    "a number": command(b"7"),
    "null": command(b"null"),
    "a card that is a number": command({"type": "play", "card": 2}),
    "a card that is none": command({"type": "play", "card": "1C"}),
    "a card in lower case": command({"type": "play", "card": "2c"}),
    "the joker": command({"type": "pass", "cards": ["JK", *HANDS[0][:2]]}, *RULE),
    "a field too many": command({**PASS, "seat": 1}),
    "no cards": command({"type": "pass", "cards": []}, *RULE),
    "a card twice": command({"type": "pass", "cards": [HANDS[0][0]] * 3}, *RULE),
    "cards not held": command({"type": "pass", "cards": HANDS[1][:3]}, *RULE),
    "four cards": command({"type": "pass", "cards": HANDS[0][:4]}, *RULE),
    "fifty cards": command({"type": "pass", "cards": HANDS[0] * 4}),
    "another phase's move": command({"type": "play", "card": HANDS[0][0]}, *RULE),
    "a moon that was not shot": command({"type": "settle_moon", "how": "add"}, *RULE),
    "another seat's decision": command(
        {**PASS, "decision": "1.1"}, 409, "stale-decision"
    ),
    "a decision of no form": command({**PASS, "decision": "x" * 1000}),
    "a decision beyond all numbers": command({**PASS, "decision": f"{MANY_DIGITS}.0"}),
    "no JSON": command(b"{", *MALFORMED),
    "two values": command(b"{}{}", *MALFORMED),
    "a repeated key": command(b'{"type":"pass","type":"pass","cards":[]}', *MALFORMED),
    "deep lists": command(b"[" * 30_000 + b"]" * 30_000, *MALFORMED),
    "deep objects": command(b'{"a":' * 10_000 + b"1" + b"}" * 10_000, *MALFORMED),
    "not UTF-8": command(b'{"type":"\xff"}', *MALFORMED),
    "UTF-16": command(json.dumps(PASS).encode("utf-16"), *MALFORMED),
    "NaN": command(b'{"type":NaN}', *MALFORMED),
    "endless digits": command(f'{{"type":{MANY_DIGITS}}}'.encode(), *MALFORMED),
    "a huge body": command(b" " * 70_000 + b"{}", 413, "too-large"),
    "a lone surrogate in a move": command(
        b'{"type":"pass","cards":["\\ud800"]}', *MALFORMED
    ),
    "plain text": MISTYPED._replace(headers={"Content-Type": "text/plain"}),
    "a form": MISTYPED._replace(
        headers={"Content-Type": "application/x-www-form-urlencoded"}
    ),
    "no media type": MISTYPED._replace(headers={"Content-Type": ""}),
    "a key of 65": keyed(b"k" * 65),
    "an empty key": keyed(b""),
    "no bearer": bearing("Basic bXNyOnBhc3M="),
    "no token": bearing("Bearer"),
    "a token that is not ASCII": bearing("Bearer msr_\xe9"),
    "two tokens": bearing("Bearer msr_a, Bearer msr_b"),
    "a long token": bearing("Bearer " + "m" * 5000),
    "a name with NUL": player({"name": "A\0da"}),
    "a name with a line's end": player({"name": "A\nda"}),
    "a name with a lone surrogate": player(b'{"name":"\\ud800"}', "malformed-json"),
    "a name of 41": player({"name": "x" * 41}),
    "no name": player({}),
    "an empty name": player({"name": ""}),
    "a kind that is none": player({"name": "Ada", "kind": "admin"}),
    "an admin by request": player({"name": "Ada", "admin": True}),
    "a title with NUL": opening(title="\0"),
    "a title with a lone surrogate": Hostile(
        "POST", "/v1/tables", b'{"game":"hearts","title":"\\udfff"}', *MALFORMED
    ),
    "a title of 81": opening(title="x" * 81),
    "a game that is none": opening(*INVALID_TABLE, game="poker"),
    "a game with NUL": opening(*INVALID_TABLE, game="\0"),
    "a preset that is none": opening(*INVALID_TABLE, preset="\0"),
    "an option that is none": opening(*INVALID_TABLE, options={"luck": 1}),
    "an option of another type": opening(*INVALID_TABLE, options={"target": "x"}),
    "an option that is a fraction": opening(options={"target": 0.5}),
    "an option beyond all bounds": opening(*INVALID_TABLE, options={"target": 10**40}),
    "an option below all bounds": opening(*INVALID_TABLE, options={"target": -1}),
    "a float in place of an integer": opening(options={"target": 1e300}),
    "two seats": opening(*INVALID_TABLE, seats=2),
    "a million seats": opening(seats=1_000_000),
    "seats below zero": opening(seats=-4),
    "seats that are true": opening(seats=True),
    "seats that are text": opening(seats="four"),
    "a seat kept for nobody known": opening(
        *INVALID_TABLE, seats=[{"player": AN_ID}, {}, {}, {}]
    ),
    "a bot that is none": opening(seats=[{"bot": "perfect"}, {}, {}]),
    "an arrangement of too few cards": opening(
        *INVALID_TABLE, arrangement={"deals": [{"hands": [["2C"], ["3C"], [], []]}]}
    ),
    "an arrangement with a card twice": opening(
        *INVALID_TABLE, arrangement={"deals": [{"hands": [HANDS[0]] * 4}]}
    ),
    "an arrangement of 65 deals": opening(arrangement={"deals": [{"hands": []}] * 65}),
    "an arranged rated table": opening(
        *INVALID_TABLE, arrangement=ARRANGED, rated=True
    ),
    "a dealer who is none": opening(*INVALID_TABLE, arrangement={"first_dealer": 4}),
    "a dealer below zero": opening(*INVALID_TABLE, arrangement={"first_dealer": -1}),
    "scores beyond all bounds": opening(arrangement={"scores": [10**40] * 4}),
    "scores of too few": opening(*INVALID_TABLE, arrangement={"scores": [1]}),
    "entropy that is short": Hostile(
        "PUT",
        "/v1/tables/{table}/seats/0/entropy",
        {"entropy": "ab"},
        400,
        "invalid-request",
    ),
    "entropy in capitals": Hostile(
        "PUT",
        "/v1/tables/{table}/seats/0/entropy",
        {"entropy": "AB" * 32},
        400,
        "invalid-request",
    ),
    "entropy and a newline": Hostile(
        "PUT",
        "/v1/tables/{table}/seats/0/entropy",
        {"entropy": "ab" * 32 + "\n"},
        400,
        "invalid-request",
    ),
    "another's entropy": Hostile(
        "PUT",
        "/v1/tables/{table}/seats/1/entropy",
        {"entropy": "ab" * 32},
        403,
        "forbidden",
    ),
    "another's seat": Hostile(
        "DELETE", "/v1/tables/{table}/seats/1", None, 409, "match-started"
    ),
    "a seat below zero": seat("-1", *NOT_FOUND),
    "a seat of many digits": seat(MANY_DIGITS[:500], *NOT_FOUND),
    "a seat in other digits": seat("%D9%A3", *NOT_FOUND),
    "a seat that is text": seat("north", *NOT_FOUND),
    "a table that is none": asking("/tables/none", *NOT_FOUND),
    "a table with NUL": asking("/tables/%00", *NOT_FOUND),
    "a table that is no UTF-8": asking("/tables/%ff%fe", *NOT_FOUND),
    "a player that is none": asking(f"/players/{AN_ID}", *NOT_FOUND),
    "a way up": asking("/tables/..%2f..%2fetc", *NOT_FOUND),
    "an address that is none": asking("/nothing", *NOT_FOUND),
    "`at` too large": asking(f"/tables/{{table}}/view?at={2**53}"),
    "`at` of many digits": asking(f"/tables/{{table}}/view?at={MANY_DIGITS[:4000]}"),
    "`at` below zero": asking("/tables/{table}/view?at=-1"),
    "`at` that is text": asking("/tables/{table}/view?at=now"),
    "`at` before all": asking("/tables/{table}/view?at=0", *NOT_FOUND),
    "`as` another seat": asking("/tables/{table}/view?as=1"),
    "a parameter that is none": asking("/tables/{table}/view?seat=1"),
    "`after` too large": asking(f"/tables/{{table}}/events?after={2**53}"),
    "a limit of none": asking("/tables/{table}/events?limit=0"),
    "a limit too large": asking("/tables/{table}/events?limit=100000"),
    "a lobby's parameter that is none": asking("/tables?visibility=private"),
    "a status that is none": asking("/tables?status=private"),
    "a host that is none": asking("/tables?host=me"),
    "tables of a game that is none": asking("/tables?game=bridge"),
    "tables of a game with NUL": asking("/tables?game=%00"),
    "tables of a game that is no UTF-8": asking("/tables?game=%ff"),
    "tables of a game with a surrogate": asking("/tables?game=%ed%a0%80"),
    "standings of a game that is none": asking("/standings?game=bridge"),
    "standings of a game with NUL": asking("/standings?game=%00"),
    "a cursor that is none": asking("/tables?cursor=garbage"),
    "a cursor that is not ASCII": asking("/tables?cursor=%E2%82%AC"),
    "a cursor with NUL": asking("/tables?cursor=%00"),
    "a cursor of another form": asking(f"/tables?cursor={cursor(NOWHEN)}"),
    "a cursor of another list": asking(f"/me/turns?cursor={cursor(FAR)}"),
    "a cursor that is a list": asking(f"/me/turns?cursor={cursor([1])}"),
    "a cursor of 201": asking(f"/tables?cursor={'A' * 204}"),
    "standings of no game": asking("/standings"),
    "standings' cursor of another list": asking(
        f"/standings?game=hearts&cursor={cursor(FAR)}"
    ),
    "results of nobody": asking(f"/players/{AN_ID}/results", *NOT_FOUND),
    "standings of what is no id": asking("/players/me/standings", *NOT_FOUND),
    "a free seat that is neither": asking("/tables?has_free_seat=maybe"),
    "a wrong method": Hostile(
        "PATCH", "/v1/tables/{table}", {}, 405, "method-not-allowed"
    ),
    "a wrong method for a move": Hostile(
        "GET", "/v1/tables/{table}/commands", None, 405, "method-not-allowed"
    ),
}

STRANGE: Final[dict[str, str]] = {
    "an invite with NUL": "/v1/tables/{table}?invite=%00",
    "an invite that is no UTF-8": "/v1/tables/{table}?invite=%ff",
    "a cursor far away": f"/v1/tables?cursor={cursor(FAR)}",
    "a cursor beyond all seats": f"/v1/me/turns?cursor={cursor(TOO_FAR)}",
    "a cursor below all seats": f"/v1/me/turns?cursor={cursor(BELOW)}",
    "standings beyond all ratings": (
        f"/v1/standings?game=hearts&cursor={cursor(WORTHLESS)}"
    ),
    "no parameter at all": "/v1/tables?&&=&",
    "a game's name with NUL": "/v1/games/%00",
    "a problem's with NUL": "/v1/problems/%00",
    "the past of a list": "/v1/tables/{table}/events?after=9007199254740991",
}
"""What may be answered in one way or another, but never by failing."""


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_request_gets_its_problem_and_changes_nothing(
    name: str, seat_0: Four, http: httpx.AsyncClient
) -> None:
    """The problem document is the right one, and the table is as it was."""
    hostile = HOSTILE[name]
    before = await seat_0.head()
    answer = await send(http, seat_0, hostile)
    refused(answer, hostile.status, hostile.code)
    if hostile.status == 405:
        assert answer.headers["allow"]
    assert await seat_0.head() == before
    assert len(answer.content) < 10_000


@pytest.mark.parametrize("name", STRANGE)
async def test_a_strange_address_does_no_harm(
    name: str, seat_0: Four, http: httpx.AsyncClient
) -> None:
    """The server answers as it would any other, or refuses."""
    path = STRANGE[name].replace("{table}", seat_0.table)
    hostile = Hostile("GET", path, None, 0, "")
    answer = await send(http, seat_0, hostile)
    assert answer.status_code in {200, 400, 404}, answer.text


@pytest.fixture(scope="module")
async def seat_0(http: httpx.AsyncClient) -> Four:
    """Four people about to pass, whom no refused request disturbs."""
    people = [await Client.register(http, f"Guest {n}") for n in range(4)]
    return await four_of(people)


async def send(http: httpx.AsyncClient, four: Four, hostile: Hostile) -> httpx.Response:
    """Send it as seat 0, byte for byte."""
    body = hostile.body
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    headers: dict[str, str | bytes] = {
        "Authorization": f"Bearer {four.people[0].token}",
        **(JSON if body is not None else {}),
        **hostile.headers,
    }
    raw = {
        _bytes(name): _bytes(value) for name, value in headers.items() if value != ""
    }
    path = hostile.path.replace("{table}", four.table)
    return await http.request(hostile.method, path, content=body, headers=raw)


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1")


@pytest.mark.parametrize("key", ["ключ", "🂡" * 16, "k" * 64, "\xe9"])
async def test_a_key_is_any_text_of_up_to_64(
    key: str, guests: Guests, http: httpx.AsyncClient
) -> None:
    """Keys that are not ASCII work as others do."""
    [host] = await guests(1)
    headers = {
        b"Authorization": f"Bearer {host.token}".encode(),
        b"Idempotency-Key": key.encode(),
    }
    answers = [
        await http.post("/v1/tables", json=NAMED, headers=headers) for _ in range(2)
    ]
    assert [it.status_code for it in answers] == [201, 201]
    assert answers[0].content == answers[1].content


@pytest.mark.parametrize("what", ["start", "abandon", "rematch"])
async def test_a_key_of_65_is_refused_wherever_keys_are_taken(
    what: str, guests: Guests
) -> None:
    """Also where nothing else can be wrong with the request."""
    [host] = await guests(1)
    table = await host.open_table()
    if what == "rematch":
        await host.lead(table, "abandon")
    answer = await host.ask("POST", f"/tables/{table}/{what}", key="k" * 65)
    refused(answer, 400, "invalid-request")


async def test_a_body_where_none_is_wanted_is_refused(guests: Guests) -> None:
    """A field that would be ignored is told."""
    [host] = await guests(1)
    table = await host.open_table()
    answer = await host.ask("POST", f"/tables/{table}/abandon", {"reason": "bored"})
    refused(answer, 400, "invalid-request")
    assert (await host.get(f"/tables/{table}"))["table"]["status"] == "open"


async def test_the_field_that_is_wrong_is_named(guests: Guests) -> None:
    """`params.field` says where to look."""
    [host] = await guests(1)
    wrong: list[tuple[Json, str]] = [
        ({"title": 7}, "body.title"),
        ({"seats": [{}, {"bot": 1}, {}]}, "body.seats[1].bot"),
        ({"options": {"target": 0}}, "options.target"),
        ({"preset": "none"}, "preset"),
        ({"arrangement": {"first_dealer": 9}}, "arrangement.first_dealer"),
    ]
    for terms, field in wrong:
        answer = await host.ask("POST", "/tables", {"game": "hearts", **terms})
        assert answer.json()["params"]["field"] == field, answer.text


async def test_no_long_value_comes_back_in_a_refusal(guests: Guests) -> None:
    """A problem names the field, not the text that somebody put there."""
    [host] = await guests(1)
    long = "v" * 5000
    for body in (
        {"game": "hearts", "absence": long},
        {"game": long},
        {"game": "hearts", "options": {long: 1}},
        {"game": "hearts", "options": {"moon": long}},
        {long: 1},
    ):
        answer = await host.ask("POST", "/tables", body)
        assert answer.is_client_error
        assert len(answer.content) < 1000, answer.text


async def test_a_huge_body_ends_early(guests: Guests, http: httpx.AsyncClient) -> None:
    """Ten megabytes are refused as too large, and the server goes on."""
    [host] = await guests(1)
    headers = {"Authorization": f"Bearer {host.token}", **JSON}
    answer = await http.post("/v1/tables", content=b" " * 10**7, headers=headers)
    said = refused(answer, 413, "too-large")
    assert said["params"]["largest"] == 65_536
    assert (await host.get("/me"))["player"]["id"] == host.id
