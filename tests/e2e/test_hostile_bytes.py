"""What no proper client sends, byte for byte over a socket of its own.

Each gets its problem, or is refused by the HTTP server before it is a request; no table
changes; and whoever asks next is answered.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from gzip import compress
from typing import Final, NamedTuple

import asyncpg
import httpx
import pytest

from api.connections import ARRIVAL
from infra.embedded import address_of_running
from tests.e2e.client import PROBLEM, Client
from tests.e2e.four import HANDS, Four, four_of
from tests.e2e.running import Server, serving

PATIENCE: Final = 10.0
"""Seconds within which anything is answered or closed."""

PASS: Final = json.dumps({"type": "pass", "cards": HANDS[0][:3]}).encode()
UNPARSED: Final = "unparsed"
"""The HTTP server's own refusal: a 400 in plain text, and the connection ends."""

TOO_MUCH: Final = "too much"
"""The same for a head past its bounds: a 431 without a body."""

SILENT: Final = "silent"
"""The connection ends with no answer: the client went away first."""

HEADS: Final = "SELECT table_id, version, head FROM misere.stream ORDER BY table_id"


class Raw(NamedTuple):
    """What is written, part after part, `<table>` and `<token>` filled in.

    `outcome` is the code of the problem that comes back, or how else it ends.
    """

    outcome: str
    parts: tuple[bytes, ...]
    status: int = 400


def raw(method: bytes, target: bytes, *lines: bytes, body: bytes = b"") -> bytes:
    """A request of seat 0, the last on its connection."""
    head = [
        b"%s %s HTTP/1.1" % (method, target),
        b"Host: localhost",
        b"Authorization: Bearer <token>",
        b"Connection: close",
        *lines,
    ]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def move(body: bytes, *lines: bytes) -> bytes:
    """A move of seat 0 whose body has these bytes."""
    length = b"Content-Length: %d" % len(body)
    media = b"Content-Type: application/json"
    return raw(b"POST", MOVES, media, length, *lines, body=body)


def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    """A move of seat 0 in chunks, its length told nowhere."""
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return in_chunks(body + end)


def in_chunks(body: bytes) -> bytes:
    """A move of seat 0 with what should be chunks."""
    media = b"Content-Type: application/json"
    return raw(b"POST", MOVES, media, b"Transfer-Encoding: chunked", body=body)


def malformed(body: bytes) -> Raw:
    """A move that is no JSON."""
    return Raw("malformed-json", (move(body),))


def invalid(body: bytes) -> Raw:
    """A move that is JSON of another form."""
    return Raw("invalid-request", (move(body),))


def unparsed(*parts: bytes) -> Raw:
    """What is no request."""
    return Raw(UNPARSED, parts)


def too_much(*parts: bytes) -> Raw:
    """What has more before its body than a request may have."""
    return Raw(TOO_MUCH, parts, 431)


def missing(target: bytes) -> Raw:
    """An address that leads nowhere."""
    return Raw("not-found", (raw(b"GET", target),), 404)


def unknown(*lines: bytes) -> Raw:
    """A request with a caller who cannot be told."""
    return Raw("unauthenticated", (move(PASS, *lines),), 401)


def untaken(method: bytes, target: bytes = b"/v1/me") -> Raw:
    """A method that the address does not take."""
    return Raw("method-not-allowed", (raw(method, target),), 405)


MOVES: Final = b"/v1/tables/<table>/commands"
MEDIA: Final = "unsupported-media-type"
PIECE: Final = b" " * 8192
LENGTHY: Final = b"Content-Length: 1000"

HOSTILE: Final[dict[str, Raw]] = {
    "a byte order mark": malformed(b"\xef\xbb\xbf" + PASS),
    "a mark in UTF-16": malformed(b"\xff\xfe" + PASS.decode().encode("utf-16-le")),
    "a NUL at the end": malformed(PASS + b"\0"),
    "a NUL in a text": malformed(b'{"type":"pass\0"}'),
    "an escaped NUL": invalid(b'{"type":"pass\\u0000","cards":[]}'),
    "an overlong slash": malformed(b'{"type":"\xc0\xaf"}'),
    "a surrogate in UTF-8": malformed(b'{"type":"\xed\xa0\x80"}'),
    "half a character": malformed(b'{"type":"\xe2\x82"}'),
    "Infinity": malformed(b'{"type":-Infinity}'),
    "a comment": malformed(b'{"type":"pass"/**/}'),
    "a comma too many": malformed(b'{"type":"pass","cards":[],}'),
    "single quotes": malformed(b"{'type':'pass'}"),
    "a number past all floats": invalid(b'{"type":1e400}'),
    "a number below all floats": invalid(b'{"type":-1e400}'),
    "minus zero": invalid(b'{"type":-0}'),
    "2^53": invalid(b'{"type":"bid","chips":9007199254740992}'),
    "2^64": invalid(b'{"type":"bid","chips":18446744073709551616}'),
    "a bid past all floats": invalid(b'{"type":"bid","chips":1e400}'),
    "a bid of a fraction": invalid(b'{"type":"bid","chips":0.5}'),
    "a leading zero": malformed(b'{"type":"bid","chips":01}'),
    "a key repeated by an escape": malformed(
        b'{"type":"play","t\\u0079pe":"pass","cards":[]}'
    ),
    "a key repeated deep inside": malformed(b'{"type":"pass","cards":[{"a":1,"a":2}]}'),
    "many keys": invalid(
        b"{%s}" % b",".join(b'"k%d":0' % number for number in range(5000))
    ),
    "many cards": invalid(b'{"type":"pass","cards":["2C"%s]}' % (b',"2C"' * 9000)),
    "deep and never closed": malformed(b'{"a":[' * 9000),
    "nothing but commas": malformed(b"," * 60_000),
    "a gzipped body": Raw(
        "malformed-json", (move(compress(PASS), b"Content-Encoding: gzip"),)
    ),
    "a body where none is read, and a long one": Raw(
        "unauthenticated",
        (move(b" " * 60_000).replace(b"<token>", b"msr_none"),),
        401,
    ),
    "chunks past the limit": Raw("too-large", (chunked(*[PIECE] * 9),), 413),
    "chunks past the limit that never end": Raw(
        "too-large", (chunked(*[PIECE] * 9, end=b""),), 413
    ),
    "a body one byte past the limit": Raw(
        "too-large", (move(PASS.ljust(65_537)),), 413
    ),
    "chunks that are no JSON": Raw("malformed-json", (chunked(PASS, PASS),)),
    "a chunk of no size": unparsed(in_chunks(b"zz\r\n{}\r\n0\r\n\r\n")),
    "a chunk below zero": unparsed(in_chunks(b"-1\r\n{}\r\n0\r\n\r\n")),
    "a chunk of all sizes": unparsed(in_chunks(b"f" * 20 + b"\r\n{}\r\n0\r\n\r\n")),
    "a length and chunks": unparsed(move(b"0\r\n\r\n", b"Transfer-Encoding: chunked")),
    "two lengths": unparsed(move(PASS, b"Content-Length: 2")),
    "a length below zero": unparsed(raw(b"POST", MOVES, b"Content-Length: -1")),
    "a length that is none": unparsed(raw(b"POST", MOVES, b"Content-Length: ten")),
    "a body cut short": Raw(SILENT, (raw(b"POST", MOVES, LENGTHY) + PASS,)),
    "a chunk cut short": Raw(SILENT, (in_chunks(b"ff\r\n" + PASS),)),
    "a head cut short": Raw(SILENT, (move(PASS)[:60],)),
    "nothing at all": Raw(SILENT, (b"",)),
    "noise": unparsed(bytes(range(256)) + b"\r\n\r\n"),
    "TLS": unparsed(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    "HTTP/2": unparsed(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "HTTP/9.9": unparsed(move(PASS).replace(b"HTTP/1.1", b"HTTP/9.9")),
    "a version that is none": unparsed(move(PASS).replace(b"HTTP/1.1", b"HTTP")),
    "a method in lower case": unparsed(move(PASS).replace(b"POST", b"post")),
    "a method that is none": unparsed(move(PASS).replace(b"POST", b"CHEAT")),
    "bare line feeds": unparsed(move(PASS).replace(b"\r\n", b"\n")),
    "a header with NUL": unparsed(move(PASS, b"X-A: a\0b")),
    "a header without a name": unparsed(move(PASS, b": a")),
    "a header's name with a blank": unparsed(move(PASS, b"X-A : a")),
    "a folded header": unparsed(move(PASS, b"X-A: a", b" b")),
    "an address with NUL": unparsed(raw(b"GET", b"/v1/\0me")),
    "an address that is no ASCII": unparsed(raw(b"GET", b"/v1/\xc3\xa9")),
    "a very long path": too_much(raw(b"GET", b"/v1/" + b"a" * 100_000)),
    "a very long query": too_much(raw(b"GET", b"/v1/tables?game=" + b"a" * 100_000)),
    "many headers": too_much(raw(b"GET", b"/v1/me", *[b"X-A: b"] * 101)),
    "a long path": missing(b"/v1/" + b"a" * 30_000),
    "a path of many parts": missing(b"/v1" + b"/a" * 15_000),
    "a long query": Raw(
        "invalid-request", (raw(b"GET", b"/v1/tables?game=" + b"a" * 30_000),)
    ),
    "many parameters": Raw(
        "invalid-request",
        (raw(b"GET", b"/v1/tables?" + b"&".join(b"a%d=" % n for n in range(5000))),),
    ),
    "a parameter twice": Raw(
        "invalid-request", (raw(b"GET", b"/v1/tables?status=open&status=playing"),)
    ),
    "a parameter that is null": Raw(
        "invalid-request", (raw(b"GET", b"/v1/tables?status=null"),)
    ),
    "`at` in other digits": Raw(
        "invalid-request", (raw(b"GET", b"/v1/tables/<table>/view?at=%D9%A3"),)
    ),
    "a token that is another's and one's own": unknown(b"Authorization: Bearer msr_x"),
    "one's own token twice": unknown(b"Authorization: Bearer <token>"),
    "two keys": Raw(
        "invalid-request",
        (move(PASS, b"Idempotency-Key: a", b"Idempotency-Key: b"),),
    ),
    "a key twice": Raw(
        "invalid-request",
        (move(PASS, b"Idempotency-Key: a", b"Idempotency-Key: a"),),
    ),
    "a key of 10,000": Raw(
        "invalid-request", (move(PASS, b"Idempotency-Key: " + b"k" * 10_000),)
    ),
    "two media types": Raw(MEDIA, (move(PASS, b"Content-Type: text/plain"),), 415),
    "JSON of another kind": Raw(
        MEDIA,
        (move(PASS).replace(b"application/json", b"application/json-patch"),),
        415,
    ),
    "an expectation, then a body that is too large": Raw(
        "too-large",
        (
            raw(
                b"POST",
                MOVES,
                b"Content-Type: application/json",
                b"Expect: 100-continue",
                b"Content-Length: 70000",
            ),
            b" " * 70_000,
        ),
        413,
    ),
    "HEAD": untaken(b"HEAD"),
    "TRACE": untaken(b"TRACE"),
    "CONNECT": untaken(b"CONNECT"),
    "PATCH": untaken(b"PATCH", b"/v1/tables/<table>/seats/0"),
    "PROPFIND": untaken(b"PROPFIND"),
    "a method by another name": untaken(b"GET", MOVES),
    "OPTIONS for all": missing(b"*"),
    "a way up": missing(b"/v1/../../etc/passwd"),
    "a way up, encoded": missing(b"/docs/%2e%2e/package.json"),
    "a way up, encoded twice": missing(b"/docs/%252e%252e%252fpackage.json"),
    "a way up with its slashes encoded": missing(b"/docs/..%2f..%2fetc%2fpasswd"),
    "a way up with back slashes": missing(b"/docs/..%5c..%5cpackage.json"),
    "a file's name with NUL": missing(b"/docs/swagger-ui.css%00"),
    "a line's end in an address": missing(b"/v1/me%0d%0aX-A:%20b"),
    "a percent sign and nothing": missing(b"/v1/me%"),
    "a percent sign and no digits": missing(b"/v1/me%zz"),
    "parameters in the path": missing(b"/v1/me;admin=true"),
    "capitals": missing(b"/V1/ME"),
    "another's seat by a way up": missing(b"/v1/tables/<table>/seats/1/../0"),
}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this module's own, at which nobody else plays."""
    with serving(tmp_path_factory.mktemp("bytes") / "data") as server:
        yield server
        assert "request failed" not in server.output
        assert "Traceback" not in server.output


@pytest.fixture(scope="module")
async def calm(bare: Server) -> AsyncIterator[httpx.AsyncClient]:
    """Connections on which nothing hostile is sent."""
    async with httpx.AsyncClient(base_url=bare.address, timeout=30) as http:
        yield http


@pytest.fixture(scope="module")
async def seat_0(calm: httpx.AsyncClient) -> Four:
    """Four people about to pass; other tables are open, private, and over."""
    people = [await Client.register(calm, f"Guest {n}") for n in range(4)]
    await people[0].open_table()
    await people[1].open_table(visibility="private")
    await people[1].lead(await people[1].open_table(), "abandon")
    return await four_of(people)


@pytest.fixture(scope="module")
async def log(bare: Server) -> AsyncIterator[asyncpg.Connection]:
    """A look past the server at its database."""
    address = address_of_running(bare.folder)
    assert address is not None
    connection = await asyncpg.connect(address)
    yield connection
    await connection.close()


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_bytes_are_refused_and_change_nothing(
    name: str, bare: Server, seat_0: Four, log: asyncpg.Connection
) -> None:
    """The refusal is the right one, all tables stay as they are, and calls go on."""
    hostile = HOSTILE[name]
    before = await log.fetch(HEADS)
    parts = [filled(part, seat_0) for part in hostile.parts]
    answer = await exchange(bare, *parts, goes_away=hostile.outcome == SILENT)
    check(answer, hostile)
    assert (await seat_0.people[0].get("/me"))["player"]["id"] == seat_0.people[0].id
    assert await log.fetch(HEADS) == before
    assert len(before) == 4


@pytest.mark.parametrize(
    "flood",
    [
        raw(b"GET", b"/v1/me", *[b"X-A: b"] * 50_000),
        raw(b"GET", b"/v1/me", b"X-A: " + b"v" * 1_000_000),
        raw(b"GET", b"/v1/me", b"X-A: " + b"v" * 1_000_000)[:-4],
    ],
    ids=["many headers", "a huge one", "one without end"],
)
async def test_a_flood_in_a_head_is_cut_off(
    flood: bytes, bare: Server, seat_0: Four
) -> None:
    """It is refused before it is read to the end; others are answered."""
    with suppress(ConnectionError):  # who sends on may miss the refusal
        assert await exchange(bare, filled(flood, seat_0)) == [(431, "", b"")]
    await seat_0.people[0].get("/me")


async def test_a_refusal_does_not_fall_into_an_answer(
    bare: Server, seat_0: Four
) -> None:
    """Whoever follows a table and sends too much meanwhile is hung up on, no more."""
    follow = filled(raw(b"GET", b"/v1/tables/<table>/stream"), seat_0)
    flood = b"GET / HTTP/1.1\r\nX-A: " + b"v" * 1_000_000
    reader, writer = await connect(bare)
    writer.write(follow.replace(b"close", b"keep-alive"))
    async with asyncio.timeout(PATIENCE):
        read = await reader.readuntil(b"caught_up")
        writer.write(flood)
        with suppress(ConnectionError):
            read += await reader.read()
    writer.close()
    assert read.count(b"HTTP/1.1") == 1


async def test_a_hundred_headers_are_borne(bare: Server, seat_0: Four) -> None:
    """What is within bounds is answered."""
    lines = [b"X-%d: %s" % (number, b"v" * 500) for number in range(97)]
    request = filled(raw(b"GET", b"/v1/me", *lines), seat_0)
    assert (await exchange(bare, request))[0][0] == 200


@pytest.mark.parametrize("trailer", [b"X-A: b\r\n", b"X-A: " + b"v" * 100])
async def test_what_follows_a_body_without_end_is_cut_off(
    trailer: bytes, bare: Server, seat_0: Four
) -> None:
    """Nobody is let go on for ever with trailers, many or a huge one."""
    reader, writer = await connect(bare)
    writer.write(filled(in_chunks(b"2\r\n{}\r\n0\r\n"), seat_0))
    with suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            while not reader.at_eof():
                writer.write(trailer * 1000 if trailer.endswith(b"\n") else trailer)
                await writer.drain()
                await asyncio.sleep(0)
    writer.close()
    await seat_0.people[0].get("/me")


@pytest.mark.slow
async def test_what_does_not_arrive_is_given_up(bare: Server, seat_0: Four) -> None:
    """Whoever begins a request has a while to end it, in its head and in its body."""
    head = filled(raw(b"POST", MOVES, LENGTHY), seat_0)
    stalled = (b"", head[:40], head + b"{")

    async def seen(start: bytes) -> bytes:
        reader, writer = await connect(bare)
        writer.write(start)
        async with asyncio.timeout(2 * ARRIVAL):
            answer = await reader.read()
        writer.close()
        return answer.partition(b"\r\n")[0]

    late = b"HTTP/1.1 408 Request Timeout"
    assert await asyncio.gather(*map(seen, stalled)) == [b"", late, late]


@pytest.mark.slow
async def test_a_stream_outlives_what_a_request_may_take(
    bare: Server, seat_0: Four
) -> None:
    """Only what arrives is waited for so long, not what is sent."""
    reader, writer = await connect(bare)
    path = b"/v1/tables/<table>/stream"
    writer.write(filled(raw(b"GET", path), seat_0))
    with suppress(TimeoutError):
        async with asyncio.timeout(1.5 * ARRIVAL):
            while await reader.readline():
                pass
    assert not reader.at_eof()
    writer.close()


async def test_requests_in_one_go_are_answered_in_order(
    bare: Server, seat_0: Four
) -> None:
    """Each gets its own answer, also when the next one was there before it."""
    last = filled(raw(b"GET", b"/v1/me"), seat_0)
    first = last.replace(b"close", b"keep-alive")
    second = first.replace(b"/v1/me", b"/v1/none")
    answers = await exchange(bare, first + second + last)
    assert [status for status, _, _ in answers] == [200, 404, 200]
    assert answers[0] == answers[2]


async def test_garbage_after_a_request_ends_the_connection(
    bare: Server, seat_0: Four
) -> None:
    """What was asked before may be answered or not; nothing is made of the rest."""
    first = filled(raw(b"GET", b"/v1/me"), seat_0).replace(b"close", b"keep-alive")
    answers = await exchange(bare, first + b"\0garbage\r\n\r\n")
    *_, (status, _, body) = answers
    assert (status, body) == (400, b"Invalid HTTP request received.")


async def test_a_request_hidden_in_a_body_is_not_carried_out(
    bare: Server, seat_0: Four, log: asyncpg.Connection
) -> None:
    """What a body holds is never taken for the next request."""
    before = await log.fetch(HEADS)
    hidden = move(PASS)
    outer = [
        move(hidden),
        in_chunks(b"%x\r\n%s\r\n0\r\n\r\n" % (len(hidden), hidden)),
        raw(b"GET", b"/v1/me", b"Content-Length: %d" % len(hidden), body=hidden),
        move(b"0\r\n\r\n" + hidden, b"Transfer-Encoding: chunked"),
        move(b"", b"Content-Length: 0", b"Content-Length: 500") + hidden,
    ]
    for request in outer:
        answers = await exchange(bare, filled(request, seat_0))
        assert len(answers) == 1
    assert await log.fetch(HEADS) == before


async def test_a_slow_body_holds_nobody_up(bare: Server, seat_0: Four) -> None:
    """While bodies dribble in on many connections, others are answered."""
    before = await seat_0.head()
    writers = []
    for _ in range(50):
        _, writer = await connect(bare)
        writer.write(filled(raw(b"POST", MOVES, LENGTHY) + b"{", seat_0))
        writers.append(writer)
    async with asyncio.timeout(PATIENCE):
        await seat_0.people[1].view(seat_0.table)
    for writer in writers:
        writer.close()
    assert await seat_0.head() == before


async def test_a_body_in_single_bytes_is_read_like_any_other(
    bare: Server, seat_0: Four
) -> None:
    """How the bytes of a request arrive changes nothing."""
    request = filled(move(b'{"type":"pass","cards":[]}'), seat_0)
    bits = [request[at : at + 1] for at in range(len(request))]
    whole = await exchange(bare, request)
    assert await exchange(bare, *bits) == whole
    assert whole[0][0] == 422


async def test_what_is_expected_is_told(bare: Server, seat_0: Four) -> None:
    """A client that waits for `100 Continue` gets it, and then its answer."""
    body = b'{"name":"Ada"}'
    head = raw(
        b"POST",
        b"/v1/players",
        b"Content-Type: application/json",
        b"Expect: 100-continue",
        b"Content-Length: %d" % len(body),
    )
    reader, writer = await connect(bare)
    async with asyncio.timeout(PATIENCE):
        writer.write(filled(head, seat_0))
        assert await reader.readline() == b"HTTP/1.1 100 Continue\r\n"
        writer.write(body)
        assert b"HTTP/1.1 201 Created\r\n" in await reader.read()
    writer.close()


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/me", {"GET", "DELETE", "OPTIONS"}),
        ("/v1/tables", {"GET", "POST", "OPTIONS"}),
        ("/v1/tables/x/seats/0", {"PUT", "DELETE", "OPTIONS"}),
        ("/v1/tables/x/commands", {"POST", "OPTIONS"}),
    ],
)
async def test_options_tells_the_methods(
    path: str, methods: set[str], calm: httpx.AsyncClient
) -> None:
    """`Allow` names all that the address takes, as it does on a 405."""
    for method in ("OPTIONS", "PATCH"):
        answer = await calm.request(method, path)
        assert set(answer.headers["allow"].split(", ")) == methods


@pytest.mark.parametrize("path", ["/v1/me/", "/v1//me", "/v1/%6de", "/v1%2Fme"])
async def test_another_spelling_of_an_address_grants_nothing(
    path: str, bare: Server, seat_0: Four
) -> None:
    """It is the same address, with the same need of a token."""
    request = raw(b"GET", path.encode())
    known = await exchange(bare, filled(request, seat_0))
    assert known[0][0] in {200, 404}
    stranger = request.replace(b"Authorization: Bearer <token>\r\n", b"")
    assert (await exchange(bare, stranger))[0][0] in {401, 404}


Parsed = tuple[int, str, bytes]
"""The status, media type and body of an answer."""


async def connect(server: Server) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the server."""
    url = httpx.URL(server.address)
    return await asyncio.open_connection(url.host, url.port)


async def exchange(
    server: Server, *parts: bytes, goes_away: bool = False
) -> list[Parsed]:
    """Write the parts on a new connection; all that comes back until it ends."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await connect(server)
        try:
            for part in parts:
                writer.write(part)
                await asyncio.sleep(0)
            if goes_away:
                writer.write_eof()
            return parsed(await reader.read())
        finally:
            writer.close()


def parsed(data: bytes) -> list[Parsed]:
    """The answers that follow one another in what was read."""
    answers = []
    while data:
        head, _, data = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        status = int(first.split()[1])
        if status == 100:
            continue
        length = int(headers.get("content-length", 0))
        answers.append((status, headers.get("content-type", ""), data[:length]))
        data = data[length:]
    return answers


def check(answers: list[Parsed], hostile: Raw) -> None:
    """See that it ended as it should."""
    if hostile.outcome == SILENT:
        assert answers == []
        return
    [(status, media, body)] = answers
    if hostile.outcome == UNPARSED:
        assert (status, body) == (400, b"Invalid HTTP request received.")
        return
    if hostile.outcome == TOO_MUCH:
        assert (status, body) == (431, b"")
        return
    assert (status, media) == (hostile.status, PROBLEM), body
    assert len(body) < 2000
    if body:  # HEAD has none
        assert json.loads(body)["code"] == hostile.outcome


def filled(part: bytes, four: Four) -> bytes:
    """A part with the table and seat 0's token in it."""
    token = (four.people[0].token or "").encode()
    return part.replace(b"<table>", four.table.encode()).replace(b"<token>", token)
