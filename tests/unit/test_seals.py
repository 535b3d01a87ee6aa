"""What is sealed in the log, and who is given what opens it."""

import json
from hashlib import sha256
from itertools import combinations

import pytest

from domain import chain, log, views
from domain.cards import STANDARD_PACK
from domain.ids import Seat, Version
from domain.seals import seal
from tests.driver import Driver, arranged, cards, hearts
from tests.hearts_positions import MIXED

PASSES = ("AC QH 3S", "KH AD QS", "AH KS 6H", "AS QD JH")


@pytest.fixture
def driver() -> Driver:
    """A table at which all have passed to the left."""
    driver = hearts(arrangement=arranged(MIXED))
    driver.passes(*PASSES)
    return driver


def opened_to(driver: Driver, seat: int) -> dict[str, list[set[str]]]:
    """What a seat is opened, by the type of event that opens it."""
    kept = {line.version: json.loads(line.kept or b"{}") for line in driver.lines}
    found: dict[str, list[set[str]]] = {}
    for line in driver.lines:
        for version in views.opens(log.public_event(line.body), Seat(seat)):
            body = json.loads(kept[version]["body"])
            found.setdefault(line.type, []).append(set(body["cards"]))
    return found


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_is_opened_its_hand_its_pass_and_what_it_is_passed(
    driver: Driver, seat: int
) -> None:
    """Each on the event that lets the seat know it, and nothing more."""
    assert opened_to(driver, seat) == {
        "hand_dealt": [set(MIXED[seat].split())],
        "cards_passed": [set(PASSES[seat].split())],
        "passes_exchanged": [set(PASSES[seat - 1].split())],
    }


def test_salt_and_body_open_the_seal(driver: Driver) -> None:
    """The commitment in the public event is that of what is kept beside it."""
    sealed = [line for line in driver.lines if b'"seal"' in line.body]
    assert len(sealed) == 8
    for line in sealed:
        kept = json.loads(line.kept or b"{}")
        commitment = seal(
            driver.id, line.version, bytes.fromhex(kept["salt"]), kept["body"].encode()
        )
        assert json.loads(line.body)["data"]["seal"] == commitment.hex()


def test_the_same_cards_are_sealed_differently_each_time() -> None:
    """Two deals of the same hands have no seal and no salt in common."""
    driver = hearts({"passing": []}, arrangement=arranged(MIXED, MIXED))
    while driver.play_state().deal == 1:
        driver.step()
    kept = [
        json.loads(line.kept or b"{}")
        for line in driver.lines
        if line.type == "hand_dealt"
    ]
    assert len({hidden["body"] for hidden in kept}) == 4
    assert len({hidden["salt"] for hidden in kept}) == 8


def test_a_seal_is_not_opened_by_trying_all_cards(driver: Driver) -> None:
    """No salt that the public could guess gives the seal of any three cards."""
    [line, *_] = [line for line in driver.lines if line.type == "cards_passed"]
    found = bytes.fromhex(json.loads(line.body)["data"]["seal"])
    assert driver.table.started is not None
    guesses = [b"", bytes(32), bytes.fromhex(driver.table.started.commitment)]
    place = driver.id.bytes + Version(line.version).to_bytes(8, "big")
    for three in combinations(STANDARD_PACK, 3):
        body = chain.canonical({"cards": three})
        for salt in guesses:
            assert sha256(b"seal/1\0" + place + salt + body).digest() != found


def test_an_event_with_what_it_opens_is_served_in_canonical_json(
    driver: Driver,
) -> None:
    """The additions stand where sorted keys have them."""
    line = next(line for line in driver.lines if line.type == "hand_dealt")
    kept = json.loads(line.kept or b"{}")
    opens = [log.Opens(line.version, kept["salt"], kept["body"])]
    previous = driver.lines[line.version - 2].hash
    text = log.served(line.body, previous, line.hash, opens)
    served = json.loads(text)
    assert chain.canonical(served) == text
    assert served["prev"] == previous.hex()
    assert served["hash"] == line.hash.hex()
    assert (
        served["opens"][0]["body"]
        == chain.canonical(
            {"cards": sorted(cards(MIXED[0]), key=lambda card: card.index)}
        ).decode()
    )


def test_only_what_is_hidden_is_kept_apart(driver: Driver) -> None:
    """Secrets and sealed texts stand beside the log, and nothing else does."""
    kinds = {line.type for line in driver.lines if line.kept is not None}
    assert kinds == {"table_opened", "deal_started", "hand_dealt", "cards_passed"}
    for line in driver.lines:
        assert b'"secret"' not in line.body
        assert b'"salt"' not in line.body
