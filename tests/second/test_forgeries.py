"""Well-made forgeries of deals: what gives them away, and what nothing does."""

import json
from collections.abc import Callable
from copy import deepcopy
from uuid import UUID

import pytest

from domain.chain import canonical
from tests.driver import hearts
from tests.games import TRIALS
from tests.second.forging import Forger
from tests.second.node import report
from tests.second.records import events_of, joined, lines_of, match, rehashed

OTHER = "5e" * 32
"""32 bytes that somebody likes better."""

Found = tuple[str, int]
"""The check that gives a forgery away, and the version."""


def swapped_hands(forger: Forger) -> Found:
    """Two seats' hands change places."""
    one, other, *_ = forger.texts(2).values()
    one["body"], other["body"] = other["body"], one["body"]
    return "deals", one["version"]


def other_dealer(forger: Forger) -> Found:
    """The second deal's dealer is another, and the cards go round from there."""
    data = forger.data("deal_started", 1)
    data["dealer"] = (data["dealer"] + 1) % 4
    forger.deal_again()
    return "draws", forger.version("deal_started", 1)


def other_first_dealer(forger: Forger) -> Found:
    """Every deal begins a seat further on."""
    for event in forger.all("deal_started"):
        event["data"]["dealer"] = (event["data"]["dealer"] + 1) % 4
    forger.deal_again()
    return "draws", forger.version("deal_started")


def chosen_deal_secret(forger: Forger) -> Found:
    """The server tries secrets until it likes the cards of the second deal."""
    forger.data("deal_revealed", 1)["secret"] = OTHER
    forger.deal_again()
    return "commitments", forger.version("deal_started", 1)


def chosen_match_secret(forger: Forger) -> Found:
    """Another match's secret is committed to, and the deals keep theirs."""
    forger.data("match_revealed")["secret"] = OTHER
    return "commitments", forger.version("deal_started")


def chosen_entropy(forger: Forger) -> Found:
    """The match starts with what no seat gave."""
    forger.data("match_started")["entropy"][1] = OTHER
    forger.deal_again()
    return "commitments", forger.version("match_started")


def another_player(forger: Forger) -> Found:
    """The match starts with somebody who did not sit down."""
    forger.data("match_started")["players"][1] = {"player": str(UUID(int=7))}
    return "commitments", forger.version("match_started")


def late_entropy(forger: Forger) -> Found:
    """A seat gives its entropy when the match is on."""
    late = deepcopy(forger.all("seat_taken")[0])
    late |= {"type": "entropy_given", "data": {"seat": 0, "entropy": OTHER}}
    at = forger.version("card_played", 3)
    forger.events.insert(at, late | {"deal": 1, "command": str(UUID(int=7))})
    return "reveals", at + 1


def claimed_arrangement(forger: Forger) -> Found:
    """A shuffled deal is passed off as an arranged one, its secret free to choose."""
    forger.data("deal_started", 1)["arranged"] = True
    forger.data("deal_revealed", 1)["secret"] = OTHER
    forger.deal_again()
    return "deals", forger.version("deal_started", 1)


def unopened(forger: Forger) -> Found:
    """A hand is left out of the reveal."""
    del forger.data("deal_revealed")["opened"][2]
    return "seals", forger.version("deal_revealed")


def unrevealed(forger: Forger) -> Found:
    """The first deal is not revealed."""
    at = forger.version("deal_revealed")
    del forger.events[at - 1]
    return "reveals", at


def revealed_early(forger: Forger) -> Found:
    """The second deal is revealed before it is over."""
    reveal = forger.all("deal_revealed")[1]
    forger.events.remove(reveal)
    at = forger.version("card_played", 60)
    forger.events.insert(at, reveal)
    return "reveals", at + 2


def five_cards_dealt(forger: Forger) -> Found:
    """A seat is dealt fewer cards than the event counts."""
    hidden = forger.texts(1)[forger.version("hand_dealt", 2)]
    hand = json.loads(hidden["body"])["cards"]
    hidden["body"] = json.dumps({"cards": hand[:5]}, separators=(",", ":"))
    return "seals", hidden["version"]


def another_append(forger: Forger) -> Found:
    """What a play brought about is said to come of another command."""
    taken = forger.all("trick_taken")[3]
    taken["command"] = forger.events[0]["command"]
    return "appends", forger.version("trick_taken", 3)


def another_hour(forger: Forger) -> Found:
    """What a play brought about is said to have come later."""
    forger.all("trick_taken")[3]["at"] = "2026-11-30T23:00:00.000000Z"
    return "appends", forger.version("trick_taken", 3)


def one_more(forger: Forger) -> Found:
    """Something happens after the end."""
    forger.events.append(forger.events[5] | {"command": str(UUID(int=7))})
    return "reveals", len(forger.events)


def cut_tail(forger: Forger) -> Found:
    """The record ends in the middle of a deal."""
    del forger.events[100:]
    return "reveals", 101


FORGERIES: list[Callable[[Forger], Found]] = [
    swapped_hands,
    other_dealer,
    other_first_dealer,
    chosen_deal_secret,
    chosen_match_secret,
    chosen_entropy,
    another_player,
    late_entropy,
    claimed_arrangement,
    unopened,
    unrevealed,
    revealed_early,
    five_cards_dealt,
    another_append,
    another_hour,
    one_more,
    cut_tail,
]


def must_be_found(forger: Forger, found: Found) -> None:
    """The forgery is found there, by that check before all others."""
    said = report(joined(forger.seal_again().record()))
    check, version = found
    assert said["first_bad_version"] == version, said["why"]
    assert said["why"].startswith(f"{check}: {version} "), said["why"]


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_found_though_all_hashes_and_seals_fit(
    forgery: Callable[[Forger], Found],
) -> None:
    """One thing is changed, what hangs on it made to fit: this gives it away."""
    forger = Forger("hearts")
    must_be_found(forger, forgery(forger))


@pytest.mark.parametrize("game", TRIALS)
def test_a_forger_who_changes_nothing_has_a_good_record(game: str) -> None:
    """Sealing, dealing and hashing again brings the same record."""
    forger = Forger(game)
    before = list(forger.lines)
    if game in {"hearts", "auction-hearts"}:
        forger.deal_again()
    assert forger.seal_again().record() == before


@pytest.mark.parametrize("game", ["tetka", "agony-aunt"])
def test_an_open_card_that_somebody_liked_better_is_found(game: str) -> None:
    """The photograph, and the card that is turned."""
    forger = Forger(game)
    data = forger.data("card_turned", 1)
    data["card"] = "2C" if data["card"] != "2C" else "3C"
    must_be_found(forger, ("deals", forger.version("card_turned", 1)))


def test_a_kitty_that_somebody_liked_better_is_found() -> None:
    """A card of the kitty for one of a hand."""
    forger = Forger("cancellation-hearts")
    texts = forger.texts(1)
    kitty = texts[forger.version("kitty_dealt")]
    hand = texts[forger.version("hand_dealt", 5)]
    inside, outside = (json.loads(it["body"])["cards"] for it in (hand, kitty))
    inside[0], outside[0] = outside[0], inside[0]
    for it, cards in ((hand, inside), (kitty, outside)):
        it["body"] = json.dumps({"cards": cards}, separators=(",", ":"))
    must_be_found(forger, ("deals", hand["version"]))


def test_a_joker_that_was_never_turned_is_found() -> None:
    """Two seats' cards change places, one of them the Joker."""
    forger = Forger("agony-aunt")
    texts = list(forger.texts(1).values())[:4]
    hands = [json.loads(it["body"])["cards"] for it in texts]
    has = next(at for at, hand in enumerate(hands) if "JK" in hand)
    gets = (has + 1) % 4
    hands[has][-1], hands[gets][-1] = hands[gets][-1], hands[has][-1]
    for it, cards in zip(texts, hands, strict=True):
        it["body"] = json.dumps({"cards": cards}, separators=(",", ":"))
    must_be_found(forger, ("deals", texts[min(has, gets)]["version"]))


@pytest.mark.parametrize("what", ["cards", "seats"])
def test_seats_that_were_drawn_otherwise_are_found(what: str) -> None:
    """After four rubbers of Tetka: other cards, or other seats for these cards."""
    forger = Forger("tetka", recorded=True)
    drawn = forger.data("seats_drawn")[what]
    drawn[0], drawn[1] = drawn[1], drawn[0]
    must_be_found(forger, ("draws", forger.version("seats_drawn")))


def test_seats_that_were_not_drawn_are_missed() -> None:
    """The players stay where they sat."""
    forger = Forger("tetka", recorded=True)
    at = forger.version("seats_drawn")
    del forger.events[at - 1]
    for event in forger.events[at - 1 :]:
        for opened in event["data"].get("opened", ()):
            opened["version"] -= 1
    must_be_found(forger, ("draws", at))


def test_an_arranged_deal_that_is_passed_off_as_shuffled_is_found() -> None:
    """Its secret does not come of the match's."""
    forger = Forger("hearts", recorded=True)
    forger.data("deal_started")["arranged"] = False
    must_be_found(forger, ("commitments", forger.version("deal_started")))


def test_an_arrangement_that_was_not_dealt_is_found() -> None:
    """Another one is sealed and opened."""
    forger = Forger("hearts", recorded=True)
    [opened] = forger.data("match_revealed")["opened"]
    arrangement = json.loads(opened["body"])
    hands = arrangement["arrangement"]["deals"][0]["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    opened["body"] = json.dumps(arrangement, separators=(",", ":"))
    must_be_found(forger, ("deals", forger.version("hand_dealt")))


@pytest.mark.parametrize("name", ["game", "options", "status", "arranged", "winner"])
def test_a_header_that_says_otherwise_is_found(name: str) -> None:
    """It is not hashed, so it is held against the events, which tell of no winner."""
    lines = lines_of(match("hearts", 4, seed=1))
    header = json.loads(lines[0])
    header["table"][name] = "abandoned"
    lines[0] = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    said = report(joined(lines))
    assert (said["first_bad_version"], said["why"][:7]) == (1, "header:")


@pytest.mark.parametrize(("name", "value"), [("game", "whist"), ("rules_version", 2)])
def test_how_unknown_games_are_dealt_is_not_guessed(name: str, value: object) -> None:
    """Their deals are not called good, though all else may be."""
    forger = Forger("hearts")
    forger.data("table_opened")[name] = value
    header = json.loads(forger.lines[0])
    header["table"][name] = value
    lines = [canonical(header), *forger.record()[1:]]
    said = report(joined(lines))
    bad = {it["name"] for it in said["checks"] if not it["ok"]}
    assert bad == {"draws", "deals"}
    assert said["first_bad_version"] == 1


def test_plays_are_not_judged() -> None:
    """That a card was not in the hand is for the server's own verifier to find."""
    forger = Forger("hearts")
    forger.data("card_played", 5)["card"] = forger.data("card_played", 7)["card"]
    assert report(joined(forger.seal_again().record()))["ok"]


def test_another_story_is_told_from_the_true_one_by_a_kept_head_alone() -> None:
    """Whoever runs the server can write a whole table anew."""
    true, false = (lines_of(match("hearts", 4, seed=9)) for _ in range(2))
    events = events_of(false)
    for event in events:
        event["at"] = event["at"].replace("2026", "2025")
    header = json.loads(false[0])
    header["table"]["created_at"] = events[0]["at"]
    false = rehashed([canonical(header), *false[1:]], events)
    kept = json.loads(true[5])["hash"]
    assert header["table"]["id"] in true[1].decode()
    assert report(joined(false))["ok"]
    assert not report(joined(false), head=kept)["ok"]
    assert report(joined(true), head=kept)["ok"]


def test_a_tail_that_was_cut_is_missed_by_a_kept_head_alone() -> None:
    """The match is said to have been given up where it went on."""
    driver = hearts({"target": 30}, seed=9)
    for _ in driver.prefixes(30):
        pass
    shared = driver.lines[-1].hash.hex()
    cut = deepcopy(driver).abandon()
    driver.finish()
    kept = driver.lines[-5].hash.hex()
    assert report(joined(lines_of(cut)), head=shared)["ok"]
    assert not report(joined(lines_of(cut)), head=kept)["ok"]
    assert report(joined(lines_of(driver)), head=kept)["ok"]
