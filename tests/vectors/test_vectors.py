"""The published vectors of `chain/1`, `seal/1`, `match/1` and `deal/1`.

Programs in two other languages reproduce the same files; where they and the domain
disagree, records made here could not be checked by anybody else.
"""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain import chain, seals, shuffle
from domain.cards import STANDARD_PACK, cards_of
from domain.games import GAMES
from domain.ids import Hash, Seat, Secret, TableId, Version

Vector = dict[str, Any]


def read(name: str) -> list[Vector]:
    """The vectors of a file."""
    content = json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
    return content if isinstance(content, list) else [content]


def table_of(vector: Vector) -> TableId:
    """The vector's table."""
    return TableId(UUID(hex=vector["table"]))


def secret_of(vector: Vector, whose: str) -> Secret:
    """The secret of the vector's `match` or `deal`."""
    return Secret(bytes.fromhex(vector[f"{whose}_secret"]))


def entropy_of(vector: Vector) -> list[bytes]:
    """What each seat of the vector added to the shuffle."""
    return [bytes.fromhex(given) for given in vector["entropy"]]


DEALT = [vector for vector in read("games-1") if vector.get("game") in GAMES]
DEALER_DRAWS = [vector for vector in read("games-1") if "first_dealer" in vector]
SEAT_DRAWS = [vector for vector in read("games-1") if "seat_cards" in vector]


def test_a_chain_begins_at_its_table_and_takes_up_each_event() -> None:
    """The head before any event, and after each, is the published one."""
    [vector] = read("chain-1")
    head = chain.origin(table_of(vector))
    assert head.hex() == vector["h0"]
    bodies = [link["body"].encode() for link in vector["links"]]
    for body, link in zip(bodies, vector["links"], strict=True):
        head = chain.link(head, body)
        assert head.hex() == link["hash"]
    assert chain.head(table_of(vector), bodies) == head


def test_the_bodies_of_the_chain_are_canonical() -> None:
    """Decoded and spelled again, each body is the same bytes."""
    [vector] = read("chain-1")
    for link in vector["links"]:
        assert chain.canonical(json.loads(link["body"])) == link["body"].encode()


@pytest.mark.parametrize("vector", read("seal-1"))
def test_a_seal_and_its_salt_come_from_the_deals_secret(vector: Vector) -> None:
    """Salt and seal of a body at a version are the published ones."""
    table, version = table_of(vector), Version(vector["version"])
    salted = seals.salt(secret_of(vector, "deal"), table, version)
    sealed: Hash = seals.seal(table, version, salted, vector["body"].encode())
    assert salted.hex() == vector["salt"]
    assert sealed.hex() == vector["seal"]


@pytest.mark.parametrize("vector", read("match-1"), ids=lambda it: f"deal {it['deal']}")
def test_commitments_bind_the_match_and_each_of_its_deals(vector: Vector) -> None:
    """The match's secret gives its commitment, each deal's secret and that one's."""
    table, number, match = (
        table_of(vector),
        vector["deal"],
        secret_of(vector, "match"),
    )
    deal = shuffle.deal_secret(table, number, match)
    committed = shuffle.deal_commitment(table, number, deal)
    assert shuffle.match_commitment(table, match).hex() == vector["match_commitment"]
    assert deal.hex() == vector["deal_secret"]
    assert committed.hex() == vector["deal_commitment"]


@pytest.mark.parametrize(
    "vector", read("deal-1"), ids=lambda it: f"{it['n']} cards, deal {it['deal']}"
)
def test_the_order_of_the_cards_comes_from_secret_and_entropy(vector: Vector) -> None:
    """Commitment, key and shuffled order are the published ones."""
    table, number, secret = table_of(vector), vector["deal"], secret_of(vector, "deal")
    committed = shuffle.deal_commitment(table, number, secret)
    key = shuffle.deal_key(table, number, secret, entropy_of(vector))
    assert committed.hex() == vector["commitment"]
    assert key.hex() == vector["deal_key"]
    assert shuffle.Words(key).shuffled(range(vector["n"])) == vector["order"]


@pytest.mark.parametrize(
    "vector", read("deal-1"), ids=lambda it: f"{it['n']} cards, deal {it['deal']}"
)
def test_words_that_would_favour_a_card_are_passed_over(vector: Vector) -> None:
    """A shuffle uses one word a swap, and one more for each that was rejected."""
    key = bytes.fromhex(vector["deal_key"])
    drawn = shuffle.Words(key)
    drawn.shuffled(range(vector["n"]))
    skipped = shuffle.Words(key)
    for _ in range(vector["n"] - 1 + vector["rejected"]):
        skipped.below(1)
    assert [drawn.below(1 << 16) for _ in range(40)] == [
        skipped.below(1 << 16) for _ in range(40)
    ]


@pytest.mark.parametrize(
    "vector",
    DEALT,
    ids=lambda it: f"{it['game']}, {it['seats']} seats, deal {it['deal']}",
)
def test_a_deal_gives_each_seat_the_published_hand(vector: Vector) -> None:
    """From the match's secret to the hands, one card at a time from dealer's left."""
    table, number, seats = table_of(vector), vector["deal"], vector["seats"]
    game = GAMES[vector["game"]]
    secret = shuffle.deal_secret(table, number, secret_of(vector, "match"))
    key = shuffle.deal_key(table, number, secret, entropy_of(vector))
    state = game.begin(game.presets[game.default_preset], seats, None)
    layout = game.shuffle(state, Seat(vector["dealer"]), shuffle.Words(key))
    hands = [[str(card) for card in cards_of(hand)] for hand in layout.hands]
    assert key.hex() == vector["deal_key"]
    assert hands == vector["hands"]
    assert [str(card) for card in cards_of(layout.kitty)] == vector["kitty"]
    shown = str(layout.shown.card) if layout.shown else None
    assert shown == (vector["turned"] or vector.get("photograph"))


@pytest.mark.parametrize("vector", DEALER_DRAWS, ids=lambda it: f"{it['seats']} seats")
def test_the_first_dealer_is_draw_nought(vector: Vector) -> None:
    """Who deals first follows from the match's secret and everybody's entropy."""
    key = shuffle.draw_key(
        table_of(vector), 0, secret_of(vector, "match"), entropy_of(vector)
    )
    assert key.hex() == vector["draw_key"]
    assert shuffle.Words(key).below(vector["seats"]) == vector["first_dealer"]


@pytest.mark.parametrize("vector", SEAT_DRAWS, ids=lambda it: f"draw {it['draw']}")
def test_new_seats_are_drawn_from_one_pack(vector: Vector) -> None:
    """A later draw shuffles the 52 cards, and the players take them from the top."""
    key = shuffle.draw_key(
        table_of(vector),
        vector["draw"],
        secret_of(vector, "match"),
        entropy_of(vector),
    )
    order = shuffle.Words(key).shuffled(STANDARD_PACK)
    assert key.hex() == vector["draw_key"]
    assert [str(card) for card in order[:8]] == vector["seat_cards"]
