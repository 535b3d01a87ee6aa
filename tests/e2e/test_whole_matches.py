"""Whole matches as clients play them, and what they can check of them afterwards."""

import hashlib
import json
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from tests.e2e.client import Client, Json, chosen, seated
from tests.e2e.conftest import Guests
from tests.hearts_positions import strong_hands
from tests.independent.record_check import CARDS, canonical, check, mac, sha
from tests.second.node import report
from tests.second.records import joined


class Match(NamedTuple):
    """A match to be played; `shooter` is a seat that plays its highest cards."""

    seats: int
    options: Json
    arrangement: Json | None = None
    shooter: int | None = None


MATCHES = {
    "three seats": Match(3, {"target": 30}),
    "four seats, a moon by choice": Match(
        4,
        {"target": 30, "moon": "choice", "passing": []},
        {"deals": [{"hands": [hand.split() for hand in strong_hands(4)]}]},
        shooter=0,
    ),
    "five seats, the jack of diamonds": Match(
        5,
        {
            "target": 30,
            "jack_of_diamonds": -10,
            "jack_floor": True,
            "no_trick_bonus": -5,
            "points_on_first_trick": True,
            "moon": "auto",
        },
    ),
    "six seats, any club, a tie played off": Match(
        6,
        {
            "target": 20,
            "passing": ["across", "hold"],
            "opening": "any_club",
            "queen_breaks_hearts": False,
            "tiebreak_deal": True,
        },
    ),
    "seven seats, the dealer's left leads": Match(
        7,
        {
            "target": 20,
            "opening": "left_of_dealer",
            "break_required": False,
            "moon": "none",
            "exact_target": True,
        },
    ),
}


class Watcher:
    """A player who notes down everything that the server shows."""

    def __init__(self, client: Client, table: str) -> None:
        """Begin with nothing."""
        self.client = client
        self.table = table
        self.events: list[Json] = []
        self.heads: dict[int, str] = {}

    async def look(self) -> Json:
        """See what is new, and the view."""
        self.events += await self.client.events(self.table, len(self.events))
        view = await self.client.view(self.table)
        self.note(view)
        return view

    async def move(self, decision: Json, chance: Random) -> None:
        """Make a legal move."""
        move = chosen(decision, chance)
        self.note(await self.client.command(self.table, move))

    def note(self, answer: Json) -> None:
        """Keep the head that an answer gives for a version."""
        assert (
            self.heads.setdefault(answer["version"], answer["head"]) == (answer["head"])
        )

    def opened(self) -> dict[int, Json]:
        """All sealed texts that were shown, by their versions."""
        return {it["version"]: it for event in self.events for it in opens(event)}


def opens(event: Json) -> list[Json]:
    """What an event shows of what is sealed."""
    shown: list[Json] = event.get("opens", [])
    return shown


def shooting(decision: Json) -> Json:
    """A decision with the highest of its cards as its only move."""
    if decision["kind"] != "play":
        return decision
    highest = max(decision["legal"], key=lambda move: CARDS.index(move["card"]) % 13)
    return decision | {"legal": [highest]}


async def play(match: Match, people: Sequence[Watcher], chance: Random) -> None:
    """Play until the match is over; each player looks before every move."""
    seat = 0
    while True:
        view = await people[seat].look()
        if not view["to_act"]:
            break
        if seat in view["to_act"]:
            decision = view["decision"]
            if seat == match.shooter:
                decision = shooting(decision)
            await people[seat].move(decision, chance)
            seat = (seat + 1) % match.seats
        else:
            seat = view["to_act"][0]
    for player in people:
        await player.look()


class Played(NamedTuple):
    """A match that is over: who watched it, and its record in both forms."""

    table: str
    watchers: list[Watcher]
    entropy: dict[int, str]
    record: Json
    lines: list[bytes]


@pytest.fixture(scope="module")
def finished() -> dict[str, Played]:
    """The matches that were played in this module so far."""
    return {}


@pytest.fixture(params=MATCHES)
async def played(
    request: pytest.FixtureRequest, guests: Guests, finished: dict[str, Played]
) -> Played:
    """A match, played to its end by clients with tokens of their own."""
    name: str = request.param
    if name not in finished:
        finished[name] = await whole(MATCHES[name], guests, Random(name))
    return finished[name]


async def whole(match: Match, guests: Guests, chance: Random) -> Played:
    """Open a table, sit, play, fetch the record."""
    people = await guests(match.seats)
    terms: Json = {"seats": match.seats, "options": match.options}
    if match.arrangement:
        terms["arrangement"] = match.arrangement
    table = await people[0].open_table(**terms)
    entropy = {seat: chance.randbytes(32).hex() for seat in range(0, match.seats, 2)}
    await seated(table, people, entropy)
    watchers = [Watcher(player, table) for player in people]
    await play(match, watchers, chance)
    record = await people[0].record(table)
    return Played(table, watchers, entropy, record, await people[1].record_lines(table))


def of_type(played: Played, kind: str) -> list[Json]:
    """The data of the record's events of one type."""
    return [it["data"] for it in played.record["events"] if it["type"] == kind]


def test_a_second_program_finds_nothing_wrong_with_the_record(played: Played) -> None:
    """Chain, seals, shuffles, every play and every score are as they had to be."""
    assert check(played.record) == []
    assert played.record["table"]["status"] == "finished"


def test_a_third_in_another_language_finds_nothing_wrong_either(
    played: Played,
) -> None:
    """Line by line and as a document; it goes through heads that players got."""
    texts = (joined(played.lines), json.dumps(played.record).encode())
    for watcher, text in product(played.watchers, texts):
        said = report(text, head=min(watcher.heads.values()))
        assert said["ok"], said["why"]
        assert said["head"] == played.record["head"]


def test_the_record_in_lines_is_the_same_in_canonical_form(played: Played) -> None:
    """Put together again, the lines are the document; each is spelled canonically."""
    first, *events, last = map(json.loads, played.lines)
    assert first | {"events": events} | last == played.record
    for line in played.lines:
        assert canonical(json.loads(line)) == line


def test_every_head_on_the_way_is_in_the_records_chain(played: Played) -> None:
    """The head that came with any answer is the hash of the event of its version."""
    chain = {event["version"]: event["hash"] for event in played.record["events"]}
    for watcher in played.watchers:
        assert len(watcher.heads) > 1
        assert watcher.heads.items() <= chain.items()


def test_what_a_seat_was_shown_is_what_the_record_says(played: Played) -> None:
    """Events never change: a player's log is the record, but for what it opens."""
    for watcher in played.watchers:
        without = [
            {field: event[field] for field in event if field != "opens"}
            for event in watcher.events
        ]
        assert without == played.record["events"]


def test_what_was_opened_on_the_way_is_what_is_revealed_at_the_end(
    played: Played,
) -> None:
    """Bodies are those the record reveals, salts those the deal's secret yields."""
    place = UUID(played.table).bytes
    sealed = {it["version"]: it for it in played.record["events"]}
    secrets: dict[int, bytes] = {}
    bodies: dict[int, str] = {}
    for data in of_type(played, "deal_revealed"):
        for text in data["opened"]:
            secrets[text["version"]] = bytes.fromhex(data["secret"])
            bodies[text["version"]] = text["body"]
    for watcher in played.watchers:
        for version, opened in watcher.opened().items():
            at = place + version.to_bytes(8, "big")
            salt = mac(secrets[version], b"seal/1 salt\0", at)
            body = opened["body"].encode()
            assert opened["salt"] == salt.hex()
            assert opened["body"] == bodies[version]
            seal = sha(b"seal/1\0", at, salt, body).hex()
            assert seal == sealed[version]["data"]["seal"]


def test_a_seat_is_shown_its_own_cards_and_no_others(played: Played) -> None:
    """Each seat's hands and passes, and what is passed to it: no more, no less."""
    for seat, watcher in enumerate(played.watchers):
        due = {
            event["version"]
            for event in played.record["events"]
            if event["type"] in {"hand_dealt", "cards_passed"}
            and seat in {event["data"]["seat"], event["data"].get("to")}
        }
        assert watcher.opened().keys() == due


def test_the_entropy_that_seats_gave_is_in_the_shuffle(played: Played) -> None:
    """The start of the match lists it by seat, zeros for who gave none."""
    [started] = of_type(played, "match_started")
    given = enumerate(started["entropy"])
    assert {seat: it for seat, it in given if it != "00" * 32} == played.entropy


def test_the_last_view_has_the_result(played: Played) -> None:
    """When the match is over, the view says who won, with which scores."""
    [ended] = of_type(played, "match_ended")
    head = played.record["events"][-1]["hash"]
    for watcher in played.watchers:
        assert watcher.heads[len(watcher.events)] == head
    assert ended["winners"]
    assert ended["scores"] == of_type(played, "deal_scored")[-1]["scores"]


async def test_a_moon_by_choice_is_settled_by_who_shot_it(
    guests: Guests, finished: dict[str, Played]
) -> None:
    """The first deal of the arranged match is a moon, and its shooter says how."""
    name = "four seats, a moon by choice"
    if name not in finished:
        finished[name] = await whole(MATCHES[name], guests, Random(name))
    moons = of_type(finished[name], "moon_settled")
    assert moons[0]["seat"] == 0
    asked = [it for it in finished[name].record["events"] if it["type"] == "moon_shot"]
    answered = finished[name].record["events"][asked[0]["version"]]
    assert answered["type"] == "moon_settled"
    assert answered["command"] != asked[0]["command"]


def test_no_seal_is_the_plain_hash_of_its_text(played: Played) -> None:
    """Seals are salted: no two are alike, and none is the hash of a text revealed."""
    seals = [
        event["data"]["seal"]
        for event in played.record["events"]
        if "seal" in event["data"]
    ]
    assert len(set(seals)) == len(seals)
    plain = {hashlib.sha256(it["body"].encode()).hexdigest() for it in _texts(played)}
    assert plain.isdisjoint(seals)


def _texts(played: Played) -> list[dict[str, Any]]:
    return [it for data in of_type(played, "deal_revealed") for it in data["opened"]]
