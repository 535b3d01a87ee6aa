"""The rules of Tetka, one by one: the deal, the play, the options."""

import pytest
from msgspec import ValidationError, convert

from domain import views
from domain.cards import STANDARD_PACK, Card, cards_of
from domain.commands import Decline, OpenTable, Pass, Play
from domain.errors import InvalidTable, NotYourTurn, RuleViolation
from domain.events import (
    CardTurned,
    DealStarted,
    Event,
    HandDealt,
    KittyDealt,
    TrickTaken,
)
from domain.games.tetka import GAME
from domain.games.tetka.catalogue import RULES
from domain.games.tetka.options import Options
from domain.games.tetka.view import view
from domain.ids import Seat
from domain.shuffle import Words
from domain.terms import ArrangedDeal
from tests.driver import BOT, HOST, Driver, cards
from tests.tetka_positions import (
    FOUR_SUITS,
    ME,
    PENALISED,
    STANDARD,
    TWO_SUITS,
    VERSION,
    accepted,
    photographed,
    position,
    state_of,
    tetka,
)

KEY = bytes(32)

LAST_CARD = Options(photograph="last_card")


def dealt(driver: Driver) -> list[Event]:
    """The events of the first deal's beginning."""
    append = driver.appends[0]
    starts = [isinstance(event, DealStarted) for event in append]
    return append[starts.index(True) :]


# Players, pack and deal.


@pytest.mark.parametrize("seats", [3, 5])
def test_tk_r1_exactly_four_play(seats: int) -> None:
    """A table of another size cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        Driver(OpenTable("tetka", {}, (BOT,) * seats, HOST))
    assert refusal.value.facts["field"] == "seats"


def test_tk_r3_and_r5_the_pack_is_dealt_out_thirteen_each() -> None:
    """All 52 cards, the photograph among them, are in the hands; nothing is left."""
    events = dealt(tetka())
    hands = [event.cards for event in events if isinstance(event, HandDealt)]
    assert [len(hand) for hand in hands] == [13] * 4
    assert {card for hand in hands for card in hand} == set(STANDARD_PACK)
    assert not any(isinstance(event, KittyDealt) for event in events)


def test_tk_r4_the_photograph_is_drawn_from_a_second_pack() -> None:
    """After the shuffle, from all 52, whatever was dealt; cards go one at a time."""
    words = Words(KEY)
    order = words.shuffled(STANDARD_PACK)
    photograph = STANDARD_PACK[words.below(52)]
    layout = GAME.shuffle(GAME.begin(STANDARD, 4, None), Seat(1), Words(KEY))
    assert layout.shown == CardTurned(photograph, "photograph")
    for place, seat in enumerate([2, 3, 0, 1]):
        assert set(cards_of(layout.hands[seat])) == set(order[place::4])


def test_tk_r4_by_option_the_last_card_is_photographed_and_then_the_dealers() -> None:
    """The last card of the order is the dealer's, and is shown."""
    order = Words(KEY).shuffled(STANDARD_PACK)
    layout = GAME.shuffle(GAME.begin(LAST_CARD, 4, None), Seat(1), Words(KEY))
    assert layout.shown == CardTurned(order[-1], "photograph")
    assert layout.hands[1] & order[-1].bit


def test_tk_r4_all_see_the_photograph_before_the_first_lead() -> None:
    """It is an event of the deal, before the hands, and the public sees it."""
    driver = tetka()
    began, turned = dealt(driver)[:2]
    assert isinstance(began, DealStarted)
    assert isinstance(turned, CardTurned)
    assert turned.as_ == "photograph"
    assert view(state_of(driver), None).photograph is turned.card


@pytest.mark.parametrize(
    ("deal", "says"),
    [
        (
            ArrangedDeal(hands=tuple(map(cards, FOUR_SUITS))),
            "A deal of Tetka needs its photograph.",
        ),
        (
            ArrangedDeal(hands=tuple(map(cards, FOUR_SUITS)), photograph=Card("JK")),
            "A deal of Tetka needs its photograph.",
        ),
        (
            ArrangedDeal(
                hands=tuple(map(cards, FOUR_SUITS)),
                photograph=Card("2D"),
                turned=Card("2D"),
            ),
            "Tetka turns no card but the photograph.",
        ),
        (
            ArrangedDeal(
                hands=tuple(map(cards, (FOUR_SUITS[0], *FOUR_SUITS[:3]))),
                photograph=Card("2D"),
            ),
            "An arranged deal must have exactly the cards that are dealt.",
        ),
        (
            ArrangedDeal(
                hands=tuple(map(cards, FOUR_SUITS)),
                photograph=Card("2D"),
                kitty=cards("2D"),
            ),
            "An arranged deal must have exactly the cards that are dealt.",
        ),
    ],
)
def test_an_arranged_deal_must_be_one_of_tetka(deal: ArrangedDeal, says: str) -> None:
    """It gives its photograph, turns nothing else, and deals the whole pack."""
    with pytest.raises(InvalidTable) as refusal:
        GAME.check_deal(STANDARD, 4, deal)
    assert refusal.value.text == says
    assert refusal.value.facts["field"] == "arrangement.deals"


# Play.


@pytest.mark.parametrize("dealer", range(4))
def test_tk_r6_the_dealers_left_leads_any_card(dealer: int) -> None:
    """Queens, the photograph, whatever is held."""
    chosen = photographed(("2D", FOUR_SUITS), first_dealer=dealer)
    driver = tetka(arrangement=chosen)
    left = Seat((dealer + 1) % 4)
    assert views.to_act(driver.table) == (left,)
    moves = GAME.legal(state_of(driver), left)
    assert moves == tuple(Play(card=card) for card in cards(FOUR_SUITS[left]))


def test_tk_r6_suit_is_followed_and_the_highest_card_of_it_wins() -> None:
    """Without the suit any card may be played, and none of them wins."""
    assert accepted(position("3D QD QS", table="2D AS")) == "3D QD"
    assert accepted(position("3H QC QS", table="2D AS")) == "QC 3H QS"
    driver = tetka(arrangement=photographed(("2D", TWO_SUITS)))
    assert TrickTaken(1, Seat(1)) in driver.play("2C TC AS AH")
    assert views.to_act(driver.table) == (1,)


def test_cm_4_another_suit_is_refused_in_a_sentence() -> None:
    """Which suit must be followed is said as data too."""
    with pytest.raises(RuleViolation) as refusal:
        GAME.decide(position("3D QS", table="2D"), ME, Play(card=Card("QS")), VERSION)
    assert refusal.value.rule == "CM-4"
    assert refusal.value.text == "You hold a diamond, so you must follow suit."
    assert refusal.value.facts == {"suit": "D"}


def test_cm_8_a_card_that_is_not_held_is_refused_in_a_sentence() -> None:
    """Whether or not it would follow suit."""
    for options in (STANDARD, PENALISED):
        with pytest.raises(RuleViolation) as refusal:
            GAME.decide(
                position("3D QS", table="2D", options=options),
                ME,
                Play(card=Card("4D")),
                VERSION,
            )
        assert refusal.value.rule == "CM-8"
        assert refusal.value.text == "You do not hold 4D."
        assert refusal.value.facts == {"card": "4D"}


@pytest.mark.parametrize("move", [Decline(), Pass(cards=cards("3D"))])
def test_cm_3_all_there_is_to_do_is_to_play_a_card(move: Decline | Pass) -> None:
    """Nobody bids and nobody passes cards."""
    with pytest.raises(RuleViolation) as refusal:
        GAME.decide(position("3D QS"), ME, move, VERSION)
    assert refusal.value.rule == "CM-3"
    assert refusal.value.text == "It is your turn to play a card."
    assert refusal.value.facts == {"awaited": "play"}


def test_nobody_plays_out_of_turn() -> None:
    """A seat that is not to act has nothing listed, and is refused."""
    state = position("3D QS")
    assert GAME.legal(state, Seat(1)) == ()
    assert GAME.choices(state, ME) is None
    with pytest.raises(NotYourTurn) as refusal:
        GAME.decide(state, Seat(1), Play(card=Card("3D")), VERSION)
    assert refusal.value.text == "No decision of this seat is open."
    assert refusal.value.facts == {"seat": 1}


# Looking back.


def test_tk_r18_two_tricks_may_be_looked_at_before_the_lead_and_one_after_it() -> None:
    """That is what views show; the first trick of a deal comes alone."""
    driver = tetka(arrangement=photographed(("5S", FOUR_SUITS)))
    seen = []
    for _ in range(3 * 4 + 2):
        deal = views.view(driver.table, None).deal
        assert deal is not None
        seen.append([trick.number for trick in deal.last_tricks])
        driver.step()
    assert seen[0] == seen[1] == []
    assert seen[4:9] == [[1], [1], [1], [1], [1, 2]]
    assert seen[9:14] == [[2], [2], [2], [2, 3], [3]]


# The catalogue and the options.


def test_every_rule_is_in_the_catalogue() -> None:
    """TK-R1 to TK-R22, and the further rulings that are of Tetka."""
    rules = {f"TK-R{number}" for number in range(1, 23)}
    rulings = {f"X-{number}" for number in (10, 11, 18, 19, 20, 22, 25, 26, 27)}
    assert rules | rulings <= set(RULES)


@pytest.mark.parametrize(
    "wrong",
    [
        {"rubber_points": 0},
        {"rubber_points": 1001},
        {"rubbers": 0},
        {"rubbers": 101},
        {"deals": 0},
        {"deals": 1001},
        {"length": "hours"},
        {"photograph": "none"},
        {"unknown": True},
    ],
)
def test_options_have_their_limits(wrong: dict[str, object]) -> None:
    """Others are refused."""
    with pytest.raises(ValidationError):
        convert(wrong, Options)


def test_presets() -> None:
    """The standard game, and the one that Parlett describes."""
    assert GAME.default_preset == "standard"
    assert GAME.presets["standard"] == Options(
        length="rubber",
        rubber_points=21,
        rubbers=1,
        deals=4,
        photograph="second_pack",
        suit_queen_mark=False,
        last_trick_mark=False,
        most_tricks_tie="latest_trick",
        settlement="pairwise",
        revokes="refused",
    )
    assert GAME.presets["parlett"] == Options(
        length="deals",
        deals=4,
        photograph="last_card",
        suit_queen_mark=True,
        last_trick_mark=True,
        most_tricks_tie="most_of_suit",
        settlement="marks",
    )
