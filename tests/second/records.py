"""Records of short matches as lines, and single changes to them."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final
from uuid import UUID

from domain.chain import canonical, link, origin
from domain.ids import TableId
from domain.log import served
from domain.terms import Options
from tests.driver import Driver, of_bots

Json = dict[str, Any]
Lines = list[bytes]

SHORT: Final[dict[str, Options]] = {
    "hearts": {"target": 30},
    "cancellation-hearts": {"target": 60},
    "tetka": {"rubber_points": 1, "rubbers": 5},
    "agony-aunt": {"counters": 9},
    "auction-hearts": {"deals": 2},
}
"""Options of every game with which a match has a few deals."""

SEATS: Final = {
    "hearts": range(3, 8),
    "cancellation-hearts": range(6, 12),
    "tetka": [4],
    "agony-aunt": [4],
    "auction-hearts": range(3, 8),
}


def match(game: str, seats: int, seed: int, options: Options | None = None) -> Driver:
    """A short match that bots have played to its end."""
    chosen = SHORT[game] | (options or {})
    return of_bots(game, chosen, seats=seats, seed=seed).finish()


def lines_of(driver: Driver) -> Lines:
    """The record of a table line by line: line n is version n."""
    record = driver.record()
    header = {"format": record["format"], "table": record["table"]}
    end = {"head": record["head"], "version": len(driver.lines)}
    return [canonical(header), *driver.served(), canonical(end)]


def joined(lines: Sequence[bytes]) -> bytes:
    """Lines as a file."""
    return b"".join(line + b"\n" for line in lines)


Change = tuple[int, int, Lines]
"""The first line that is replaced, the first after them, and what takes their place."""

Changing = Callable[[Lines, int, Random], Change]


def other_byte(lines: Lines, at: int, chance: Random) -> Change:
    """A byte becomes another."""
    line = bytearray(lines[at])
    line[chance.randrange(len(line))] ^= chance.randrange(1, 256)
    return at, at + 1, [bytes(line)]


def lost_byte(lines: Lines, at: int, chance: Random) -> Change:
    """A byte is left out."""
    line = bytearray(lines[at])
    del line[chance.randrange(len(line))]
    return at, at + 1, [bytes(line)]


def more_bytes(lines: Lines, at: int, chance: Random) -> Change:
    """A byte comes in, as often as not one that JSON passes over."""
    line = bytearray(lines[at])
    byte = chance.choice([chance.randrange(256), *b" \t\r"])
    line.insert(chance.randrange(len(line) + 1), byte)
    return at, at + 1, [bytes(line)]


def other_value(lines: Lines, at: int, chance: Random) -> Change:
    """A value becomes another, and the line is well spelled."""
    event: Json = json.loads(lines[at])
    places = [(event, key) for key in event if not isinstance(event[key], dict)]
    places += [(event["by"], key) for key in event["by"]]
    places += [(event["data"], key) for key in event["data"]]
    holder, key = chance.choice(places)
    old = holder[key]
    holder[key] = old + 1 if type(old) is int else f"{old}0"
    return at, at + 1, [canonical(event)]


def lost_line(_lines: Lines, at: int, _chance: Random) -> Change:
    """An event is left out."""
    return at, at + 1, []


def swapped_lines(lines: Lines, at: int, _chance: Random) -> Change:
    """Two lines change places."""
    return at, at + 2, [lines[at + 1], lines[at]]


def one_line(lines: Lines, at: int, _chance: Random) -> Change:
    """Two lines become one."""
    return at, at + 2, [lines[at] + lines[at + 1]]


def repeated_line(lines: Lines, at: int, chance: Random) -> Change:
    """Something earlier comes again, be it the header."""
    return at, at, [lines[chance.randrange(at)]]


def cut_tail(lines: Lines, at: int, _chance: Random) -> Change:
    """All from there on is left out, but not the line at the end."""
    return at, len(lines) - 1, []


CHANGES: Final[list[Changing]] = [
    other_byte,
    lost_byte,
    more_bytes,
    other_value,
    lost_line,
    swapped_lines,
    one_line,
    repeated_line,
    cut_tail,
]


def events_of(lines: Lines) -> list[Json]:
    """The events of a record, without their links, to be made into another one."""
    events: list[Json] = [json.loads(line) for line in lines[1:-1]]
    for event in events:
        del event["prev"], event["hash"]
    return events


def rehashed(lines: Lines, events: Sequence[Json]) -> Lines:
    """A record of these events, numbered and linked as they stand, its head fitting."""
    table = TableId(UUID(json.loads(lines[0])["table"]["id"]))
    head = origin(table)
    linked = []
    for version, event in enumerate(events, 1):
        body = canonical(event | {"version": version})
        linked.append(served(body, head, head := link(head, body)))
    end = {"head": head.hex(), "version": len(events)}
    return [lines[0], *linked, canonical(end)]
