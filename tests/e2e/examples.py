"""Worked deals, played at real tables."""

from collections.abc import Iterable, Sequence
from typing import Any

from tests.e2e.client import Client, Json


def of_type(events: Iterable[Json], *kinds: str) -> list[Json]:
    """The data of events of these types."""
    return [event["data"] for event in events if event["type"] in kinds]


async def play_tricks(
    table: str, people: Sequence[Client], tricks: Iterable[Any], *, places: int = 0
) -> list[Json]:
    """All tricks of an example, with everybody moved so many places to the left.

    What came of them is answered.
    """
    events = []
    for leader, cards, _winner in tricks:
        for place, card in enumerate(cards):
            player = people[(leader + places + place) % len(people)]
            answer = await player.command(table, {"type": "play", "card": card})
            events += answer["events"]
    return events
