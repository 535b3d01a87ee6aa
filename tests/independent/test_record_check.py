"""Records of driven tables stand up to the independent checker; doctored do not."""

import hashlib
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.ids import Seat
from domain.terms import Options
from tests.driver import Record, arranged, hearts, hearts_of_people, hearts_to_come
from tests.hearts_positions import strong_hands
from tests.independent.record_check import check

OPTION_SETS: list[Options] = [
    {},
    {"passing": [], "moon": "none"},
    {"moon": "subtract", "jack_of_diamonds": -10, "no_trick_bonus": -5},
    {"moon": "choice", "shoot_sun": True, "queen_breaks_hearts": False},
    {"moon": "auto", "exact_target": True, "points_on_first_trick": True},
    {"jack_of_diamonds": -10, "jack_floor": True, "opening": "left_of_dealer"},
    {"jack_of_diamonds": -10, "slam_needs_bonus": True, "tiebreak_deal": True},
    {"break_required": False, "opening": "any_club", "passing": ["right", "hold"]},
    {"lead_hearts_instead_of_qs": True, "passing": [], "no_trick_bonus": -3},
]


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
@pytest.mark.parametrize("seats", range(3, 8))
def test_a_finished_table_stands_up(seats: int, options: Options) -> None:
    """Whatever the options and the number of seats, the record has no fault."""
    driver = hearts_of_people({"target": 30} | options, seats=seats, seed=seats)
    driver.grasping = Seat(0)
    assert check(driver.finish().record()) == []


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_moons_and_suns_stand_up(options: Options) -> None:
    """Two arranged deals in which seat 0 takes everything, then shuffled ones."""
    driver = hearts(
        options | {"target": 60, "passing": []},
        arrangement=arranged(strong_hands(4), strong_hands(4)),
    )
    driver.grasping = Seat(0)
    record = driver.finish().record()
    if options.get("moon") != "none":
        assert "moon_settled" in {event["type"] for event in record["events"]}
    assert check(record) == []


@pytest.mark.parametrize("moves", [0, 2, 4, 5, 30, 56, 57, 80])
def test_a_table_given_up_stands_up(moves: int) -> None:
    """While some pass, in a trick, between two deals: the record has no fault."""
    driver = hearts(seed=moves)
    for _ in driver.prefixes(moves):
        pass
    assert check(driver.abandon().record()) == []


def test_a_table_given_up_before_its_match_stands_up() -> None:
    """Nothing but the match's secret is left to reveal."""
    driver = hearts_to_come(seats=5)
    assert check(driver.abandon().record()) == []


def test_the_checker_shares_nothing_with_the_server() -> None:
    """It imports the standard library only."""
    source = check.__globals__["__loader__"].get_source(check.__module__)
    assert "domain" not in source
    assert "msgspec" not in source


@cache
def _sound() -> str:
    """A record with a moon, a pass, entropy and an arranged deal, as JSON."""
    driver = hearts(
        {"target": 60, "passing": ["hold", "left"]},
        arrangement=arranged(strong_hands(4)),
        seed=4,
    )
    driver.grasping = Seat(0)
    return json.dumps(driver.finish().record())


@pytest.fixture
def record() -> Record:
    """A sound record, to be doctored."""
    sound: Record = json.loads(_sound())
    return sound


def rehashed(record: Record) -> Record:
    """The record with versions, links and head that fit its events again."""
    head = hashlib.sha256(b"chain/1\0" + UUID(record["table"]["id"]).bytes).digest()
    for version, event in enumerate(record["events"], 1):
        event["prev"] = head.hex()
        event["version"] = version
        del event["hash"]
        body = {key: value for key, value in event.items() if key != "prev"}
        text = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
        leaf = hashlib.sha256(b"\0" + text).digest()
        head = hashlib.sha256(b"\1" + head + leaf).digest()
        event["hash"] = head.hex()
    record["head"] = head.hex()
    return record


def only(record: Record, kind: str, which: int = 0) -> Record:
    """One of the record's events of a kind."""
    events: list[Record] = [it for it in record["events"] if it["type"] == kind]
    return events[which]


def test_the_doctored_records_are_sound_before_they_are_doctored(
    record: Record,
) -> None:
    """Hashing it again changes nothing, and there is no complaint."""
    assert check(record) == []
    assert rehashed(deepcopy(record)) == record


def other_card(record: Record) -> None:
    """A seat is said to have played a card of another seat."""
    plays = [event for event in record["events"] if event["type"] == "card_played"]
    plays[20]["data"]["card"] = plays[22]["data"]["card"]


def revoke(record: Record) -> None:
    """Two plays of a seat change places, so that it does not follow suit."""
    plays = [event for event in record["events"] if event["type"] == "card_played"]
    mine = [event["data"] for event in plays if event["data"]["seat"] == 1]
    wrong = next(it for it in mine if it["card"][1] != mine[0]["card"][1])
    mine[0]["card"], wrong["card"] = wrong["card"], mine[0]["card"]


def swapped(record: Record) -> None:
    """Two events change places."""
    events = record["events"]
    at = events.index(only(record, "card_played", 30))
    events[at], events[at + 1] = events[at + 1], events[at]


def other_points(record: Record) -> None:
    """A point moves from one player to another."""
    only(record, "deal_scored", 1)["data"]["points"][0] -= 1
    only(record, "deal_scored", 1)["data"]["points"][1] += 1


def other_scores(record: Record) -> None:
    """The sum does not follow from the points."""
    only(record, "deal_scored")["data"]["scores"][2] += 1


def other_winner(record: Record) -> None:
    """Somebody else is said to have won."""
    data = only(record, "match_ended")["data"]
    data["winners"] = [(data["winners"][0] + 1) % 4]


def other_taker(record: Record) -> None:
    """A trick goes to the wrong seat."""
    data = only(record, "trick_taken", 15)["data"]
    data["seat"] = (data["seat"] + 1) % 4


def other_dealer(record: Record) -> None:
    """The deal does not pass to the left."""
    data = only(record, "deal_started", 1)["data"]
    data["dealer"] = (data["dealer"] + 1) % 4


def better_hands(record: Record) -> None:
    """Two seats' hands are exchanged in the reveal of a shuffled deal."""
    opened = only(record, "deal_revealed", 1)["data"]["opened"]
    opened[0]["body"], opened[1]["body"] = opened[1]["body"], opened[0]["body"]


def other_pass(record: Record) -> None:
    """The opened pass is not the one that was sealed."""
    opened = only(record, "deal_revealed", 1)["data"]["opened"]
    hand, passed = json.loads(opened[0]["body"]), json.loads(opened[4]["body"])
    passed["cards"] = [card for card in hand["cards"] if card not in passed["cards"]][
        :3
    ]
    opened[4]["body"] = json.dumps(passed, separators=(",", ":"))


def other_arrangement(record: Record) -> None:
    """The opened arrangement is not the one that was sealed."""
    [opened] = only(record, "match_revealed")["data"]["opened"]
    opened["body"] = opened["body"].replace('"first_dealer":0', '"first_dealer":1')


def hidden_arrangement(record: Record) -> None:
    """An arranged deal is passed off as a shuffled one."""
    only(record, "deal_started")["data"]["arranged"] = False


def other_match_secret(record: Record) -> None:
    """The match's secret is not the one that was committed to."""
    only(record, "match_revealed")["data"]["secret"] = "5e" * 32


def other_deal_secret(record: Record) -> None:
    """A deal's secret does not come from the match's."""
    only(record, "deal_revealed", 1)["data"]["secret"] = "5e" * 32


def other_entropy(record: Record) -> None:
    """A seat's entropy is not what it gave."""
    only(record, "match_started")["data"]["entropy"][0] = "5e" * 32


def other_seal(record: Record) -> None:
    """A commitment does not fit what is opened."""
    only(record, "hand_dealt", 5)["data"]["seal"] = "5e" * 32


def not_broken(record: Record) -> None:
    """That hearts were broken is left out."""
    record["events"].remove(only(record, "hearts_broken"))


def no_moon(record: Record) -> None:
    """A moon is left out, and the deal scored card by card."""
    record["events"].remove(only(record, "moon_shot"))
    record["events"].remove(only(record, "moon_settled"))
    scored = only(record, "deal_scored")["data"]
    scored["points"] = scored["scores"] = [26, 0, 0, 0]


def other_mover(record: Record) -> None:
    """A card is played by somebody else."""
    event = only(record, "card_played", 9)
    event["by"] = {"seat": (event["data"]["seat"] + 1) % 4}


def other_append(record: Record) -> None:
    """A consequence is said to come from another command."""
    only(record, "trick_taken", 3)["command"] = str(UUID(int=5))


def other_deal_number(record: Record) -> None:
    """An event is put down to another deal."""
    only(record, "card_played", 3)["deal"] = 2


def other_options(record: Record) -> None:
    """The table is said to have had another target."""
    only(record, "table_opened")["data"]["options"]["target"] = 61


def cut(record: Record) -> None:
    """The last event is missing."""
    record["events"].pop()


def one_more(record: Record) -> None:
    """Something happens after the end."""
    record["events"].append(deepcopy(only(record, "table_opened")))


DOCTORS: list[Callable[[Record], None]] = [
    other_card,
    revoke,
    swapped,
    other_points,
    other_scores,
    other_winner,
    other_taker,
    other_dealer,
    better_hands,
    other_pass,
    other_arrangement,
    hidden_arrangement,
    other_match_secret,
    other_deal_secret,
    other_entropy,
    other_seal,
    not_broken,
    no_moon,
    other_mover,
    other_append,
    other_deal_number,
    other_options,
    cut,
    one_more,
]


@pytest.mark.parametrize("doctor", DOCTORS)
def test_a_lie_is_found_though_the_hashes_fit(
    record: Record, doctor: Callable[[Record], None]
) -> None:
    """One thing is changed and everything hashed again: the rules give it away."""
    doctor(record)
    assert len(check(rehashed(record))) == 1


@pytest.mark.parametrize("doctor", DOCTORS)
def test_a_lie_is_found_by_the_chain(
    record: Record, doctor: Callable[[Record], None]
) -> None:
    """One thing is changed and nothing hashed again: the chain gives it away."""
    doctor(record)
    complaints = check(record)
    assert any("hash" in it or "head" in it or "follow" in it for it in complaints)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    """Where in a document a plain value stands."""
    if isinstance(value, dict | list):
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for step, below in steps:
            yield from leaves(below, (*path, step))
    else:
        yield path


def test_no_plain_value_of_an_event_can_be_changed(record: Record) -> None:
    """Any of 60 values, drawn from all that stand in events, is missed when changed."""
    places = sorted(leaves(record["events"]), key=str)
    for path in Random(7).sample(places, 60):
        doctored = deepcopy(record)
        holder: Any = doctored["events"]
        *steps, last = path
        for step in steps:
            holder = holder[step]
        old = holder[last]
        holder[last] = old + 1 if type(old) is int else f"{old}0"
        assert check(doctored), path


def test_an_earlier_head_does_not_fit(record: Record) -> None:
    """The head of the document is the last event's."""
    record["head"] = record["events"][-2]["hash"]
    assert check(record) == ["the head is not that of the last event"]


def test_what_is_no_record_is_said_to_be_none() -> None:
    """Even nonsense is answered with complaints, not with an exception."""
    assert check({})
    assert check({"format": "misere-record/1", "table": {"id": "x"}, "events": []})
