"""The steady player of Tetka: what it plays in a few situations.

It has seat 3, and plays last to the first trick unless said otherwise.
"""

from random import Random

from domain import views
from domain.bots import BOTS
from domain.cards import STANDARD_PACK, Card
from domain.commands import Play
from domain.terms import Options as TableOptions
from tests.driver import Driver, cards
from tests.tetka_positions import photographed, tetka


def table(
    *hands: str, photograph: str = "5S", options: TableOptions | None = None
) -> Driver:
    """Seats hold at least these cards; seat 0 leads."""
    named = [list(cards(hand)) for hand in hands]
    rest = [card for card in STANDARD_PACK if all(card not in it for it in named)]
    for hand in named:
        while len(hand) < 13:
            hand.append(rest.pop())
    texts = [" ".join(map(str, hand)) for hand in named]
    return tetka(options, arrangement=photographed((photograph, texts)))


def choice(driver: Driver) -> Card:
    """What the steady player in the seat to act plays, whatever its luck."""
    [seat] = views.to_act(driver.table)
    sight = views.sight(driver.table, seat)
    moves = {BOTS["steady"](sight, Random(luck)) for luck in range(5)}
    [card] = [move.card for move in moves if isinstance(move, Play)]
    return card


PLAIN = "3D 7D KD 4H 8H JH KH 4S 6S TS JS 9C KC"
VOID = "4H 8H JH KH QH 4S 6S TS QS 9C KC 2C 3C"


def test_it_ducks_a_trick_with_a_queen_in_it() -> None:
    """As high as it can without winning."""
    driver = table("2D 6C 5C", "QD 2C 3C", "JD TC JC", PLAIN)
    driver.play("2D QD JD")
    assert choice(driver) == Card("7D")


def test_it_ducks_the_counting_trick() -> None:
    """The photograph is an ace: trick one costs a mark, whatever is in it."""
    driver = table("2D 6C 5C", "9D 2C 3C", "8D TC JC", PLAIN, photograph="AS")
    driver.play("2D 9D 8D")
    assert choice(driver) == Card("7D")


def test_it_takes_a_trick_that_costs_nothing_with_its_highest_card() -> None:
    """Which it is then rid of."""
    driver = table("2D 6C 5C", "8D 2C 3C", "9D TC JC", PLAIN)
    driver.play("2D 8D 9D")
    assert choice(driver) == Card("KD")


def test_it_sheds_a_queen_where_it_cannot_follow() -> None:
    """Or the photograph."""
    driver = table("2D 6C 5C", "8D 7C 4C", "9D TC JC", VOID)
    driver.play("2D 8D 9D")
    assert choice(driver) in cards("QS QH")
    driver = table(
        "2D 6C 5C",
        "8D 7C 4C",
        "9D TC JC QS QH",
        VOID.replace("Q", "7"),
        photograph="8H",
    )
    driver.play("2D 8D 9D")
    assert choice(driver) == Card("8H")


def test_it_sheds_first_what_costs_most() -> None:
    """A photographed queen, or by option the queen of the photograph's suit."""
    driver = table("2D 6C 5C", "8D 7C 4C", "9D TC JC", VOID, photograph="QH")
    driver.play("2D 8D 9D")
    assert choice(driver) == Card("QH")
    driver = table(
        "2D 6C 5C", "8D 7C 4C", "9D TC JC", VOID, options={"suit_queen_mark": True}
    )
    driver.play("2D 8D 9D")
    assert choice(driver) == Card("QS")


def test_it_drops_a_queen_under_a_higher_card() -> None:
    """Though it has a lower one to keep her with."""
    mine = "3D QD 2D 4H 8H JH KH 4S 6S TS JS 9C KC"
    driver = table("AD 6C 5C", "8D 2C 3C", "9D TC JC", mine)
    driver.play("AD 8D 9D")
    assert choice(driver) == Card("QD")


def test_it_never_revokes() -> None:
    """Where it could, to be rid of two queens for three tricks."""
    mine = "KD 2H QH 4H 8H JH KH 4S 6S TS QS 9C KC"
    driver = table(
        "2D 6C 5C", "QD 2C 3C", "JD TC JC", mine, options={"revokes": "penalised"}
    )
    driver.play("2D QD JD")
    assert choice(driver) == Card("KD")
