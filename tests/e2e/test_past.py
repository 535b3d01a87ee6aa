"""The past of a match, seen later by everybody as it was seen then."""

from random import Random

import httpx

from tests.e2e.client import Client, Json, chosen
from tests.e2e.conftest import Guests

Seen = dict[int, Json]
"""What a viewer was shown, by version."""


async def snapshot(viewer: Client, table: str) -> Json:
    """What a stream begins with that is opened now."""
    async with viewer.frames(f"/tables/{table}/stream") as frames:
        first: Json = await anext(frames)
    assert first["frame"] == "snapshot"
    data: Json = first["data"]
    return data


async def test_every_version_is_seen_later_as_streams_showed_it(
    guests: Guests, stranger: Client
) -> None:
    """By each seat and the public, between appends too, once the match is over."""
    people = await guests(3)
    table = await people[0].open_table(seats=3, options={"target": 1})
    for seat, player in enumerate(people):
        await player.sit(table, seat)
    viewers, chance = [*people, stranger], Random(4)
    shown: list[Seen] = [{} for _ in viewers]
    to_act = [0]
    while to_act:
        for viewer, seen in zip(viewers, shown, strict=True):
            told = await snapshot(viewer, table)
            seen[told["version"]] = told
        to_act = (await stranger.view(table))["to_act"]
        for seat in to_act[:1]:
            decision = await people[seat].decision(table)
            await people[seat].command(table, chosen(decision, chance))
    for viewer, seen in zip(viewers, shown, strict=True):
        first, last = min(seen), max(seen)
        assert await viewer.view(table) == seen[last]
        latest = seen[first]
        for version in range(first, last + 1):
            latest = seen.get(version, latest)
            assert await viewer.view(table, at=version) == latest
    before = {"at": min(shown[0]) - 1}
    answer = await stranger.ask("GET", f"/tables/{table}/view", params=before)
    assert answer.status_code == httpx.codes.OK
    assert answer.json()["table"]["status"] == "open"
