"""Records to forge, and the hands of a forger who knows every secret.

Seals and hashes fit again to the very end. The arithmetic is written from the
description of the log, not taken from the server.
"""

import hashlib
import hmac
import json
from collections.abc import Callable
from functools import cache, wraps
from uuid import UUID

from tests.driver import Driver, Record, hearts_of_people, of_bots
from tests.games import TRIALS
from tests.records.matches import left_and_back, timed_out, watched, with_entropy


def fresh(make: Callable[[], Driver]) -> Callable[[], Record]:
    """The record of a match that is played once, new for each who forges it."""
    written = cache(lambda: json.dumps(make().record()))

    @wraps(make)
    def record() -> Record:
        found: Record = json.loads(written())
        return found

    return record


@fresh
def two_deals() -> Driver:
    """A match of Hearts between people, with passes and entropy."""
    return hearts_of_people({"target": 40, "moon": "none"}, seed=2).finish()


@fresh
def late() -> Driver:
    """A match in which time ran out."""
    return timed_out()


@fresh
def arranged() -> Driver:
    """A match whose first deal was arranged."""
    return TRIALS["hearts"].recorded()


@fresh
def observed() -> Driver:
    """A match at which a referee looks at all cards."""
    return watched()


@fresh
def given() -> Driver:
    """A match for which a seat gave entropy after its player had sat down."""
    return with_entropy()


@fresh
def left() -> Driver:
    """A match that a player leaves and comes back to."""
    return left_and_back()


@fresh
def bids() -> Driver:
    """A match with bids."""
    return of_bots("auction-hearts", {"deals": 2}, seed=3).finish()


def spelled(value: object) -> bytes:
    """The one spelling of a value that is hashed."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def rehash(record: Record) -> None:
    """Number the events anew, and make seals, links and head that fit them."""
    _renumber(record)
    _reseal(record)
    table = UUID(record["events"][0]["table"]).bytes
    head = hashlib.sha256(b"chain/1\0" + table).digest()
    for version, event in enumerate(record["events"], 1):
        event.pop("hash", None)
        event["prev"] = head.hex()
        event["version"] = version
        body = {key: value for key, value in event.items() if key != "prev"}
        leaf = hashlib.sha256(b"\0" + spelled(body)).digest()
        head = hashlib.sha256(b"\1" + head + leaf).digest()
        event["hash"] = head.hex()
    record["head"], record["version"] = head.hex(), len(record["events"])


def _renumber(record: Record) -> None:
    """Let each event have the number of its place, and be named by it."""
    places = {event["version"]: at for at, event in enumerate(record["events"], 1)}
    for event in record["events"]:
        event["version"] = places[event["version"]]
        data = event["data"]
        for named in (data, *data.get("opened", []), *data.get("passes", [])):
            if "version" in named:
                named["version"] = places.get(named["version"], named["version"])


def _reseal(record: Record) -> None:
    """Make the seals that fit what is revealed, under the secrets that are.

    What is marked as `kept` stays under the seal that it had.
    """
    table = UUID(record["events"][0]["table"]).bytes
    for reveal in events(record, "deal_revealed"):
        secret = bytes.fromhex(reveal["data"]["secret"])
        for opened in reveal["data"]["opened"]:
            place = table + opened["version"].to_bytes(8, "big")
            salt = hmac.digest(secret, b"seal/1 salt\0" + place, "sha256")
            text = opened["body"].encode()
            seal = hashlib.sha256(b"seal/1\0" + place + salt + text).hexdigest()
            sealed = record["events"][opened["version"] - 1]["data"]
            if not sealed.pop("kept", False):
                sealed["seal"] = seal


def lines(record: Record) -> list[bytes]:
    """The record line by line."""
    begin = {"format": record["format"], "table": record["table"]}
    end = {"head": record["head"], "version": record["version"]}
    return [*map(spelled, [begin, *record["events"], end])]


def events(record: Record, kind: str) -> list[Record]:
    """The record's events of a kind."""
    return [event for event in record["events"] if event["type"] == kind]


def append_of(record: Record, event: Record) -> list[Record]:
    """All events of an event's append."""
    return [it for it in record["events"] if it["command"] == event["command"]]
