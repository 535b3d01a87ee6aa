"""The rules of a deal of Agony Aunt, one by one: pack, play, penalties, the Joker."""

from itertools import count, islice

import pytest

from domain import views
from domain.cards import Card, cards_of
from domain.commands import OpenTable, Pass, Play
from domain.errors import InvalidTable, NotYourTurn, RuleViolation
from domain.events import (
    CardTurned,
    CounterPlaced,
    DealRevealed,
    DealScored,
    DealStarted,
    HandDealt,
    TrickTaken,
)
from domain.games.agony_aunt import GAME
from domain.games.agony_aunt.catalogue import RULES
from domain.games.agony_aunt.options import Options
from domain.ids import Seat
from domain.shuffle import Words
from domain.terms import ArrangedDeal, Arrangement
from domain.terms import Options as TableOptions
from tests.agony_aunt_positions import (
    ME,
    PACK,
    STANDARD,
    STRONG,
    VERSION,
    accepted,
    after,
    agony_aunt,
    arranged,
    placed,
    position,
    refused,
    state_of,
)
from tests.driver import BOT, HOST, Driver, cards


def keys(*, joker_first: bool) -> list[bytes]:
    """A few keys whose shuffle begins with the Joker, or with another card."""
    numbers = (number.to_bytes(32, "big") for number in count())
    found = (
        key
        for key in numbers
        if (Words(key).shuffled(PACK)[0] is Card.JOKER) == joker_first
    )
    return list(islice(found, 5))


def test_the_catalogue_has_every_rule() -> None:
    """All ids of the game are there, and those that every game shares."""
    assert {f"AA-R{number}" for number in range(1, 32)} < set(RULES)
    assert {"CM-4", "CM-8", "CM-9", "X-16", "X-17", "X-19", "X-21", "X-27"} < set(RULES)


# Players, pack and deal.


@pytest.mark.parametrize("seats", [3, 5])
def test_aa_r1_exactly_four_play(seats: int) -> None:
    """A table of another size cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        Driver(OpenTable("agony-aunt", {}, (BOT,) * seats, HOST))
    assert refusal.value.facts["field"] == "seats"


@pytest.mark.parametrize(("options", "each"), [({}, 17), ({"counters": 9}, 9)])
def test_aa_r1_each_begins_with_seventeen_counters(
    options: TableOptions, each: int
) -> None:
    """Or with as many as the table has agreed on."""
    assert state_of(agony_aunt(options)).scores == (each,) * 4


def test_the_standard_game_has_seventeen_counters_on_parletts_board() -> None:
    """That is what a table gets which asks for nothing."""
    assert GAME.default_preset == "standard"
    standard = Options(counters=17, board="parlett")
    assert GAME.presets == {"standard": standard}
    assert Options() == standard


@pytest.mark.parametrize("counters", [0, 61])
def test_counters_are_one_to_sixty(counters: int) -> None:
    """A table with fewer or more cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        agony_aunt({"counters": counters})
    assert refusal.value.facts["field"] == "options.counters"


def test_aa_r2_the_joker_is_one_of_53_cards() -> None:
    """With the turned card all of them are dealt."""
    state = state_of(agony_aunt())
    dealt = {card for hand in state.hands for card in cards_of(hand)}
    assert {*dealt, state.turned} == set(PACK)
    assert len(dealt) == 52


@pytest.mark.parametrize("key", keys(joker_first=False), ids=range(5))
def test_aa_r3_the_first_card_is_turned(key: bytes) -> None:
    """And the others are dealt one at a time from dealer's left."""
    turned, *rest = Words(key).shuffled(PACK)
    layout = GAME.shuffle(GAME.begin(STANDARD, 4, None), Seat(1), Words(key))
    assert layout.shown == CardTurned(turned, "turned")
    assert layout.kitty == 0
    for place, seat in enumerate([2, 3, 0, 1]):
        assert set(cards_of(layout.hands[seat])) == set(rest[place::4])


@pytest.mark.parametrize("key", keys(joker_first=True), ids=range(5))
def test_aa_r4_a_joker_that_was_turned_is_buried(key: bytes) -> None:
    """The second card is turned; the Joker goes to a drawn place among the rest."""
    words = Words(key)
    joker, turned, *rest = words.shuffled(PACK)
    rest.insert(words.below(52), joker)
    layout = GAME.shuffle(GAME.begin(STANDARD, 4, None), Seat(3), Words(key))
    assert layout.shown == CardTurned(turned, "turned")
    for seat in range(4):
        assert set(cards_of(layout.hands[seat])) == set(rest[seat::4])


def test_aa_r5_the_turned_card_is_out_of_play() -> None:
    """It is nobody's, cannot be played, and lies there to the end of the deal."""
    driver = agony_aunt(arrangement=arranged("2S", STRONG, first_dealer=3))
    assert refused(state_of(driver), "2S") is not None
    while state_of(driver).deal == 1:
        assert state_of(driver).turned is Card("2S")
        driver.step()


def test_aa_r6_thirteen_cards_are_dealt_to_each() -> None:
    """After the turned card, in one append with it."""
    driver = agony_aunt()
    kinds = [type(event) for event in driver.events()]
    begins = kinds.index(DealStarted)
    assert kinds[begins + 1 :] == [CardTurned, *[HandDealt] * 4]
    assert [hand.bit_count() for hand in state_of(driver).hands] == [13] * 4


# Dump suit and dump number, Aunt and Uncle.


@pytest.mark.parametrize(
    ("turned", "number"),
    [("AS", 1), ("2S", 2), ("9S", 9), ("TS", 10), ("JS", 11), ("QS", 12), ("KS", 13)],
)
def test_aa_r7_aa_r14_the_trick_of_the_dump_number_costs_a_counter(
    turned: str, number: int
) -> None:
    """An ace is one although it wins high, a king thirteen."""
    costly = []
    for trick in range(1, 14):
        state = position("9C 2H", table="2C 3C 4C", turned=turned, number=trick)
        events, _ = after(state, "9C")
        if "hash" in placed(events):
            costly.append(trick)
    assert costly == [number]


def test_aa_r14_a_king_makes_the_last_trick_cost_two() -> None:
    """One for being the last, one for its number."""
    state = position("9C 2H", table="2C 3C 4C", turned="KS", number=13)
    events, _ = after(state, "9C")
    assert placed(events) == {"omega": ME, "hash": ME}


@pytest.mark.parametrize("suit", "CDHS")
def test_aa_r8_agony_aunt_is_the_queen_of_the_dump_suit(suit: str) -> None:
    """She costs two counters, the other queens one."""
    word = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}[suit]
    for turned in ("3C", "3D", "3H", "3S"):
        state = position(f"K{suit} 2H", table=f"4{suit} 5{suit} Q{suit}", turned=turned)
        events, _ = after(state, f"K{suit}")
        aunt = {"aunt": ME} if suit == turned[1] else {}
        assert placed(events) == {word: ME, **aunt}


@pytest.mark.parametrize("seat_of_joker", [0, 1, 2, 3])
def test_aa_r9_the_joker_wins_as_the_turned_card(seat_of_joker: int) -> None:
    """Where it is the highest of the suit led, whoever played it."""
    order = ["2D", "3D", "6D"]
    place = (seat_of_joker - 1) % 4
    order.insert(place, "JK")
    *table, mine = order
    state = position(f"{mine} 2C", table=" ".join(table), turned="7D")
    events, _ = after(state, mine)
    assert events[1] == TrickTaken(2, Seat(seat_of_joker))
    assert placed(events) == {"joker": seat_of_joker}


def test_aa_r9_a_discarded_joker_wins_nothing() -> None:
    """On another suit it is a diamond like any other."""
    events, _ = after(position("JK 2D", table="2S 3S 4S", turned="AD"), "JK")
    assert events[1] == TrickTaken(2, Seat(3))
    assert placed(events) == {"joker": 3}


def test_aa_r9_the_joker_is_of_another_suit_in_another_deal() -> None:
    """It follows what was turned."""
    assert accepted(position("JK 2C", table="9H", turned="3H")) == "JK"
    assert accepted(position("JK 2C", table="9H", turned="3C")) == "2C JK"
    assert accepted(position("JK 2C", table="9C", turned="3C")) == "2C JK"


@pytest.mark.parametrize(
    ("turned", "square"),
    [("QC", "clubs"), ("QD", "diamonds"), ("QH", "hearts"), ("QS", "spades")],
)
def test_aa_r10_with_a_queen_turned_the_joker_costs_three(
    turned: str, square: str
) -> None:
    """It is the Joker, that queen, and Agony Aunt."""
    suit = turned[1]
    state = position(f"K{suit} 2H", table=f"3{suit} 4{suit} JK", turned=turned)
    events, _ = after(state, f"K{suit}")
    assert [it.square for it in events if isinstance(it, CounterPlaced)] == [
        "aunt",
        "joker",
        square,
    ]


# Play.


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_aa_r11_the_dealers_left_leads_any_card(dealer: int) -> None:
    """To the first trick, and only that seat may act."""
    arrangement = arranged("2S", STRONG, first_dealer=dealer)
    driver = agony_aunt(arrangement=arrangement)
    leader = Seat((dealer + 1) % 4)
    assert views.to_act(driver.table) == (leader,)
    state = state_of(driver)
    for seat in map(Seat, range(4)):
        hand = cards_of(state.hands[seat]) if seat == leader else ()
        assert GAME.legal(state, seat) == tuple(Play(card=card) for card in hand)


@pytest.mark.parametrize("number", [1, 2])
def test_aa_r11_no_lead_and_no_discard_is_forbidden(number: int) -> None:
    """Queens and the Joker may go to any trick, the first one too."""
    hand = "QC QD 2H QS JK"
    assert accepted(position(hand, turned="3S", number=number)) == hand
    without_clubs = "QD 2H QS JK"
    state = position(without_clubs, table="2C", turned="3S", number=number)
    assert accepted(state) == without_clubs


def test_aa_r12_suit_must_be_followed() -> None:
    """With a card of the suit led all others are refused, in words for a player."""
    state = position("2C 9C QS", table="4C 5H", turned="3S")
    assert accepted(state) == "2C 9C"
    refusal = refused(state, "QS")
    assert refusal is not None
    assert (refusal.rule, dict(refusal.facts)) == ("CM-4", {"suit": "C"})
    assert refusal.text == "You hold a club, so you must follow suit."


def test_aa_r12_a_joker_that_alone_can_follow_is_named() -> None:
    """Its player may not have thought of it as a diamond."""
    refusal = refused(position("JK KS 4C", table="2D 5H", turned="7D"), "KS")
    assert refusal is not None
    assert refusal.rule == "CM-4"
    assert dict(refusal.facts) == {"suit": "D", "card": "JK"}
    assert refusal.text == (
        "Your Joker is a diamond in this deal, so you must follow suit with it."
    )


def test_aa_r12_a_joker_beside_others_is_not_named() -> None:
    """Where another card can follow too."""
    refusal = refused(position("JK 3D KS", table="2D", turned="7D"), "KS")
    assert refusal is not None
    assert dict(refusal.facts) == {"suit": "D"}


@pytest.mark.parametrize("card", ["3C", "JK", "7D"])
def test_cm_8_a_card_that_is_not_held_is_refused(card: str) -> None:
    """The turned card and somebody else's Joker among them."""
    refusal = refused(position("2C 9C", table="4C", turned="7D"), card)
    assert refusal is not None
    assert (refusal.rule, dict(refusal.facts)) == ("CM-8", {"card": card})
    assert refusal.text == f"You do not hold {card}."


def test_cm_3_nothing_but_a_card_can_be_played() -> None:
    """Another kind of move is refused by the rule of the turn."""
    with pytest.raises(RuleViolation) as refusal:
        GAME.decide(position("2C 9C"), ME, Pass(cards=()), VERSION)
    assert refusal.value.rule == "CM-3"
    assert refusal.value.text == "It is your turn to play a card."
    assert dict(refusal.value.facts) == {"awaited": "play"}


def test_cm_3_nobody_plays_out_of_turn() -> None:
    """Another seat has no decision, no moves and nothing to choose."""
    state = position("2C 9C", table="4C")
    assert GAME.legal(state, Seat(1)) == ()
    assert GAME.choices(state, ME) is None
    with pytest.raises(NotYourTurn) as refusal:
        GAME.decide(state, Seat(1), Play(card=Card("2C")), VERSION)
    assert refusal.value.text == "No decision of this seat is open."
    assert dict(refusal.value.facts) == {"seat": 1}


def test_aa_r12_the_winner_leads_the_next_trick() -> None:
    """And has the cards of the trick."""
    _, state = after(position("9C 2H", table="2C 3C TC"), "9C")
    assert GAME.to_act(state) == (3,)
    assert state.leader == 3
    assert set(cards_of(state.taken[3])) == set(cards("2C 3C TC 9C"))


# Penalties.


@pytest.mark.parametrize(
    ("table", "turned", "number", "expected"),
    [
        ("2C 3C 4C", "7D", 2, []),
        ("2C 3C QD", "7D", 2, [("aunt", "agony_aunt"), ("diamonds", "queen")]),
        ("2C 3C JK", "7D", 2, [("joker", "joker")]),
        ("2C 3C QS", "7D", 2, [("spades", "queen")]),
        ("2C 3C QH", "7D", 2, [("hearts", "queen")]),
        ("2C 3C QC", "7D", 2, [("clubs", "queen")]),
        ("2C 3C 4C", "7D", 7, [("hash", "dumpth_trick")]),
        ("2C 3C 4C", "7D", 13, [("omega", "last_trick")]),
        (
            "QC QD JK",
            "KD",
            13,
            [
                ("aunt", "agony_aunt"),
                ("joker", "joker"),
                ("diamonds", "queen"),
                ("clubs", "queen"),
                ("omega", "last_trick"),
                ("hash", "dumpth_trick"),
            ],
        ),
    ],
)
def test_aa_r13_each_penalty_of_a_trick_costs_its_winner_a_counter(
    table: str, turned: str, number: int, expected: list[tuple[str, str]]
) -> None:
    """At once, each on its square, in the order of the rule."""
    events, state = after(
        position("AC 2H", table=table, turned=turned, number=number), "AC"
    )
    paid = [(it.square, it.reason) for it in events if isinstance(it, CounterPlaced)]
    assert paid == expected
    assert state.owners == placed(events)


def test_aa_r13_the_winner_pays_not_the_player_of_the_queen() -> None:
    """Who discards her is rid of her."""
    events, _ = after(position("QS 2H", table="2C 3C TC"), "QS")
    assert placed(events) == {"spades": 3}


def test_aa_r31_the_deal_passes_left_and_a_new_card_is_turned() -> None:
    """After the old deal lies open; the board is empty again."""
    driver = agony_aunt({"counters": 60}, seed=3)
    dealers, boards = [], []
    while state_of(driver).deal < 4:
        events = driver.step()
        kinds = [type(event) for event in events]
        if DealScored in kinds:
            assert kinds[-7:] == [
                DealRevealed,
                DealStarted,
                CardTurned,
                *[HandDealt] * 4,
            ]
            dealers.append(state_of(driver).dealer)
            boards.append(state_of(driver).owners)
            turned = [it.card for it in events if isinstance(it, CardTurned)]
            assert turned == [state_of(driver).turned]
    first = (dealers[0] - 1) % 4
    assert dealers == [(first + step) % 4 for step in (1, 2, 3)]
    assert boards == [{}, {}, {}]


# Arranged tables.

DEAL = ArrangedDeal(hands=tuple(map(cards, STRONG)), turned=Card("2S"))


@pytest.mark.parametrize(
    ("deal", "text"),
    [
        (
            ArrangedDeal(hands=DEAL.hands),
            "An arranged deal says which card is turned.",
        ),
        (
            ArrangedDeal(hands=DEAL.hands, turned=Card.JOKER),
            "The Joker cannot be the card that is turned.",
        ),
        (
            ArrangedDeal(hands=DEAL.hands, turned=Card("3S")),
            "An arranged deal must have exactly the cards that are dealt.",
        ),
        (
            ArrangedDeal(hands=DEAL.hands, turned=Card("2S"), kitty=cards("2S")),
            "An arranged deal must have exactly the cards that are dealt.",
        ),
        (
            ArrangedDeal(hands=DEAL.hands, turned=Card("2S"), photograph=Card("3S")),
            "Agony Aunt has no photograph.",
        ),
        (
            ArrangedDeal(hands=DEAL.hands[:3], turned=Card("2S")),
            "An arranged deal needs 4 hands of 13 cards.",
        ),
    ],
)
def test_an_arranged_deal_is_one_that_could_be_dealt(
    deal: ArrangedDeal, text: str
) -> None:
    """Any other is refused, and where to look is said."""
    with pytest.raises(InvalidTable) as refusal:
        agony_aunt(arrangement=Arrangement(deals=(deal,)))
    assert refusal.value.text == text
    assert refusal.value.facts["field"] == "arrangement.deals"


@pytest.mark.parametrize("scores", [(0, 17, 17, 17), (17, 17, 17, 18), (-1, 1, 1, 1)])
def test_nobody_begins_without_counters_or_with_more_than_there_are(
    scores: tuple[int, ...],
) -> None:
    """Such scores at an arranged table are refused."""
    with pytest.raises(InvalidTable) as refusal:
        agony_aunt(arrangement=Arrangement(scores=scores))
    assert refusal.value.text == "Each player begins with 1 to 17 counters."
    assert refusal.value.facts["field"] == "arrangement.scores"


def test_an_arranged_match_begins_with_its_scores() -> None:
    """The least and the most that there may be among them."""
    driver = agony_aunt({"counters": 9}, arrangement=Arrangement(scores=(1, 9, 4, 9)))
    assert state_of(driver).scores == (1, 9, 4, 9)
