"""Lists come in pages; players come, change their tokens, and are forgotten."""

import httpx

from tests.e2e.client import Client, Json, good, refused
from tests.e2e.conftest import Guests
from tests.e2e.four import Four


async def test_a_list_is_paged_without_gap_or_repeat(guests: Guests) -> None:
    """Page by page, the host's tables come newest first, each once."""
    [host] = await guests(1)
    made = [await host.open_table(seats=3 + number % 5) for number in range(7)]
    found: list[str] = []
    cursor: dict[str, str | int] = {}
    while True:
        page = await host.get("/tables", host=host.id, limit=3, **cursor)
        found += [item["id"] for item in page["items"]]
        if page["next"] is None:
            break
        assert len(page["items"]) == 3
        cursor = {"cursor": page["next"]}
    assert found == made[::-1]


async def test_a_list_is_filtered(guests: Guests) -> None:
    """By game, status and host."""
    host, other = await guests(2)
    still_open = await host.open_table()
    given_up = await host.open_table()
    await host.lead(given_up, "abandon")
    await other.open_table()
    for status, expected in [
        ("open", [still_open]),
        ("abandoned", [given_up]),
        ("playing", []),
    ]:
        page = await host.get("/tables", host=host.id, status=status, game="hearts")
        assert [item["id"] for item in page["items"]] == expected
    assert (await host.get("/tables", host=host.id, game="tetka"))["items"] == []


async def test_tables_to_join_are_found(guests: Guests) -> None:
    """Those with a seat that anybody may take: not kept for somebody, not given up."""
    host, guest = await guests(2)
    bot = {"bot": "steady"}
    to_join = await host.open_table(seats=[bot, bot, {}, {"player": guest.id}])
    kept = await host.open_table(seats=[bot, bot, bot, {"player": guest.id}])
    given_up = await host.open_table(seats=3)
    await host.lead(given_up, "abandon")

    async def found(*, free: bool) -> list[str]:
        page = await host.get("/tables", host=host.id, has_free_seat=str(free).lower())
        return [item["id"] for item in page["items"]]

    assert await found(free=True) == [to_join]
    assert await found(free=False) == [given_up, kept]
    await guest.sit(to_join, 2)
    assert await found(free=True) == []


async def test_events_are_paged_without_gap_or_repeat(four: Four) -> None:
    """Page by page each event comes once; the last page has no `next`."""
    await four.all_pass()
    whole = await four.people[0].events(four.table)
    path = f"/tables/{four.table}/events"
    page = await four.people[0].get(path, limit=4)
    found: list[Json] = page["items"]
    while page["next"] is not None:
        page = await four.people[0].get(path, limit=4, cursor=page["next"])
        found += page["items"]
    assert found == whole
    tail = await four.people[0].get(path, after=5)
    assert tail["items"] == whole[5:]
    assert [it["version"] for it in found] == list(range(1, len(whole) + 1))
    beyond = await four.people[0].get(f"/tables/{four.table}/events", after=10**6)
    assert (beyond["items"], beyond["next"]) == ([], None)
    assert beyond["version"] == len(whole)


async def test_games_and_rules_are_lists_like_others(stranger: Client) -> None:
    """Items and `next`."""
    games = await stranger.get("/games")
    assert "hearts" in [game["game"] for game in games["items"]]
    assert games["next"] is None
    rules = await stranger.get("/games/hearts/rules", limit=200)
    assert rules["items"][0].keys() == {"id", "text"}


async def test_a_new_token_ends_the_old_one(http: httpx.AsyncClient) -> None:
    """At once."""
    player = await Client.register(http)
    renewed = good(await player.ask("POST", "/me/token"), 201)
    refused(await player.ask("GET", "/me"), 401, "unauthenticated")
    again = Client(http, renewed["token"])
    assert (await again.get("/me"))["player"]["id"] == player.id


async def test_who_is_forgotten_has_no_name_and_no_token(
    guests: Guests, http: httpx.AsyncClient
) -> None:
    """The log stays as it was; the name is null wherever it stood."""
    host = (await guests(1))[0]
    player = await Client.register(http, "Somebody")
    table = await host.open_table()
    await player.sit(table, 0)
    before = await host.events(table)
    answer = await player.ask("DELETE", "/me")
    assert (answer.status_code, answer.content) == (204, b"")
    refused(await player.ask("GET", "/me"), 401, "unauthenticated")
    shown = await host.get(f"/players/{player.id}")
    assert shown["player"]["name"] is None
    occupant = (await host.get(f"/tables/{table}"))["table"]["seats"][0]["occupant"]
    assert occupant == {"player": player.id, "name": None, "kind": "human"}
    assert await host.events(table) == before
    assert "Somebody" not in str(before)
