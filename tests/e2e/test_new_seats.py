"""Players who draw for new seats take everything with them that is theirs.

A match of five rubbers, each of a single deal: after the fourth, seats are drawn. They
were kept for their players, and one of these has left before the draw.
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final, NamedTuple

import httpx
import pytest

from tests.e2e.client import Client, Json, new_key, refused, seated
from tests.e2e.examples import of_type
from tests.e2e.reading import events, until
from tests.tetka_positions import FOUR_SUITS

HANDS: Final = [hand.split() for hand in FOUR_SUITS]
"""Every deal is this one: who leads has the only cards of the suit."""

FIRST_DEALER: Final = 3
SCORES: Final = [3, 2, 1, 0]
TERMS: Final = {
    "game": "tetka",
    "options": {"rubber_points": 1, "rubbers": 5},
    "arrangement": {
        "first_dealer": FIRST_DEALER,
        "scores": SCORES,
        "deals": [{"hands": HANDS, "photograph": "2C"}] * 5,
    },
}


class Drawn(NamedTuple):
    """A table whose players have just drawn: `seats` says where each of them sits now.

    `player` made the last move before it, with that key and that answer; `version` was
    the one before it.
    """

    table: str
    people: list[Client]
    seats: list[int]
    version: int
    player: Client
    move: Json
    key: str
    answer: Json

    def at(self, seat: int) -> Client:
        """Who sits there now."""
        return self.people[self.seats.index(seat)]


async def play_deal(
    table: str, sitting: Sequence[Client], number: int, *, but: int = 0
) -> None:
    """Play a deal, but for so many cards of it."""
    plays = [
        ((FIRST_DEALER + number + place) % 4, trick)
        for trick in range(13)
        for place in range(4)
    ]
    for seat, trick in plays[: 52 - but]:
        move = {"type": "play", "card": HANDS[seat][trick]}
        await sitting[seat].command(table, move)


@pytest.fixture(scope="module")
async def drawn(http: httpx.AsyncClient) -> Drawn:
    """The table, after a draw that gave the player who has left another seat."""
    while True:
        people = [await Client.register(http, f"Guest {n}") for n in range(4)]
        kept = [{"player": player.id} for player in people]
        table = await people[0].open_table(**TERMS, seats=kept)
        await seated(table, people)
        for number in (1, 2, 3):
            await play_deal(table, people, number)
        await play_deal(table, people, 4, but=1)
        await people[0].ask("DELETE", f"/tables/{table}/seats/0")
        before = (await people[0].view(table))["version"]
        move, key = {"type": "play", "card": HANDS[2][-1]}, new_key()
        answer = await people[2].command(table, move, key=key)
        [draw] = of_type(answer["events"], "seats_drawn")
        if draw["seats"][0] != 0:
            seats = draw["seats"]
            return Drawn(table, people, seats, before, people[2], move, key, answer)


async def test_the_table_shows_them_at_their_new_seats(drawn: Drawn) -> None:
    """Who is away too, wherever the table is looked at."""
    host = drawn.people[0]
    alone = (await host.get(f"/tables/{drawn.table}"))["table"]
    [listed] = (await host.get("/tables", host=host.id))["items"]
    for shown in (alone, listed):
        sitting = [seat["occupant"]["player"] for seat in shown["seats"]]
        assert sitting == [drawn.at(seat).id for seat in range(4)]
        away = [seat["seat"] for seat in shown["seats"] if seat["away"]]
        assert away == [drawn.seats[0]]
        assert {seat["reserved"] for seat in shown["seats"]} == {None}


async def test_each_sees_the_hand_of_the_new_seat(drawn: Drawn) -> None:
    """And is told of that one, and of no other, by the log; marks have come along."""
    after = [score + 7 for score in SCORES]
    for player, seat, marks in zip(drawn.people, drawn.seats, after, strict=True):
        view = await player.view(drawn.table)
        assert view["viewer"] == {"seat": seat}
        assert view["deal"]["hand"] == HANDS[seat]
        assert view["scores"] == [0, 0, 0, 0]
        events = await player.events(drawn.table, drawn.version)
        opened = [event["data"]["seat"] for event in events if event.get("opens")]
        assert opened == [seat]
        assert view["deal"]["game"]["totals"][seat] == marks


async def test_the_past_is_seen_from_the_seat_of_the_time(drawn: Drawn) -> None:
    """Before the draw a player had another seat, and its hand."""
    for seat, player in enumerate(drawn.people):
        view = await player.view(drawn.table, at=drawn.version)
        assert view["viewer"] == {"seat": seat}
        assert view["deal"]["hand"] == (HANDS[2][-1:] if seat == 2 else [])
        sitting = [it["occupant"]["player"] for it in view["table"]["seats"]]
        assert sitting[seat] == player.id


async def test_the_turn_is_that_of_who_sits_there_now(drawn: Drawn) -> None:
    """Nobody else has a decision or may act."""
    for player, seat in zip(drawn.people, drawn.seats, strict=True):
        turns = (await player.get("/me/turns"))["items"]
        waiting = [(it["table"], it["decision"]["seat"]) for it in turns]
        assert waiting == ([(drawn.table, 0)] if seat == 0 else [])
        if seat != 0:
            move = {"type": "play", "card": HANDS[seat][0]}
            refused(await player.send(drawn.table, move), 409, "not-your-turn")


async def test_the_move_before_the_draw_is_not_made_again(drawn: Drawn) -> None:
    """Its answer is the same, new hand and all, though its player sits elsewhere."""
    again = await drawn.player.command(drawn.table, drawn.move, key=drawn.key)
    assert again == drawn.answer


async def test_who_had_left_comes_back_to_the_new_seat(drawn: Drawn) -> None:
    """Not to the old one; that the new one was kept for another is long past."""
    left, seat = drawn.people[0], drawn.seats[0]
    path = f"/tables/{drawn.table}/seats"
    refused(await left.ask("PUT", f"{path}/0", {}), 409, "match-started")
    table = (await left.sit(drawn.table, seat))["table"]
    assert not any(it["away"] for it in table["seats"])


async def test_the_match_is_played_out_from_the_new_seats(drawn: Drawn) -> None:
    """Who sits in seat 0 now takes all marks of the last deal."""
    sitting = [drawn.at(seat) for seat in range(4)]
    await play_deal(drawn.table, sitting, 5)
    marks = [score + 7 for score in SCORES]
    marks[drawn.seats.index(0)] += 7
    result = (await drawn.people[0].view(drawn.table))["result"]
    nets = [sum(marks) - 4 * mine for mine in marks]
    assert [result["settlement"][seat] for seat in drawn.seats] == nets
    best = [drawn.seats[at] for at, net in enumerate(nets) if net == max(nets)]
    assert result["winners"] == best
    assert result["scores"] == [7, 0, 0, 0]


async def test_streams_go_on_at_the_new_seats(http: httpx.AsyncClient) -> None:
    """Followed live through the draw, each is opened what the log opens to them."""
    people = [await Client.register(http, f"Guest {n}") for n in range(4)]
    table = await people[0].open_table(**TERMS)
    await seated(table, people)
    for number in (1, 2, 3):
        await play_deal(table, people, number)
    await play_deal(table, people, 4, but=1)
    began = (await people[0].view(table))["version"]
    async with AsyncExitStack() as stack:
        live = []
        for player in people:
            reading = player.frames(f"/tables/{table}/stream")
            frames = await stack.enter_async_context(reading)
            await until(frames, "caught_up")
            live.append(frames)
        move = {"type": "play", "card": HANDS[2][-1]}
        answer = await people[2].command(table, move)
        [draw] = of_type(answer["events"], "seats_drawn")
        for player, seat, frames in zip(people, draw["seats"], live, strict=True):
            listed = await player.events(table, began)
            told: list[Json] = []
            while len(told) < len(listed):
                told += events([await anext(frames)])
            assert told == listed
            opened = [event["data"]["seat"] for event in told if event.get("opens")]
            assert opened == [seat]
            if seat == 0:
                [decision] = await until(frames, "decision")
                assert decision["data"]["seat"] == seat
