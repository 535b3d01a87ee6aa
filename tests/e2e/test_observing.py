"""A referee looks at hidden cards, and everybody can read in the log that he does."""

from random import Random

from tests.e2e.client import Client, chosen, good, new_key, refused
from tests.e2e.four import Four
from tests.e2e.reading import until


async def test_all_cards_are_shown_from_the_admission_on(
    four: Four, referee: Client, stranger: Client
) -> None:
    """Every hand as its seat sees it; not what was before."""
    await four.all_pass()
    before = (await stranger.view(four.table))["version"]
    await referee.lead(four.table, "observe")
    shown = await referee.view(four.table, **{"as": "open"})
    hands = [(await it.view(four.table))["deal"]["hand"] for it in four.people]
    assert shown["open"] == {"hands": hands, "kitty": []}
    assert shown["viewer"] == {"open": True}
    assert (shown["decision"], shown["deal"]["hand"]) == (None, None)
    path = f"/tables/{four.table}/view"
    past = {"as": "open", "at": before}
    refused(await referee.ask("GET", path, params=past), 403, "forbidden")
    again = await referee.view(four.table, **{"as": "open", "at": before + 1})
    assert again["open"] == shown["open"]


async def test_the_log_tells_everybody_who_looks(
    four: Four, referee: Client, stranger: Client
) -> None:
    """Players, spectators and followers of the stream, with nothing opened by it."""
    await referee.lead(four.table, "observe")
    for reader in (*four.people, stranger, referee):
        event = (await reader.events(four.table))[-1]
        assert (event["type"], event["data"]) == (
            "observer_admitted",
            {"player": referee.id},
        )
        assert event["by"] == {"player": referee.id}
        assert "opens" not in event
    assert not any("opens" in it for it in await referee.events(four.table))
    async with stranger.frames(f"/tables/{four.table}/stream", after=0) as frames:
        await until(frames, "observer_admitted")


async def test_without_asking_for_it_a_referee_sees_what_the_public_sees(
    four: Four, referee: Client, stranger: Client
) -> None:
    """The view of all cards is asked for by name."""
    await referee.lead(four.table, "observe")
    mine = await referee.view(four.table)
    assert "open" not in mine
    assert mine == await stranger.view(four.table)


async def test_a_referee_is_admitted_once(four: Four, referee: Client) -> None:
    """The same request again is harmless, another one is refused."""
    path, key = f"/tables/{four.table}/observe", new_key()
    first = await referee.ask("POST", path, key=key)
    again = await referee.ask("POST", path, key=key)
    assert good(first) == good(again)
    refused(await referee.ask("POST", path), 409, "observing")


async def test_who_looks_cannot_play_and_who_plays_cannot_look(
    four: Four, referee: Client
) -> None:
    """Neither sits down at the other's place."""
    open_table = await four.people[0].open_table(seats=4)
    await referee.lead(open_table, "observe")
    answer = await referee.ask("PUT", f"/tables/{open_table}/seats/2", {})
    refused(answer, 409, "observing")
    own = await four.people[0].open_table(seats=4)
    await referee.sit(own, 1)
    refused(await referee.ask("POST", f"/tables/{own}/observe"), 409, "already-seated")
    answer = await referee.ask("GET", f"/tables/{own}/view", params={"as": "open"})
    refused(answer, 403, "forbidden")


async def test_once_a_table_is_over_everybody_sees_all_cards_of_the_past(
    four: Four, admin: Client, stranger: Client
) -> None:
    """No admission is needed for what the reveals have told."""
    await four.all_pass()
    leader, decision = await four.leader()
    await leader.command(four.table, chosen(decision, Random(1)))
    hands = [(await it.view(four.table))["deal"]["hand"] for it in four.people]
    version = (await stranger.view(four.table))["version"]
    await admin.lead(four.table, "abandon")
    shown = await stranger.view(four.table, **{"as": "open", "at": version})
    assert shown["open"]["hands"] == hands
    kinds = {event["type"] for event in await stranger.events(four.table)}
    assert "observer_admitted" not in kinds
