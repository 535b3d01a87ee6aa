"""What clients rely on besides the play: decisions, errors, views, origins."""

import httpx
import pytest

from tests.e2e.client import Client, good, refused
from tests.e2e.conftest import ORIGIN, Guests
from tests.e2e.four import HANDS, Four

NOWHERE = "00000000-0000-4000-8000-000000000000"
UNKNOWN = {"Authorization": "Bearer msr_nobody"}


async def test_a_decision_stays_while_others_answer_theirs(four: Four) -> None:
    """Passing is simultaneous: the others' passes leave a decision's id as it was."""
    before = [await player.decision(four.table) for player in four.people]
    assert [it["seat"] for it in before] == [0, 1, 2, 3]
    assert len({it["id"].partition(".")[0] for it in before}) == 1
    for seat in (2, 0, 3):
        move = four.pass_of(seat) | {"decision": before[seat]["id"]}
        await four.people[seat].command(four.table, move)
        assert (await four.people[1].decision(four.table))["id"] == before[1]["id"]
    move = four.pass_of(1) | {"decision": before[1]["id"]}
    await four.people[1].command(four.table, move)


async def test_a_stale_decision_is_answered_with_the_present_view(four: Four) -> None:
    """409, and inside it the very view that the caller would get now."""
    player = four.people[0]
    stale = (await player.decision(four.table))["id"]
    await four.all_pass()
    head = await four.head()
    answer = await player.send(
        four.table, {"type": "play", "card": "2C", "decision": stale}
    )
    said = refused(answer, 409, "stale-decision")
    view = await player.view(four.table)
    assert said["view"] == view
    assert (said["table"], said["version"], said["head"]) == (
        four.table,
        view["version"],
        head,
    )
    assert said["params"] == {"decision": stale}
    assert await four.head() == head


async def test_out_of_turn_is_answered_with_ones_own_view(four: Four) -> None:
    """409 shows the caller's hand to the caller only."""
    await four.people[0].command(four.table, four.pass_of(0))
    answer = await four.people[0].send(four.table, four.pass_of(0))
    said = refused(answer, 409, "not-your-turn")
    assert said["view"]["viewer"] == {"seat": 0}
    assert said["view"]["deal"]["hand"] == HANDS[0]


async def test_a_conflict_shows_somebody_outside_the_public_view(
    four: Four, guests: Guests
) -> None:
    """Who sits down too late gets no hand with the refusal."""
    [late] = await guests(1)
    answer = await late.ask("PUT", f"/tables/{four.table}/seats/0", {})
    said = refused(answer, 409, "match-started")
    assert said["view"]["viewer"] == {"public": True}
    assert said["view"]["deal"]["hand"] is None
    assert said["view"]["decision"] is None


async def test_my_turns_are_the_decisions_of_my_views(four: Four) -> None:
    """The list has the same decision as the view, and only while it is open."""
    for player in four.people:
        turns = await player.get("/me/turns")
        decision = await player.decision(four.table)
        assert turns == {
            "items": [{"table": four.table, "decision": decision}],
            "next": None,
        }
    await four.people[0].command(four.table, four.pass_of(0))
    assert (await four.people[0].get("/me/turns"))["items"] == []


async def test_a_rule_that_refuses_is_named_with_its_facts(four: Four) -> None:
    """422 with the rule's id and parameters as data; the rule is in the game's list."""
    await four.all_pass()
    leader, decision = await four.leader()
    assert decision["legal"] == [{"type": "play", "card": "2C"}]
    hand = (await leader.view(four.table))["deal"]["hand"]
    other = next(card for card in hand if card != "2C")
    said = refused(
        await leader.send(four.table, {"type": "play", "card": other}),
        422,
        "rule-violation",
    )
    assert said["rule"]["params"] == {"card": "2C"}
    rules = await leader.get("/games/hearts/rules", limit=200)
    assert said["rule"]["id"] in [rule["id"] for rule in rules["items"]]
    await leader.command(four.table, decision["legal"][0])
    second, decision = await four.leader()
    hand = (await second.view(four.table))["deal"]["hand"]
    other = next(card for card in hand if card[1] != "C")
    said = refused(
        await second.send(four.table, {"type": "play", "card": other}),
        422,
        "rule-violation",
    )
    assert said["rule"] == {"id": "CM-4", "params": {"suit": "C"}}


async def test_every_problems_type_can_be_read(stranger: Client) -> None:
    """Each code has its page at the address that `type` names, with its status."""
    meta = await stranger.get("/meta")
    for code in meta["problem_codes"]:
        kind = await stranger.get(f"/problems/{code}")
        assert kind["code"] == code
        assert kind["status"] >= 400
        assert kind["title"]
        assert kind["retryable"] == (kind["status"] >= 500 or code == "rate-limited")
    answer = await stranger.ask("GET", "/problems/nonsense")
    refused(answer, 404, "not-found")


async def test_errors_come_in_their_order(
    four: Four, guests: Guests, stranger: Client
) -> None:
    """401 before 404 before 403 before what is wrong with the body."""
    [outsider] = await guests(1)
    wrong = {"type": "no such move"}
    commands, nowhere = (f"/tables/{table}/commands" for table in (four.table, NOWHERE))
    for path in (commands, nowhere):
        refused(await stranger.ask("POST", path, wrong), 401, "unauthenticated")
        answer = await stranger.ask("POST", path, wrong, headers=UNKNOWN)
        refused(answer, 401, "unauthenticated")
    refused(await outsider.ask("POST", nowhere, wrong), 404, "not-found")
    refused(await outsider.ask("POST", commands, wrong), 403, "forbidden")
    seated = four.people[0]
    refused(await seated.ask("POST", commands, wrong), 400, "invalid-request")
    await seated.command(four.table, four.pass_of(0))
    refused(await seated.ask("POST", commands, wrong), 400, "invalid-request")
    answer = await seated.ask("POST", commands, four.pass_of(0), key="k" * 65)
    refused(answer, 400, "invalid-request")
    refused(await seated.ask("POST", commands, four.pass_of(0)), 409, "not-your-turn")


@pytest.mark.parametrize("what", ["", "/view", "/events", "/record"])
async def test_a_token_that_is_not_known_is_refused_even_where_none_is_needed(
    four: Four, stranger: Client, what: str
) -> None:
    """401: a client with an old token learns of it at once."""
    answer = await stranger.ask("GET", f"/tables/{four.table}{what}", headers=UNKNOWN)
    refused(answer, 401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_what_cannot_be_read_is_told_after_the_right_to_the_table(
    guests: Guests,
) -> None:
    """A body of another media type, or too large, at a table that is not there: 404."""
    [player] = await guests(1)
    for what in ("seats/0", "seats/0/entropy"):
        path = f"/tables/{NOWHERE}/{what}"
        plain = {"Content-Type": "text/plain"}
        answer = await player.ask("PUT", path, {}, headers=plain)
        refused(answer, 404, "not-found")
        refused(await player.ask("PUT", path, "x" * 70_000), 404, "not-found")


async def test_a_bad_key_is_told_before_a_table_that_cannot_be(guests: Guests) -> None:
    """400 for the header comes before 422 for the terms."""
    [player] = await guests(1)
    body = {"game": "hearts", "seats": 50}
    answer = await player.ask("POST", "/tables", body, key="k" * 65)
    refused(answer, 400, "invalid-request")
    refused(await player.ask("POST", "/tables", body), 422, "invalid-table")


async def test_a_view_of_the_past_is_as_it_was(four: Four) -> None:
    """`at` shows what was seen then, rounded down to the end of an append."""
    player, seen = four.people[1], {}
    for seat, each in enumerate(four.people):
        view = await player.view(four.table)
        seen[view["version"]] = view
        await each.command(four.table, four.pass_of(seat))
    leader, decision = await four.leader()
    await leader.command(four.table, decision["legal"][0])
    ends = sorted(seen)
    now = await player.view(four.table)
    for version, view in seen.items():
        assert await player.view(four.table, at=version) == view
    for version in range(ends[0], ends[-1]):
        past = await player.view(four.table, at=version)
        assert past == seen[max(end for end in ends if end <= version)]
    assert await player.view(four.table, at=now["version"]) == now
    assert await player.view(four.table, at=2**53 - 1) == now


async def test_the_opening_append_is_whole_or_not_there(guests: Guests) -> None:
    """A table of bots begins in its first append: no version inside it is shown."""
    [host] = await guests(1)
    table = await host.open_table(seats=[{"bot": "random"}] * 3)
    events = await host.events(table)
    first = [it for it in events if it["command"] == events[0]["command"]]
    end = len(first)
    assert end > 1
    path = f"/tables/{table}/view"
    refused(await host.ask("GET", path, params={"at": 0}), 404, "not-found")
    refused(await host.ask("GET", path, params={"at": end - 1}), 404, "not-found")
    view = await host.view(table, at=end)
    assert (view["version"], view["head"]) == (end, first[-1]["hash"])
    await host.lead(table, "abandon")


async def test_a_past_version_of_the_table_has_the_occupants_of_then(
    guests: Guests,
) -> None:
    """All of it is as it was then: before anybody sat, every seat was free."""
    host, player = await guests(2)
    table = await host.open_table()
    opened = await player.view(table)
    await player.sit(table, 2)
    assert (await player.view(table))["table"]["seats"][2]["occupant"]
    past = await player.view(table, at=opened["version"])
    assert past == opened


async def test_a_seat_may_ask_for_the_public_view(four: Four, stranger: Client) -> None:
    """`as=public` is what a stranger sees, byte for byte."""
    path = f"/tables/{four.table}/view"
    own = await four.people[0].ask("GET", path, params={"as": "public"})
    theirs = await stranger.ask("GET", path)
    assert own.content == theirs.content
    assert good(own)["viewer"] == {"public": True}


async def test_what_depends_on_the_seat_is_kept_by_nobody(four: Four) -> None:
    """Views, events and refusals are private and not to be stored."""
    for what in ("", "/view", "/events"):
        answer = await four.people[0].ask("GET", f"/tables/{four.table}{what}")
        assert answer.headers["cache-control"] == "private, no-store"
    answer = await four.people[0].send(four.table, {"type": "play", "card": "2C"})
    assert answer.headers["cache-control"] == "private, no-store"


@pytest.mark.parametrize("what", ["/games", "/games/hearts/rules", "/problems/busy"])
async def test_what_is_the_same_for_all_is_still_shared_by_no_cache(
    what: str, stranger: Client
) -> None:
    """Its headers tell how much the caller asks, and are nobody else's."""
    answer = await stranger.ask("GET", what)
    assert answer.headers["cache-control"] == "private, max-age=300"


async def test_browsers_from_the_allowed_origin_may_call(
    http: httpx.AsyncClient,
) -> None:
    """The preflight allows the headers and methods that clients need."""
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    }
    path = f"/v1/tables/{NOWHERE}/seats/0"
    answer = await http.options(path, headers=asked)
    assert answer.is_success
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    allowed = answer.headers["access-control-allow-headers"].lower()
    for header in ("authorization", "content-type", "idempotency-key"):
        assert header in allowed
    methods = answer.headers["access-control-allow-methods"]
    assert methods == "*" or "PUT" in methods
    real = await http.get("/v1/meta", headers={"Origin": ORIGIN})
    assert real.headers["access-control-allow-origin"] == ORIGIN
    problem = await http.get("/v1/me", headers={"Origin": ORIGIN})
    assert problem.status_code == 401
    assert problem.headers["access-control-allow-origin"] == ORIGIN


async def test_browsers_from_elsewhere_may_not(http: httpx.AsyncClient) -> None:
    """No other origin is let in."""
    elsewhere = "https://elsewhere.example"
    answer = await http.get("/v1/meta", headers={"Origin": elsewhere})
    assert "access-control-allow-origin" not in answer.headers
    answer = await http.options(
        "/v1/tables",
        headers={"Origin": elsewhere, "Access-Control-Request-Method": "POST"},
    )
    assert answer.headers.get("access-control-allow-origin") != elsewhere
