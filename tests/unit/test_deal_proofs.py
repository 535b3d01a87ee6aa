"""The proof of a deal, checked with nothing of the domain's own arithmetic."""

from collections.abc import Iterable
from importlib.resources import files
from typing import Final

import pytest
from msgspec import convert, json

from domain import log
from domain.errors import DealIsNotOver
from domain.events import DealStarted, HandDealt, KittyDealt
from domain.proofs import DealProof, OpenedSeal, deal_proof
from domain.terms import Options
from tests.driver import (
    Driver,
    arranged,
    hearts,
    hearts_of_people,
    of_bots,
    of_kind,
)
from tests.hearts_positions import MIXED
from tests.independent.record_check import Json, Stream, mac, sha

GAMES: Final[dict[str, tuple[int, Options]]] = {
    "hearts": (4, {"target": 60}),
    "cancellation-hearts": (7, {"target": 60}),
    "tetka": (4, {"length": "deals", "deals": 3}),
    "agony-aunt": (4, {"counters": 11}),
    "auction-hearts": (5, {"deals": 3}),
}


def proofs(driver: Driver) -> Iterable[DealProof]:
    """The proofs of all deals of a match."""
    told = [log.public_event(line.body) for line in driver.lines]
    for started in of_kind(driver.events(), DealStarted):
        yield deal_proof(told, started.deal)


def check(proof: DealProof) -> None:
    """Do by hand what a proof is for."""
    said: Json = json.decode(json.encode(proof))
    place = proof.table.bytes + proof.deal.to_bytes(4, "big")
    secret = bytes.fromhex(said["secret"])
    assert sha(b"deal/1 commit\0", place, secret).hex() == said["commitment"]
    for seal in proof.seals:
        check_seal(proof, secret, seal)
    if proof.match:
        opening = bytes.fromhex(proof.match.secret)
        commitment = sha(b"match/1 commit\0", proof.table.bytes, opening)
        assert commitment.hex() == proof.match.commitment
        if not proof.arranged:
            assert mac(opening, b"match/1 deal\0", place) == secret
        for seal in proof.match.seals:
            check_seal(proof, opening, seal)
    if not said["shuffle"]:
        assert proof.arranged
        return
    entropy = b"".join(map(bytes.fromhex, said["entropy"]))
    count = bytes([len(said["entropy"])])
    key = mac(secret, b"deal/1 seed\0", place, count, entropy)
    assert key.hex() == said["shuffle"]["key"]
    block = sha(key, bytes(8))
    words = [int.from_bytes(block[at : at + 2], "big") for at in range(0, 32, 2)]
    assert words == said["shuffle"]["words"]
    check_cards(said, Stream(key))


def check_seal(proof: DealProof, secret: bytes, seal: OpenedSeal) -> None:
    """A seal is that of its body, under the salt that the secret gives."""
    place = proof.table.bytes + seal.version.to_bytes(8, "big")
    salt = mac(secret, b"seal/1 salt\0", place)
    assert salt.hex() == seal.salt
    assert sha(b"seal/1\0", place, salt, seal.body.encode()).hex() == seal.seal


def check_cards(said: Json, stream: Stream) -> None:
    """The order is that of the stream, the cards went round in that order."""
    order = said["shuffle"]["order"]
    suits, ranks = "CDHS", "23456789TJQKA"
    height = {
        rank + suit: (suit, ranks.index(rank)) for suit in suits for rank in ranks
    }
    in_order = sorted((card for card in order if card != "JK"), key=height.__getitem__)
    if len(order) > 53:
        in_order = [*dict.fromkeys(in_order)] * 2
    pack = in_order + ["JK"] * order.count("JK")
    stream.shuffle(pack)
    assert pack == order
    for drawn in said["shuffle"]["drawn"]:
        assert stream.below(drawn["below"]) == drawn["value"]
    dealt = list(order)
    seats, dealer = len(said["hands"]), said["dealer"]
    if "JK" in dealt:
        turned = dealt.pop(0)
        if turned == "JK":
            turned = dealt.pop(0)
            dealt.insert(said["shuffle"]["drawn"][0]["value"], "JK")
        assert turned == said["turned"]
    each = len(dealt) // seats
    for seat, hand in enumerate(said["hands"]):
        first = (seat - dealer - 1) % seats
        assert sorted(hand) == sorted(dealt[first : each * seats : seats])
    assert sorted(said["kitty"]) == sorted(dealt[each * seats :])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_every_deal_of_a_match_can_be_checked_by_hand(game: str, seed: int) -> None:
    """In each game; the hands are those that were dealt."""
    seats, options = GAMES[game]
    driver = of_bots(game, options, seats=seats, seed=seed).finish()
    found = list(proofs(driver))
    for proof in found:
        check(proof)
        assert proof.match
        assert (len(proof.shuffle.drawn) if proof.shuffle else 0) <= 1
    hands = [event.cards for event in of_kind(driver.events(), HandDealt)]
    assert [hand for proof in found for hand in proof.hands] == hands
    kitties = [event.cards for event in of_kind(driver.events(), KittyDealt)]
    assert [proof.kitty for proof in found if proof.kitty] == kitties


def test_the_jokers_place_and_the_photograph_are_told() -> None:
    """What was drawn after the shuffle is there to be drawn again."""
    tetka = next(iter(proofs(of_bots("tetka", {"length": "deals"}).finish())))
    assert tetka.shuffle
    [photograph] = tetka.shuffle.drawn
    assert photograph.below == 52
    assert tetka.turned
    assert tetka.turned.index == photograph.value
    buried = [
        drawn.below
        for seed in range(60)
        for proof in proofs(of_bots("agony-aunt", seed=seed).abandon())
        if proof.shuffle
        for drawn in proof.shuffle.drawn
    ]
    assert set(buried) == {52}


def test_entropy_of_the_seats_is_in_the_key() -> None:
    """Those who gave none have zeros."""
    driver = hearts_of_people({"target": 30}, seed=4).finish()
    [first, *_] = proofs(driver)
    assert [given == "00" * 32 for given in first.entropy] == [False, True, False, True]
    check(first)


def test_a_deal_that_is_on_has_no_proof() -> None:
    """Nor one that is to come; those that are over have theirs, without M."""
    driver = hearts(seed=1)
    while driver.play_state().deal < 3:
        driver.step()
    told = [log.public_event(line.body) for line in driver.lines]
    for deal in (1, 2):
        proof = deal_proof(told, deal)
        check(proof)
        assert proof.match is None
        assert driver.table.opened.secret.hex() not in json.encode(proof).decode()
    with pytest.raises(DealIsNotOver):
        deal_proof(told, 3)
    for deal in (0, 4):
        with pytest.raises(LookupError):
            deal_proof(told, deal)


def test_a_void_deal_has_a_proof() -> None:
    """Whoever gives the table up shows what was dealt."""
    [proof] = proofs(hearts(seed=1).abandon())
    check(proof)
    assert proof.match


def test_the_documented_proof_can_be_checked_by_hand() -> None:
    """The example of the API is a real deal's."""
    example = files("api") / "examples" / "readDealProof.json"
    check(convert(json.decode(example.read_bytes())["answer"], DealProof))


def test_an_arranged_deal_claims_no_shuffle() -> None:
    """Its cards are sealed in the arrangement, which the match's end opens."""
    driver = hearts({"target": 20}, arrangement=arranged(MIXED), seed=2).finish()
    first, *others = proofs(driver)
    check(first)
    assert first.arranged
    assert first.match
    [arrangement] = first.match.seals
    assert arrangement.type == "table_opened"
    deals = json.decode(arrangement.body)["arrangement"]["deals"]
    assert deals[0]["hands"] == [[str(card) for card in hand] for hand in first.hands]
    for proof in others:
        assert proof.shuffle
        check(proof)
