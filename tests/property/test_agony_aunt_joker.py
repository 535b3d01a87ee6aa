"""The Joker of Agony Aunt is the turned card, whatever was turned and is held."""

from hypothesis import given
from hypothesis import strategies as st

from domain.cards import Card, cards_of, holding
from domain.games.agony_aunt import GAME
from domain.games.agony_aunt.joker import exchanged
from domain.ids import Seat
from domain.shuffle import Words
from tests.agony_aunt_positions import PACK, STANDARD, accepted, position
from tests.property.effort import QUICK

orders = st.permutations(PACK).filter(lambda order: order[0] is not Card.JOKER)


def suit(card: Card, turned: Card) -> str:
    """The letter of the suit as which a card counts."""
    return str(turned if card is Card.JOKER else card)[1]


@QUICK
@given(orders, st.integers(1, 13))
def test_the_suit_led_is_followed_by_what_counts_as_it(
    order: list[Card], size: int
) -> None:
    """By the Joker too; with nothing that does, any card may be played."""
    turned, led, *rest = order
    hand = cards_of(holding(rest[:size]))
    follow = [card for card in hand if suit(card, turned) == suit(led, turned)]
    state = position(" ".join(map(str, hand)), table=str(led), turned=str(turned))
    assert accepted(state) == " ".join(map(str, follow or hand))


@QUICK
@given(orders, st.integers(0, 52))
def test_joker_and_turned_card_change_places_and_back(
    order: list[Card], size: int
) -> None:
    """No other card of a holding changes, nor how many there are."""
    turned, *rest = order
    held = holding(rest[:size])
    there = exchanged(held, turned)
    assert not there & Card.JOKER.bit
    assert set(cards_of(there)) - {turned} == set(cards_of(held)) - {Card.JOKER}
    assert bool(there & turned.bit) == bool(held & Card.JOKER.bit)
    assert exchanged(there, turned) == held


@QUICK
@given(st.binary(min_size=32, max_size=32))
def test_the_joker_is_always_dealt(key: bytes) -> None:
    """With 51 of the others; the one that is left is turned."""
    layout = GAME.shuffle(GAME.begin(STANDARD, 4, None), Seat(0), Words(key))
    dealt = [card for hand in layout.hands for card in cards_of(hand)]
    assert Card.JOKER in dealt
    assert layout.shown is not None
    assert sorted([*dealt, layout.shown.card], key=PACK.index) == list(PACK)
