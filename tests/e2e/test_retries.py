"""A request with a key is carried out once, however often it is sent."""

from typing import Any

from tests.e2e.client import Client, good, new_key, refused
from tests.e2e.conftest import Guests
from tests.e2e.four import HANDS, Four


async def test_a_repeated_command_gets_its_first_answer(four: Four) -> None:
    """The same key and body: the same bytes, however far the table has moved on."""
    key, player = new_key(), four.people[0]
    first = await player.send(four.table, four.pass_of(0), key=key)
    assert {"version", "head", "events"} <= good(first, 201).keys()
    for seat in (1, 2, 3):
        await four.people[seat].command(four.table, four.pass_of(seat))
    leader, decision = await four.leader()
    await leader.command(four.table, decision["legal"][0])
    head = await four.head()
    again = await player.send(four.table, four.pass_of(0), key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert await four.head() == head


async def test_a_key_with_another_body_is_refused(four: Four) -> None:
    """The same key and another body: 422, and nothing happens."""
    key, player = new_key(), four.people[0]
    await player.command(four.table, four.pass_of(0), key=key)
    head = await four.head()
    other = {"type": "pass", "cards": HANDS[0][3:6]}
    answer = await player.send(four.table, other, key=key)
    said = refused(answer, 422, "idempotency-key-reused")
    assert not said["retryable"]
    assert await four.head() == head


async def test_the_spelling_of_a_body_does_not_matter(four: Four) -> None:
    """A retry may order its fields anew: it says the same."""
    key, player = new_key(), four.people[0]
    first = await player.command(four.table, four.pass_of(0), key=key)
    turned = dict(reversed(four.pass_of(0).items()))
    assert await player.command(four.table, turned, key=key) == first


async def test_two_players_with_the_same_key_do_not_meet(four: Four) -> None:
    """Each gets a move of his own."""
    key = new_key()
    answers = [
        await player.command(four.table, four.pass_of(seat), key=key)
        for seat, player in enumerate(four.people[:2])
    ]
    seats = [it["events"][0]["data"]["seat"] for it in answers]
    assert seats == [0, 1]


async def test_a_key_may_be_used_again_at_another_table(guests: Guests) -> None:
    """A key belongs to its address."""
    [player] = await guests(1)
    key = new_key()
    tables = [await player.open_table() for _ in range(2)]
    for table in tables:
        taken = await player.sit(table, 0, key=key)
        assert taken["table"]["id"] == table


async def test_a_table_made_twice_with_a_key_is_one_table(guests: Guests) -> None:
    """The same answer again, invite and all, although it is full meanwhile."""
    host, *people = await guests(4)
    key = new_key()
    body = {"game": "hearts", "seats": 3, "visibility": "private", "title": "Friday"}
    first = await host.ask("POST", "/tables", body, key=key)
    made = good(first, 201)
    for seat, player in enumerate(people):
        await player.sit(made["table"]["id"], seat, invite=made["invite"])
    again = await host.ask("POST", "/tables", body, key=key)
    assert (again.status_code, again.content) == (201, first.content)
    other = await host.ask("POST", "/tables", body | {"seats": 5}, key=key)
    refused(other, 422, "idempotency-key-reused")
    titled = await host.ask("POST", "/tables", body | {"title": "Monday"}, key=key)
    refused(titled, 422, "idempotency-key-reused")
    table = (await host.get(f"/tables/{made['table']['id']}"))["table"]
    assert table["title"] == "Friday"


async def test_another_players_table_with_that_key_is_another(guests: Guests) -> None:
    """Two hosts with one key have two tables."""
    key = new_key()
    body = {"game": "hearts"}
    made = [
        good(await host.ask("POST", "/tables", body, key=key), 201)["table"]["id"]
        for host in await guests(2)
    ]
    assert made[0] != made[1]


async def test_every_keyed_request_is_harmless_twice(guests: Guests) -> None:
    """Sitting, entropy, bots, start, abandon, rematch: the first answer again."""
    host, player = await guests(2)
    table = await host.open_table(seats=3, autostart=False)
    path = f"/tables/{table}"
    requests: list[tuple[Client, str, str, Any]] = [
        (player, "PUT", f"{path}/seats/0", {}),
        (player, "PUT", f"{path}/seats/0/entropy", {"entropy": "ab" * 32}),
        (host, "PUT", f"{path}/seats/1", {"bot": "random"}),
        (host, "PUT", f"{path}/seats/2", {"bot": "random"}),
        (host, "POST", f"{path}/start", None),
        (host, "POST", f"{path}/abandon", None),
        (host, "POST", f"{path}/rematch", None),
    ]
    answers = []
    for caller, method, where, body in requests:
        key = new_key()
        first = await caller.ask(method, where, body, key=key)
        good(first)
        answers.append((caller, method, where, body, key, first))
    for caller, method, where, body, key, first in answers:
        again = await caller.ask(method, where, body, key=key)
        before = first.json() | {"table": first.json()["table"] | {"rematch": None}}
        after = again.json() | {"table": again.json()["table"] | {"rematch": None}}
        assert (again.status_code, after) == (200, before), where
