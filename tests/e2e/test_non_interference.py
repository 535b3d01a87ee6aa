"""What others hold makes no difference to what a seat is told.

Two tables are arranged alike but for hidden cards: the other seats' hands, and one of
the passes that do not concern seat 0. The same cards are played at both, all of them
legal at both. Then each answer that seat 0 or a spectator gets at one table, refusals
included, is that of the other byte for byte, but for ids, times, hashes, salts and
seals.
"""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

import httpx

from tests.e2e.client import Client, Json, chosen, seated
from tests.e2e.conftest import Guests
from tests.e2e.four import HANDS

PLAYS: Final = 22
"""Five tricks and a half: every seat keeps cards that nobody saw."""

PLACEHOLDERS: Final[Mapping[str, re.Pattern[bytes]]] = {
    "id": re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    "time": re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"),
    "hash": re.compile(rb"[0-9a-f]{64}"),
}
VARYING: Final = {"date", "x-request-id"}

LOOKS: Final = (
    "",
    "/view",
    "/view?as=public",
    "/view?as=open",
    "/view?at=9",
    "/events?limit=1000",
    "/events?after=8&limit=3",
    "/record",
    "/verification",
    "/receipt",
    "/deals/1/proof",
)
STRANGE: Final = ("3C", "6D", "QS", "AS", "JK")
"""Cards that seat 0 never has: it can play none, whoever holds them."""


class Around(NamedTuple):
    """Those who look on."""

    stranger: Client
    admin: Client
    referee: Client


class Course(NamedTuple):
    """A deal as it went: each move in order, and what was told after each."""

    moves: list[tuple[int, Json]]
    told: list[list[bytes]]
    hands: list[list[str]]


async def test_nothing_that_a_seat_is_told_depends_on_hidden_cards(
    guests: Guests, http: httpx.AsyncClient, admin: Client, referee: Client
) -> None:
    """Views, events, decisions, turns and refusals are the same at both tables.

    A referee who looks at all cards makes no difference to that, nor does it help an
    administrator who is none.
    """
    around = Around(Client(http), admin, referee)
    first = await play(await guests(4), around, HANDS, None)
    hands, moves = varied(HANDS, first.moves)
    second = await play(await guests(4), around, hands, moves)
    assert len(first.told) == len(second.told) > PLAYS
    for number, (one, other) in enumerate(zip(first.told, second.told, strict=True)):
        for said, also in zip(one, other, strict=True):
            assert said == also, f"after {number} moves"
    held = zip(first.hands, second.hands, strict=True)
    assert [one == other for one, other in held] == [True, False, False, False]


async def play(
    people: list[Client],
    around: Around,
    hands: Sequence[Sequence[str]],
    moves: list[tuple[int, Json]] | None,
) -> Course:
    """Play a deal from these hands, by these moves or any, and note what is told."""
    arrangement = {"first_dealer": 3, "deals": [{"hands": hands}]}
    table = await people[0].open_table(arrangement=arrangement)
    await seated(table, people)
    await around.referee.lead(table, "observe")
    course = Course([], [await told(people[0], around, table)], [])
    for number in range(4 + PLAYS):
        if moves is None:
            seat = (await people[0].view(table))["to_act"][0]
            move = chosen(await people[seat].decision(table), Random(number))
        else:
            seat, move = moves[number]
        made = await people[seat].send(table, move)
        assert made.is_success, made.text
        course.moves.append((seat, move))
        own = [plain(made)] if seat == 0 else []
        course.told.append([*own, *await told(people[0], around, table)])
    for player in people:
        course.hands.append((await player.view(table))["deal"]["hand"])
    return course


async def told(seat_0: Client, around: Around, table: str) -> list[bytes]:
    """What seat 0 and spectators are told, whether they may ask for it or not."""
    stranger = around.stranger
    watching = (seat_0, stranger, around.admin)
    answers = [
        await caller.ask("GET", f"/tables/{table}{look}")
        for caller in watching
        for look in LOOKS
    ]
    answers += [await streamed(caller, table) for caller in watching]
    answers.append(await seat_0.ask("GET", "/me/turns"))
    for what in ("results", "standings"):
        answers.append(await stranger.ask("GET", f"/players/{seat_0.id}/{what}"))
    view = await seat_0.view(table)
    decision = view["decision"] or {"kind": None, "legal": []}
    legal = {move["card"] for move in decision["legal"]}
    own = view["deal"]["hand"] if decision["kind"] == "play" else []
    cards = [*STRANGE, *(card for card in own if card not in legal)]
    refused = [
        *({"type": "play", "card": card} for card in cards),
        {"type": "play", "card": view["deal"]["hand"][0], "decision": "1.0"},
        {"type": "pass", "cards": HANDS[1][:3]},
        {"type": "pass", "cards": HANDS[2][:2]},
    ]
    for move in refused:
        answer = await seat_0.send(table, move)
        assert answer.is_client_error
        answers.append(answer)
    return [plain(answer) for answer in answers]


async def streamed(caller: Client, table: str) -> httpx.Response:
    """All that the table's stream says of it until now."""
    text = b""
    path = f"/tables/{table}/stream"
    async with caller.stream(path, {"after": 0}) as answer:
        async for part in answer.aiter_bytes():
            text += part
            if b'"frame":"caught_up"' in text and text.endswith(b"\n"):
                break
    return httpx.Response(answer.status_code, headers=answer.headers, content=text)


def varied(
    hands: Sequence[Sequence[str]], moves: list[tuple[int, Json]]
) -> tuple[list[list[str]], list[tuple[int, Json]]]:
    """Other hands for seats 1 to 3, and a pass, with which the same plays are legal.

    Cards that nobody has shown change places with others of their suit, so that every
    seat has as many of each suit as before.
    """
    shown = {move["card"] for _, move in moves if move["type"] == "play"}
    passed = {card for _, move in moves[:4] for card in move["cards"]}
    free = [[it for it in hand if it not in shown | passed] for hand in hands]
    new = [list(hand) for hand in hands]
    for one, other in ((1, 2), (2, 3), (3, 1)):
        mine, theirs = same_suit(free[one], free[other])
        free[one].remove(mine)
        free[other].remove(theirs)
        new[one][new[one].index(mine)] = theirs
        new[other][new[other].index(theirs)] = mine
    place = next(number for number, (seat, _) in enumerate(moves) if seat == 1)
    cards = list(moves[place][1]["cards"])
    given, kept = same_suit([it for it in cards if it not in shown], free[1])
    cards[cards.index(given)] = kept
    changed = list(moves)
    changed[place] = (1, {**moves[place][1], "cards": cards})
    return new, changed


def same_suit(some: Sequence[str], others: Sequence[str]) -> tuple[str, str]:
    """The first card of each that are of one suit."""
    return next((one, it) for one in some for it in others if one[1] == it[1])


def plain(answer: httpx.Response) -> bytes:
    """An answer, its headers included, with placeholders for what is never the same."""
    headers = [
        f"{name}: {value}"
        for name, value in answer.headers.items()
        if name not in VARYING
    ]
    head = "\n".join([str(answer.status_code), *headers])
    text = f"{head}\n\n".encode() + answer.content
    for name, pattern in PLACEHOLDERS.items():
        text = pattern.sub(f"<{name}>".encode(), text)
    return text
