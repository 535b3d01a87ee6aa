"""Who may what: the whole table, line by line, for each kind of caller."""

from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

import httpx
import pytest

from tests.e2e.client import (
    Client,
    Json,
    good,
    people_to_act,
    played_out,
    refused,
)
from tests.e2e.conftest import Guests

Who: TypeAlias = Literal[
    "stranger",
    "player",
    "occupant",
    "host",
    "admin",
    "invited",
    "named",
    "other",
    "seated host",
    "referee",
]

STANDARD: Final[tuple[Who, ...]] = ("stranger", "player", "occupant", "host", "admin")
"""The columns of the table; the others of `Who` are its footnotes."""

OK: Final = "200"
DONE: Final = "201"
WHO_ASKS: Final = "401 unauthenticated"
UNKNOWN: Final = "404 not-found"
NO: Final = "403 forbidden"


class Scene:
    """A table with all kinds of callers around it.

    The host stands, `occupant` has seat 0, `other` seat 1; where the terms say so, seat
    3 is kept for `named`.
    """

    def __init__(self, people: Mapping[Who, Client]) -> None:
        """Know the people; `set_up` makes the table."""
        self.people = people
        self.table = ""
        self.invite = ""

    async def set_up(self, line: "Line") -> None:
        """Make the table, and bring it to the stage where the line is asked."""
        host = self.people["host"]
        seats: list[Json] = [{}, {}, {}, {}]
        if line.reserved:
            seats[3] = {"player": self.people["named"].id}
        body = {"game": "hearts", "seats": seats, **line.terms}
        made = good(await host.ask("POST", "/tables", body), 201)
        self.table, self.invite = made["table"]["id"], made.get("invite", "")
        for seat, player in enumerate((self.people["occupant"], self.people["other"])):
            await player.sit(self.table, seat, **self.shown(player))
        if line.stage in {"full", "playing", "observed", "void"}:
            for seat in (2, 3):
                await self.seat(seat)
        if line.stage in {"playing", "observed"}:
            await people_to_act(self.people["admin"], self.table)
        if line.stage == "observed":
            await self.people["referee"].lead(self.table, "observe")
        if line.stage in {"over", "void"}:
            await self.people["admin"].lead(self.table, "abandon")

    async def seat(self, seat: int) -> None:
        """Have somebody in a seat: a bot, or the host where the line is about that."""
        path = f"/tables/{self.table}/seats/{seat}"
        seated = self.people.get("seated host")
        if seated and seat == 2:
            await seated.sit(self.table, seat)
        else:
            good(await self.people["admin"].ask("PUT", path, {"bot": "random"}))

    def shown(self, player: Client) -> dict[str, str]:
        """The invite, for those who have to show it."""
        hosts = {self.people["host"].id, self.people["admin"].id}
        return {"invite": self.invite} if self.invite and player.id not in hosts else {}


Action = Callable[[Scene, Client, dict[str, str | int]], Awaitable[httpx.Response]]
"""What the caller tries, with the query parameters that show an invite."""


class Line(NamedTuple):
    """A line of the table: what is tried, at which table, and what each is answered."""

    action: Action
    terms: Json
    stage: Literal["open", "full", "playing", "observed", "void", "over"]
    answers: Mapping[Who, str]
    reserved: bool = False


def columns(
    *answers: str, invited: str | None = None, named: str | None = None
) -> dict[Who, str]:
    """The answers to the five columns in order, and to those outside of them."""
    by_name: dict[Who, str] = dict(zip(STANDARD, answers, strict=True))
    if invited:
        by_name["invited"] = invited
    if named:
        by_name["named"] = named
    return by_name


def reading(what: str, *, shown: Literal["public", "open"] | None = None) -> Action:
    """Read something of the table, through whose eyes `shown` says."""
    more: dict[str, str | int] = {"as": shown} if shown else {}

    async def action(
        scene: Scene, caller: Client, params: dict[str, str | int]
    ) -> httpx.Response:
        path = f"/tables/{scene.table}{what}"
        return await caller.ask("GET", path, params=params | more)

    return action


async def streaming(
    scene: Scene, caller: Client, params: dict[str, str | int]
) -> httpx.Response:
    """Open the table's stream, and leave it when it has begun or was refused."""
    path = f"/tables/{scene.table}/stream"
    async with caller.stream(path, params) as answer:
        if not answer.is_success:
            await answer.aread()
        return answer


def asking(method: str, what: str, body: object = None) -> Action:
    """Ask for a change."""

    async def action(
        scene: Scene, caller: Client, params: dict[str, str | int]
    ) -> httpx.Response:
        path = f"/tables/{scene.table}{what}"
        return await caller.ask(method, path, body, params=params)

    return action


async def own_view(
    scene: Scene, caller: Client, params: dict[str, str | int]
) -> httpx.Response:
    """See a hand: what is forbidden here is that it is there."""
    path = f"/tables/{scene.table}/view"
    answer = await caller.ask("GET", path, params=params)
    view = good(answer)
    sees = (view["deal"]["hand"] is not None, view["decision"] is not None)
    events = await caller.events(scene.table)
    opened = any("opens" in event for event in events)
    assert sees == (opened, opened)
    return httpx.Response(200 if opened else 403)


async def move(
    scene: Scene, caller: Client, params: dict[str, str | int]
) -> httpx.Response:
    """Make a move that is legal for who has the seat."""
    view = await caller.view(scene.table)
    cards = ["2C", "3C", "4C"]
    if view["decision"]:
        cards = view["decision"]["choices"]["from"][:3]
    path = f"/tables/{scene.table}/commands"
    body = {"type": "pass", "cards": cards}
    return await caller.ask("POST", path, body, params=params)


START_BY_HAND: Final = {"autostart": False}
NO_SPECTATORS: Final = {"spectators": "none"}
PRIVATE: Final = {"visibility": "private"}
SIT: Final = asking("PUT", "/seats/2", {})
SIT_RESERVED: Final = asking("PUT", "/seats/3", {})
SEAT_BOT: Final = asking("PUT", "/seats/2", {"bot": "steady"})
REMOVE: Final = asking("DELETE", "/seats/1")
START: Final = asking("POST", "/start")
ABANDON: Final = asking("POST", "/abandon")
REMATCH: Final = asking("POST", "/rematch")
OBSERVE: Final = asking("POST", "/observe")
ENTROPY: Final = asking("PUT", "/seats/0/entropy", {"entropy": "ab" * 32})

EVERYBODY: Final = columns(OK, OK, OK, OK, OK)
NO_STRANGERS: Final = columns(NO, NO, OK, OK, OK)
ITS_OWN: Final = columns(UNKNOWN, UNKNOWN, OK, OK, OK, invited=OK)
HOSTS: Final = columns(WHO_ASKS, NO, NO, OK, OK)
HOSTS_IF_KNOWN: Final = columns(WHO_ASKS, UNKNOWN, NO, OK, OK, invited=NO)
BELONGING: Final = columns(WHO_ASKS, NO, OK, OK, OK)
TOO_EARLY: Final = "409 table-not-finished"
DEAL_ON: Final = "409 deal-not-over"
RESERVED: Final = "403 seat-reserved"
SEATED: Final = "409 already-seated"
STARTED: Final = "409 match-started"

READ: Final = {
    "read it": reading(""),
    "its public view": reading("/view", shown="public"),
    "its view": reading("/view"),
    "its events": reading("/events"),
    "its receipt": reading("/receipt"),
    "its stream": streaming,
}

LINES: Final[dict[str, Line]] = {
    **{
        f"public table: {name}": Line(action, {}, "playing", EVERYBODY)
        for name, action in READ.items()
    },
    **{
        f"public table without spectators: {name}": Line(
            action, NO_SPECTATORS, "playing", NO_STRANGERS
        )
        for name, action in READ.items()
    },
    **{
        f"private table: {name}": Line(action, PRIVATE, "playing", ITS_OWN)
        for name, action in READ.items()
    },
    "private table with a kept seat: read it": Line(
        reading(""), PRIVATE, "open", ITS_OWN | {"named": OK}, reserved=True
    ),
    "sit in a free seat": Line(SIT, {}, "open", columns(WHO_ASKS, OK, SEATED, OK, OK)),
    "sit in a free seat where nobody watches": Line(
        SIT, NO_SPECTATORS, "open", columns(WHO_ASKS, OK, SEATED, OK, OK)
    ),
    "sit in a free seat of a private table": Line(
        SIT, PRIVATE, "open", columns(WHO_ASKS, UNKNOWN, SEATED, OK, OK, invited=OK)
    ),
    "sit in a kept seat": Line(
        SIT_RESERVED,
        {},
        "open",
        columns(WHO_ASKS, RESERVED, RESERVED, OK, OK, named=OK),
        reserved=True,
    ),
    "sit in a kept seat of a private table": Line(
        SIT_RESERVED,
        PRIVATE,
        "open",
        columns(WHO_ASKS, UNKNOWN, RESERVED, OK, OK, invited=RESERVED, named=OK),
        reserved=True,
    ),
    "own view and decision": Line(own_view, {}, "playing", columns(NO, NO, OK, NO, NO)),
    "own view and decision of a seated host": Line(
        own_view, {}, "playing", {"host": OK, "occupant": OK, "admin": NO}
    ),
    "commands": Line(move, {}, "playing", columns(WHO_ASKS, NO, DONE, NO, NO)),
    "commands of a seated host": Line(
        move, {}, "playing", {"host": DONE, "occupant": DONE, "admin": NO}
    ),
    "give entropy for seat 0": Line(
        ENTROPY, {}, "open", columns(WHO_ASKS, NO, OK, NO, NO)
    ),
    "seat a bot": Line(SEAT_BOT, {}, "open", HOSTS),
    "seat a bot at a private table": Line(SEAT_BOT, PRIVATE, "open", HOSTS_IF_KNOWN),
    "remove an occupant": Line(REMOVE, {}, "open", HOSTS),
    "remove an occupant of a private table": Line(
        REMOVE, PRIVATE, "open", HOSTS_IF_KNOWN
    ),
    "leave one's own seat": Line(
        asking("DELETE", "/seats/0"), {}, "open", columns(WHO_ASKS, NO, OK, OK, OK)
    ),
    "remove an occupant during the match": Line(
        REMOVE, {}, "playing", columns(WHO_ASKS, NO, NO, STARTED, STARTED)
    ),
    "start early": Line(START, START_BY_HAND, "full", HOSTS),
    "start a private table": Line(
        START, START_BY_HAND | PRIVATE, "full", HOSTS_IF_KNOWN
    ),
    "observe": Line(
        OBSERVE, {}, "playing", columns(WHO_ASKS, NO, NO, NO, NO) | {"referee": OK}
    ),
    "observe a private table": Line(
        OBSERVE,
        PRIVATE,
        "playing",
        columns(WHO_ASKS, UNKNOWN, NO, NO, NO, invited=NO) | {"referee": OK},
    ),
    "observe a table that is over": Line(
        OBSERVE,
        {},
        "over",
        columns(WHO_ASKS, NO, NO, NO, NO) | {"referee": "409 table-finished"},
    ),
    "all cards, unobserved": Line(
        reading("/view", shown="open"),
        {},
        "playing",
        columns(WHO_ASKS, NO, NO, NO, NO) | {"referee": NO},
    ),
    "all cards of a private table, unobserved": Line(
        reading("/view", shown="open"),
        PRIVATE,
        "playing",
        columns(UNKNOWN, UNKNOWN, NO, NO, NO, invited=NO) | {"referee": NO},
    ),
    "all cards of a table that is observed": Line(
        reading("/view", shown="open"),
        {},
        "observed",
        columns(WHO_ASKS, NO, NO, NO, NO) | {"referee": OK},
    ),
    "all cards of a table that is over": Line(
        reading("/view", shown="open"), {}, "void", EVERYBODY | {"referee": OK}
    ),
    "all cards of one that is over without spectators": Line(
        reading("/view", shown="open"), NO_SPECTATORS, "void", NO_STRANGERS
    ),
    "rematch": Line(REMATCH, {}, "over", BELONGING),
    "rematch of a private table": Line(
        REMATCH, PRIVATE, "over", columns(WHO_ASKS, UNKNOWN, OK, OK, OK, invited=NO)
    ),
    "rematch before the end": Line(
        REMATCH, {}, "playing", columns(WHO_ASKS, NO, TOO_EARLY, TOO_EARLY, TOO_EARLY)
    ),
    "abandon": Line(ABANDON, {}, "playing", HOSTS),
    "abandon a rated table": Line(
        ABANDON, {"rated": True}, "playing", columns(WHO_ASKS, NO, NO, NO, OK)
    ),
    "abandon a private table": Line(ABANDON, PRIVATE, "playing", HOSTS_IF_KNOWN),
    "record of a finished table": Line(reading("/record"), {}, "over", EVERYBODY),
    "record of one without spectators": Line(
        reading("/record"), NO_SPECTATORS, "over", NO_STRANGERS
    ),
    "record of a private one": Line(reading("/record"), PRIVATE, "over", ITS_OWN),
    "proof of a deal that is over": Line(
        reading("/deals/1/proof"), {}, "void", EVERYBODY
    ),
    "proof of one without spectators": Line(
        reading("/deals/1/proof"), NO_SPECTATORS, "void", NO_STRANGERS
    ),
    "proof of a private one": Line(reading("/deals/1/proof"), PRIVATE, "void", ITS_OWN),
    "proof of a deal that is on": Line(
        reading("/deals/1/proof"), {}, "playing", columns(*[DEAL_ON] * 5)
    ),
    "proof of a deal that never was": Line(
        reading("/deals/2/proof"), {}, "playing", columns(*[UNKNOWN] * 5)
    ),
    "record before the end": Line(
        reading("/record"), {}, "playing", columns(*[TOO_EARLY] * 5)
    ),
    "verification of a finished table": Line(
        reading("/verification"), {}, "over", EVERYBODY
    ),
    "verification of one without spectators": Line(
        reading("/verification"), NO_SPECTATORS, "over", NO_STRANGERS
    ),
    "verification of a private one": Line(
        reading("/verification"), PRIVATE, "over", ITS_OWN
    ),
    "verification before the end": Line(
        reading("/verification"), {}, "playing", columns(*[TOO_EARLY] * 5)
    ),
}

CASES: Final = [
    pytest.param(name, who, id=f"{name}: {who}")
    for name, line in LINES.items()
    for who in line.answers
]


@pytest.fixture(scope="module")
async def people(
    http: httpx.AsyncClient, stranger: Client, admin: Client, referee: Client
) -> dict[Who, Client]:
    """One of each kind; what they are to a table depends on the table."""
    names: tuple[Who, ...] = ("player", "occupant", "host", "named", "other")
    made = {name: await Client.register(http, name) for name in names}
    made["invited"] = made["player"]
    return made | {"stranger": stranger, "admin": admin, "referee": referee}


@pytest.fixture(scope="module")
def untouched() -> dict[str, Scene]:
    """Scenes that nothing was done to yet, by what they are like."""
    return {}


@pytest.mark.parametrize(("name", "who"), CASES)
async def test_the_table_of_rights(
    name: str, who: Who, people: dict[Who, Client], untouched: dict[str, Scene]
) -> None:
    """Each caller gets each line's answer and no other; a refusal changes nothing."""
    line = LINES[name]
    around = dict(people)
    if "seated host" in name:
        around["seated host"] = around["host"]
    like = repr((line.terms, line.stage, line.reserved, "seated host" in around))
    if like not in untouched:
        untouched[like] = Scene(around)
        await untouched[like].set_up(line)
    scene = untouched[like]
    before = (await people["host"].get(f"/tables/{scene.table}"))["head"]
    params: dict[str, str | int] = {"invite": scene.invite} if who == "invited" else {}
    answer = await line.action(scene, around[who], params)
    status, _, code = line.answers[who].partition(" ")
    if code and answer.content:
        refused(answer, int(status), code)
    assert answer.status_code == int(status), answer.content
    after = (await people["host"].get(f"/tables/{scene.table}"))["head"]
    if after != before:
        assert answer.is_success
        del untouched[like]


async def test_an_invite_without_a_token_opens_nothing(
    people: dict[Who, Client],
) -> None:
    """A stranger does not learn of a private table, whatever he shows."""
    scene = Scene(people)
    await scene.set_up(Line(READ["read it"], PRIVATE, "open", {}))
    for what in ("", "/view", "/events"):
        path = f"/tables/{scene.table}{what}"
        answer = await people["stranger"].ask(
            "GET", path, params={"invite": scene.invite}
        )
        refused(answer, 404, "not-found")


async def test_a_wrong_invite_opens_nothing(people: dict[Who, Client]) -> None:
    """Another table's invite is no invite, in the address or in a body."""
    tables = []
    for _ in range(2):
        scene = Scene(people)
        await scene.set_up(Line(READ["read it"], PRIVATE, "open", {}))
        tables.append(scene)
    path, wrong = f"/tables/{tables[0].table}", tables[1].invite
    player = people["player"]
    refused(await player.ask("GET", path, params={"invite": wrong}), 404, "not-found")
    answer = await player.ask("PUT", f"{path}/seats/2", {"invite": wrong})
    refused(answer, 404, "not-found")


async def test_a_private_table_answers_like_one_that_is_not_there(
    people: dict[Who, Client],
) -> None:
    """Not a byte tells them apart, whatever an uninvited player asks."""
    scene = Scene(people)
    await scene.set_up(Line(READ["read it"], PRIVATE, "open", {}))
    nowhere = "00000000-0000-4000-8000-000000000000"
    bodies: list[object] = [{}, {"bot": "steady"}, {"bot": 7}, ["wrong"]]
    requests = [
        ("GET", "", None),
        ("GET", "/view?at=x", None),
        ("GET", "/events", None),
        ("GET", "/record", None),
        ("GET", "/verification", None),
        ("GET", "/receipt", None),
        ("GET", "/deals/1/proof", None),
        ("GET", "/deals/x/proof", None),
        ("POST", "/start", {"wrong": 1}),
        ("POST", "/abandon", None),
        ("POST", "/rematch", None),
        ("POST", "/observe", None),
        ("GET", "/view?as=open", None),
        ("POST", "/commands", {"type": "nothing"}),
        ("DELETE", "/seats/0", None),
        ("DELETE", "/seats/77", None),
        ("PUT", "/seats/0/entropy", {"entropy": "short"}),
        *(("PUT", "/seats/2", body) for body in bodies),
    ]
    for method, what, body in requests:
        there, not_there = [
            await people["player"].ask(method, f"/tables/{table}{what}", body)
            for table in (scene.table, nowhere)
        ]
        assert (there.status_code, there.content) == (
            not_there.status_code,
            not_there.content,
        ), (method, what, body)
        refused(there, 404, "not-found")


async def test_private_tables_are_in_no_list(people: dict[Who, Client]) -> None:
    """The lobby has public tables only, whoever asks."""
    scene = Scene(people)
    await scene.set_up(Line(READ["read it"], PRIVATE, "open", {}))
    for caller in (people["host"], people["admin"], people["stranger"]):
        listed = await caller.get("/tables", host=people["host"].id, limit=200)
        assert scene.table not in [item["id"] for item in listed["items"]]


async def test_private_matches_are_in_no_results(
    people: dict[Who, Client], guests: Guests
) -> None:
    """They leave no trace of who plays with whom, not even for themselves."""
    both = await guests(2)
    for terms in (PRIVATE, PRIVATE | {"rated": True}):
        table = await both[0].open_table(seats=3, options={"target": 1}, **terms)
        await both[0].ask("PUT", f"/tables/{table}/seats/2", {"bot": "random"})
        invite = (await both[0].get(f"/tables/{table}"))["invite"]
        await both[0].sit(table, 0)
        await both[1].sit(table, 1, invite=invite)
        view = await played_out(table, dict(enumerate(both)), Random(1))
        assert view["table"]["status"] == "finished"
    for caller in (*both, people["admin"], people["stranger"]):
        for player in both:
            for what in ("results", "standings"):
                listed = await caller.get(f"/players/{player.id}/{what}")
                assert listed == {"items": [], "next": None}


async def test_only_the_host_gets_the_invite(people: dict[Who, Client]) -> None:
    """Not even those who sit at the table can read it."""
    scene = Scene(people)
    await scene.set_up(Line(READ["read it"], PRIVATE, "open", {}))
    path = f"/tables/{scene.table}"
    assert (await people["host"].get(path))["invite"] == scene.invite
    for who in ("occupant", "admin"):
        assert "invite" not in await people[who].get(path)


async def test_a_seat_that_changed_hands_is_its_new_occupants(guests: Guests) -> None:
    """Who left before the start sees nothing of the hand; who came sees all of it."""
    host, leaving, coming = await guests(3)
    seats = [{}, {"bot": "random"}, {"bot": "random"}]
    table = await host.open_table(seats=seats, autostart=False)
    await leaving.sit(table, 0)
    good(await leaving.ask("DELETE", f"/tables/{table}/seats/0"))
    await coming.sit(table, 0)
    await host.lead(table, "start")
    assert (await leaving.view(table))["deal"]["hand"] is None
    assert not any("opens" in event for event in await leaving.events(table))
    assert (await coming.view(table))["deal"]["hand"] is not None
    refused(await leaving.send(table, {"type": "play", "card": "2C"}), 403, "forbidden")


async def test_who_leaves_during_the_match_keeps_the_seat(guests: Guests) -> None:
    """The seat stays with its player, who comes back to it; nobody else can sit."""
    host, player = await guests(2)
    table = await host.open_table(seats=[{}, {"bot": "random"}, {"bot": "random"}])
    await player.sit(table, 0)
    left = good(await player.ask("DELETE", f"/tables/{table}/seats/0"))
    assert left["table"]["seats"][0]["away"]
    assert left["table"]["seats"][0]["occupant"]["player"] == player.id
    answer = await host.ask("PUT", f"/tables/{table}/seats/0", {})
    refused(answer, 409, "match-started")
    back = await player.sit(table, 0)
    assert not back["table"]["seats"][0]["away"]
