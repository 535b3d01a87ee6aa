"""Records to forge, and the hands of a forger who knows every secret.

Seals and hashes fit again to the very end. The arithmetic is written from the
description of the log, not taken from the server.
"""

import hashlib
import hmac
import json
from functools import cache
from uuid import UUID

from tests.driver import Record, hearts_of_people, of_bots
from tests.games import TRIALS
from tests.records.matches import left_and_back, timed_out, watched, with_entropy


@cache
def _two_deals() -> str:
    driver = hearts_of_people({"target": 40, "moon": "none"}, seed=2).finish()
    return json.dumps(driver.record())


@cache
def _late() -> str:
    return json.dumps(timed_out().record())


@cache
def _arranged() -> str:
    return json.dumps(TRIALS["hearts"].recorded().record())


@cache
def _observed() -> str:
    return json.dumps(watched().record())


@cache
def _given() -> str:
    return json.dumps(with_entropy().record())


@cache
def _left() -> str:
    return json.dumps(left_and_back().record())


@cache
def _bids() -> str:
    return json.dumps(of_bots("auction-hearts", {"deals": 2}, seed=3).finish().record())


def two_deals() -> Record:
    """A match of Hearts between people, with passes and entropy."""
    found: Record = json.loads(_two_deals())
    return found


def late() -> Record:
    """A match in which time ran out."""
    found: Record = json.loads(_late())
    return found


def arranged() -> Record:
    """A match whose first deal was arranged."""
    found: Record = json.loads(_arranged())
    return found


def observed() -> Record:
    """A match at which a referee looks at all cards."""
    found: Record = json.loads(_observed())
    return found


def given() -> Record:
    """A match for which a seat gave entropy after its player had sat down."""
    found: Record = json.loads(_given())
    return found


def left() -> Record:
    """A match that a player leaves and comes back to."""
    found: Record = json.loads(_left())
    return found


def bids() -> Record:
    """A match with bids."""
    found: Record = json.loads(_bids())
    return found


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
