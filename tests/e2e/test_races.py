"""Many ask for the same at once: one gets it, and all are told the truth."""

import asyncio

from tests.e2e.client import Json, good, new_key, people_to_act, refused, seated
from tests.e2e.conftest import Guests
from tests.e2e.four import HANDS, Four


async def test_the_same_move_sent_at_once_is_one_move(four: Four) -> None:
    """Twenty requests with one key: one append, and twenty equal answers."""
    player, key = four.people[0], new_key()
    decision = await player.decision(four.table)
    move = four.pass_of(0) | {"decision": decision["id"]}
    answers = await asyncio.gather(
        *(player.send(four.table, move, key=key) for _ in range(20))
    )
    assert {(it.status_code, it.content) for it in answers} == {
        (201, answers[0].content)
    }
    passed = [
        it for it in await player.events(four.table) if it["type"] == "cards_passed"
    ]
    assert len(passed) == 1


async def test_different_answers_to_one_decision_are_one_answer(four: Four) -> None:
    """Twenty requests with keys of their own: one is accepted, the others are stale."""
    player = four.people[0]
    decision = await player.decision(four.table)
    move = {"type": "pass", "decision": decision["id"]}
    answers = await asyncio.gather(
        *(
            player.send(
                four.table, move | {"cards": HANDS[0][n % 10 :][:3]}, key=new_key()
            )
            for n in range(20)
        )
    )
    accepted = [it for it in answers if it.status_code == 201]
    assert len(accepted) == 1
    for answer in answers:
        if answer not in accepted:
            refused(answer, 409, "stale-decision")
    passed = [
        it for it in await player.events(four.table) if it["type"] == "cards_passed"
    ]
    assert passed == accepted[0].json()["events"][:1]


async def test_one_of_many_gets_the_seat(guests: Guests) -> None:
    """Ten players want one seat: one sits, nine are told that it is taken."""
    host, *people = await guests(11)
    table = await host.open_table()
    answers = await asyncio.gather(
        *(player.ask("PUT", f"/tables/{table}/seats/0", {}) for player in people)
    )
    good(next(it for it in answers if it.status_code == 200))
    rest = [it for it in answers if it.status_code != 200]
    assert len(rest) == 9
    for answer in rest:
        refused(answer, 409, "seat-taken")


async def test_one_player_gets_one_seat(guests: Guests) -> None:
    """A player who asks for all seats at once has one."""
    host, player = await guests(2)
    table = await host.open_table(seats=7)
    answers = await asyncio.gather(
        *(player.ask("PUT", f"/tables/{table}/seats/{n}", {}) for n in range(7))
    )
    assert sorted(it.status_code for it in answers) == [200, *[409] * 6]
    seats = (await host.get(f"/tables/{table}"))["table"]["seats"]
    assert sum(seat["occupant"] is not None for seat in seats) == 1


async def test_the_last_seats_taken_at_once_start_one_match(guests: Guests) -> None:
    """All sit at the same time: the match starts, once."""
    people = await guests(7)
    table = await people[0].open_table(seats=7)
    await asyncio.gather(*(player.sit(table, n) for n, player in enumerate(people)))
    events = await people[0].events(table)
    assert [it["type"] for it in events].count("match_started") == 1


async def test_a_table_asked_for_many_times_with_one_key_is_one(guests: Guests) -> None:
    """Ten requests at once, one table, ten equal answers."""
    [host] = await guests(1)
    key, body = new_key(), {"game": "hearts", "seats": [{"bot": "random"}, {}, {}]}
    answers = await asyncio.gather(
        *(host.ask("POST", "/tables", body, key=key) for _ in range(10))
    )
    assert {(it.status_code, it.content) for it in answers} == {
        (201, answers[0].content)
    }
    assert len((await host.get("/tables", host=host.id))["items"]) == 1


async def test_all_who_ask_get_the_same_rematch(guests: Guests) -> None:
    """Everybody at the table asks at once: one successor, with their seats kept."""
    people = await guests(3)
    table = await people[0].open_table(seats=3, title="Friday")
    await seated(table, people)
    await people[0].lead(table, "abandon")
    answers = await asyncio.gather(
        *(player.lead(table, "rematch") for player in people for _ in range(3))
    )
    [successor] = {it["table"]["id"] for it in answers}
    shown = answers[0]["table"]
    assert [seat["reserved"] for seat in shown["seats"]] == [it.id for it in people]
    assert (shown["rematch_of"], shown["title"]) == (table, "Friday")
    old = (await people[0].get(f"/tables/{table}"))["table"]
    assert old["rematch"] == successor


async def test_bots_move_after_the_answer(guests: Guests) -> None:
    """A command's answer has the caller's own append; the bots' follow in others."""
    [player] = await guests(1)
    bots: list[Json] = [{"bot": "steady"}] * 2
    table = await player.open_table(seats=[{}, *bots], options={"passing": []})
    await player.sit(table, 0)
    await people_to_act(player, table)
    decision = await player.decision(table)
    answer = await player.command(table, decision["legal"][0])
    assert {it["by"]["seat"] for it in answer["events"]} == {0}
    await people_to_act(player, table)
    following = await player.events(table, answer["version"])
    assert following
    assert all("bot" in it["by"] for it in following)
