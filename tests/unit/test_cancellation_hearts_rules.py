"""The rules of a deal of Cancellation Hearts, one by one, up to the last trick."""

import pytest
from msgspec.structs import replace

from domain import course, log, views
from domain.cards import Card, cards_of
from domain.commands import Move, OpenTable, Pass, Play, SettleMoon
from domain.decisions import PassChoices, Phase
from domain.errors import InvalidTable, NotYourTurn, RuleViolation
from domain.events import (
    ArrangedDeal,
    Arrangement,
    CardPlayed,
    CardsPassed,
    DealScored,
    DealStarted,
    Event,
    HeartsBroken,
    KittyDealt,
    KittyTaken,
    TrickCancelled,
    TrickTaken,
)
from domain.games.cancellation_hearts import GAME, PACK
from domain.games.cancellation_hearts.catalogue import RULES
from domain.games.cancellation_hearts.options import Options, check
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat, Secret, Version
from domain.shuffle import Words
from tests.cancellation_positions import (
    ALL_HEARTS,
    ME,
    STANDARD,
    VERSION,
    accepted,
    after,
    after_cards,
    cancellation_hearts,
    divided,
    ended,
    ending,
    late,
    pass_refused,
    passing,
    position,
    refused,
    state_of,
    strong_deal,
    trick_of,
)
from tests.driver import BOT, HOST, Driver, cards, of_kind

HANDS_AND_KITTIES = {
    6: (17, 2),
    7: (14, 6),
    8: (13, 0),
    9: (11, 5),
    10: (10, 4),
    11: (9, 5),
}


def ways(seats: int, deals: int, passing: object = "standard") -> list[int]:
    """By how many places each deal's cards were passed on, 0 where none were."""
    driver = cancellation_hearts(
        {"target": 1000, "passing": passing},  # type: ignore[dict-item]
        seats=seats,
    )
    while driver.play_state().deal <= deals:
        driver.step()
    found: list[set[int]] = []
    for event in driver.events():
        if isinstance(event, DealStarted):
            found.append(set())
        elif isinstance(event, CardsPassed):
            found[-1].add((event.to - event.seat) % seats)
    return [min(steps, default=0) for steps in found[:deals]]


# Players, packs, kitty.


@pytest.mark.parametrize("seats", [5, 12])
def test_ch_r1_no_fewer_than_six_and_no_more_than_eleven_play(seats: int) -> None:
    """A table of another size cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        Driver(OpenTable("cancellation-hearts", {}, (BOT,) * seats, HOST))
    assert refusal.value.facts["field"] == "seats"


def test_six_sit_down_unless_more_are_asked_for() -> None:
    """The fewest that may play; a match may also begin with any scores."""
    assert GAME.usual_seats == 6
    scores = (3, 1, 4, 1, 5, 9)
    driver = cancellation_hearts(arrangement=Arrangement(scores=scores))
    assert state_of(driver).scores == scores


@pytest.mark.parametrize("seats", HANDS_AND_KITTIES)
def test_ch_r2_every_card_is_there_twice(seats: int) -> None:
    """Hands and kitty together are two packs without a joker."""
    state = state_of(cancellation_hearts(seats=seats))
    held = [card for some in (*state.hands, state.kitty) for card in cards_of(some)]
    assert sorted(held, key=str) == sorted(PACK, key=str)
    assert len(held) == 104
    assert {held.count(card) for card in held} == {2}


@pytest.mark.parametrize("seats", HANDS_AND_KITTIES)
def test_ch_r3_equal_hands_and_a_kitty(seats: int) -> None:
    """As many cards each as the table of the rule says; the rest is the kitty."""
    driver = cancellation_hearts(seats=seats)
    state = state_of(driver)
    hand, kitty = HANDS_AND_KITTIES[seats]
    assert [held.bit_count() for held in state.hands] == [hand] * seats
    assert state.kitty.bit_count() == kitty
    sizes = [event.count for event in of_kind(driver.events(), KittyDealt)]
    assert sizes == ([kitty] if kitty else [])


def test_ch_r3_cards_are_dealt_one_at_a_time_from_dealers_left() -> None:
    """With seat 1 dealing, seat 2 gets the first; what is left at the end lies over."""
    key = bytes(32)
    order = Words(key).shuffled(PACK)
    layout = GAME.shuffle(GAME.begin(STANDARD, 6, None), Seat(1), Words(key))
    for place, seat in enumerate([2, 3, 4, 5, 0, 1]):
        mine = order[place:102:6]
        assert sorted(cards_of(layout.hands[seat]), key=str) == sorted(mine, key=str)
    assert sorted(cards_of(layout.kitty), key=str) == sorted(order[102:], key=str)


def test_ch_r4_the_winner_of_the_first_trick_takes_the_kitty() -> None:
    """With the trick; nobody takes it a second time."""
    driver = cancellation_hearts({"passing": []}, seats=7, seed=3)
    kitty = cards_of(state_of(driver).kitty)
    events = driver.step()
    while not state_of(driver).tricks:
        events = driver.step()
    [taken] = of_kind(events, TrickTaken)
    [took] = of_kind(events, KittyTaken)
    assert (took.seat, took.count) == (taken.seat, 6)
    owned = cards_of(state_of(driver).taken[taken.seat])
    assert sorted(owned, key=str) == sorted(
        [*state_of(driver).tricks[0].cards, *kitty], key=str
    )
    while driver.play_state().deal == 1:
        events = driver.step()
        assert of_kind(events, KittyTaken) == []


def test_ch_r4_by_option_the_kitty_goes_to_the_winner_of_the_last_trick() -> None:
    """It waits through all tricks but that."""
    driver = cancellation_hearts(
        {"passing": [], "kitty": "last_trick", "target": 1},
        arrangement=Arrangement(first_dealer=Seat(5), deals=(strong_deal(6),)),
    )
    driver.grasping = ME
    while len(state_of(driver).tricks) < 16:
        driver.step()
    assert state_of(driver).kitty_waits
    events: list[Event] = []
    while len(state_of(driver).tricks) < 17:
        events = driver.step()
    assert of_kind(events, TrickTaken, KittyTaken) == [
        TrickTaken(17, ME),
        KittyTaken(ME, 2, state_of(driver).kitty_version),
    ]


def test_ch_r5_the_kitty_waits_with_a_cancelled_first_trick() -> None:
    """The next player who wins a trick takes both."""
    state = replace(
        late("4C TS 2D", "4C 2S", "5C 3S", "5C AS", "2H KS", "3H 4S 9D"),
        tricks=(),
        kitty=cards_holding("AH 9D"),
        kitty_version=Version(9),
    )
    events, state = after_cards(state, "4C 4C 5C 5C 2H 3H")
    assert of_kind(events, TrickCancelled, KittyTaken) == [TrickCancelled(1)]
    events, state = after_cards(state, "TS 2S 3S AS KS 4S")
    assert events[-1] == KittyTaken(Seat(3), 2, Version(9))
    assert state.taken[3].bit_count() == 6 + 6 + 2


def cards_holding(text: str) -> int:
    """A holding of these cards."""
    return position(text).hands[ME]


def test_ch_r6_only_its_taker_sees_the_kitty() -> None:
    """From the event on by which it is taken, and in no list of anybody else's."""
    driver = cancellation_hearts({"passing": []}, seats=7, seed=3)
    while not state_of(driver).tricks:
        driver.step()
    taker = state_of(driver).kitty_taker
    version = state_of(driver).kitty_version
    assert taker is not None
    line = next(it for it in driver.lines[::-1] if b"kitty_taken" in it.body)
    event = log.public_event(line.body)
    for seat in range(7):
        opened = (version,) if seat == taker else ()
        assert views.opens(event, Seat(seat)) == opened
    dealt = next(it for it in driver.lines if b"kitty_dealt" in it.body)
    assert [views.opens(log.public_event(dealt.body), Seat(it)) for it in range(7)] == [
        ()
    ] * 7


# The pass.


@pytest.mark.parametrize(
    "chosen",
    ["", "2C", "2C 3C", "2C 3C 4C 5C", "2C 2C 3C", "6C 6C 6C", "2C 3C AS"],
)
def test_ch_r7_a_pass_is_three_cards_of_the_hand(chosen: str) -> None:
    """Too few, too many, one more often than it is held, one not held: refused."""
    assert pass_refused(passing("2C 3C 4C 5C 6C 6C"), chosen) == "CH-R7"


def test_ch_r7_no_card_moves_before_all_have_passed() -> None:
    """Until the last has chosen all hold what they were dealt, and nobody plays."""
    driver = cancellation_hearts()
    dealt = state_of(driver).hands
    for seat in range(5):
        driver.move(seat, Pass(cards=cards_of(dealt[seat])[:3]))
        assert state_of(driver).hands == dealt
        assert GAME.choices(state_of(driver), Seat(seat)) is None
    assert views.to_act(driver.table) == (5,)
    with pytest.raises(RuleViolation) as refusal:
        driver.move(5, Play(card=cards_of(dealt[5])[0]))
    assert refusal.value.rule == "CH-R7"
    driver.move(5, Pass(cards=cards_of(dealt[5])[:3]))
    assert state_of(driver).hands != dealt
    assert [hand.bit_count() for hand in state_of(driver).hands] == [17] * 6


def test_x_9_two_identical_cards_may_be_passed_by_who_holds_both() -> None:
    """Both are gone then, and their taker holds both."""
    state = passing("6C 6C 4C 5C")
    assert pass_refused(state, "6C 6C 4C") is None
    choices = GAME.choices(state, ME)
    assert isinstance(choices, PassChoices)
    assert choices.from_ == cards("4C 5C 6C 6C")
    order = sorted(PACK, key=lambda card: card.index)
    driver = cancellation_hearts(
        arrangement=Arrangement(first_dealer=Seat(5), deals=(divided(order, 6),))
    )
    passed = [cards_of(hand)[:3] for hand in state_of(driver).hands]
    assert passed[0] == cards("2C 2C 3C")
    for seat, chosen in enumerate(passed):
        driver.move(seat, Pass(cards=chosen))
    assert Card("2C") not in cards_of(state_of(driver).hands[0])
    assert cards_of(state_of(driver).hands[1])[:3] == cards("2C 2C 3C")


@pytest.mark.parametrize("seats", [6, 9])
def test_ch_r8_the_pass_goes_left_and_right_in_turn(seats: int) -> None:
    """Over four deals, without one in which nothing is passed."""
    assert ways(seats, 4) == [1, seats - 1, 1, seats - 1]


def test_ch_r8_by_option_it_goes_elsewhere_or_nowhere() -> None:
    """As a list says, from its beginning again; with an empty one, nowhere."""
    assert ways(6, 4, ["across", "hold", "right"]) == [3, 0, 5, 3]
    assert ways(6, 2, []) == [0, 0]


def test_ch_r8_an_odd_number_cannot_pass_across() -> None:
    """Nobody sits across, so the option is refused."""
    check(Options(passing=("across",)), 6)
    with pytest.raises(InvalidTable) as refusal:
        check(Options(passing=("left", "across")), 7)
    assert refusal.value.facts["field"] == "options.passing"


# Leads.


@pytest.mark.parametrize("dealer", [0, 4, 5])
def test_ch_r9_the_dealers_left_leads_first(dealer: int) -> None:
    """After the pass, and in a deal without one."""
    arrangement = Arrangement(first_dealer=Seat(dealer))
    for ways_to_pass in ([], ["left"]):
        driver = cancellation_hearts({"passing": ways_to_pass}, arrangement=arrangement)
        while state_of(driver).phase is Phase.PASSING:
            driver.step()
        assert views.to_act(driver.table) == ((dealer + 1) % 6,)


def test_ch_r10_no_heart_and_no_queen_of_spades_is_led_first() -> None:
    """All other cards may be, whatever their suit and rank."""
    state = position("2C AC 5D AH 2H QS KS", first_trick=True)
    assert accepted(state) == "2C AC 5D KS"
    assert [refused(state, card) for card in ("AH", "2H", "QS")] == ["CH-R10"] * 3


def test_ch_r11_with_nothing_else_the_queen_is_led_first_and_else_a_heart() -> None:
    """The limit that cannot be met is dropped, and breaking still binds."""
    beside = position("2H AH QS QS", first_trick=True)
    assert accepted(beside) == "QS"
    assert refused(beside, "2H") == "CH-R11"
    assert accepted(position("2H AH", first_trick=True)) == "2H AH"


def test_x_8_by_option_the_first_lead_from_hearts_and_queens_is_either() -> None:
    """Any other card in the hand brings CH-R10 back."""
    options = Options(lead_hearts_instead_of_qs=True)
    either = position("2H AH QS", first_trick=True, options=options)
    assert accepted(either) == "2H AH QS"
    bound = position("2H AH QS 2C", first_trick=True, options=options)
    assert accepted(bound) == "2C"


@pytest.mark.parametrize("first_trick", [True, False])
def test_ch_r12_who_cannot_follow_discards_what_he_likes(
    first_trick: bool,  # noqa: FBT001 -- a parameter
) -> None:
    """Hearts and queens of spades too, on the first trick too."""
    state = position("2D AH QS AS", table="5C", first_trick=first_trick)
    assert accepted(state) == "2D AH QS AS"
    bound = position("2D AH QS 9C", table="5C", first_trick=first_trick)
    assert accepted(bound) == "9C"
    assert refused(bound, "QS") == "CM-4"


def test_ch_r13_the_queen_is_led_at_any_later_time() -> None:
    """Though hearts are unbroken and other cards are held."""
    assert accepted(position("2C AH QS")) == "2C QS"


def test_ch_r13_a_lead_after_a_cancelled_first_trick_is_a_later_one() -> None:
    """The queen may be led again by the leader of the first trick."""
    _, state = trick_of("4C 4C 5C 5C 6C 6C", left="2C")
    again = replace(
        state,
        broken=False,
        tricks=state.tricks[1:],
        hands=position("QS 2C").hands,
    )
    assert again.tricks[0].winner is None
    assert accepted(again) == "2C QS"


@pytest.mark.parametrize(
    ("table", "card"), [("5C", "2H"), ("5C", "QS"), ("", "QS"), ("5H", "2H")]
)
def test_ch_r14_a_heart_or_a_queen_breaks_hearts(table: str, card: str) -> None:
    """Led, followed or discarded, the first of them in a deal breaks hearts."""
    events, state = after(position(f"{card} 3D", table=table), Play(card=Card(card)))
    assert events == [CardPlayed(ME, Card(card)), HeartsBroken(ME, Card(card))]
    assert state.broken


def test_ch_r14_a_penalty_card_in_a_cancelled_trick_breaks_hearts() -> None:
    """The card was played, whoever gets it; a second one is no news."""
    state = replace(position("5C 2D", table="5C 7C 7C 2H 3H"), broken=False)
    first = replace(position("2H 2D", table="5C 5C 7C 7C 3C"), broken=False)
    assert of_kind(after(state, Play(card=Card("5C")))[0], HeartsBroken) == []
    events, state = after(first, Play(card=Card("2H")))
    assert of_kind(events, HeartsBroken) == [HeartsBroken(ME, Card("2H"))]
    assert state.broken


def test_ch_r14_hearts_are_broken_once() -> None:
    """A second penalty card is no news."""
    events, _ = after(position("2H 3D", table="5C", broken=True), Play(card=Card("2H")))
    assert events == [CardPlayed(ME, Card("2H"))]


def test_ch_r14_hearts_in_the_kitty_break_nothing() -> None:
    """It is taken unseen."""
    state = replace(
        position("5C 2D", table="2C 3C 4C 6C 7C", first_trick=True),
        kitty=cards_holding("AH QS"),
    )
    events, state = after(state, Play(card=Card("5C")))
    assert len(of_kind(events, KittyTaken)) == 1
    assert of_kind(events, HeartsBroken) == []
    assert not state.broken


def test_ch_r15_no_heart_is_led_before_hearts_are_broken() -> None:
    """All other cards may be led; once hearts are broken, hearts too."""
    state = position("2C 5D AH")
    assert accepted(state) == "2C 5D"
    assert refused(state, "AH") == "CH-R15"
    assert accepted(position("2C 5D AH", broken=True)) == "2C 5D AH"


def test_ch_r16_who_has_hearts_only_may_lead_one() -> None:
    """Though hearts are unbroken, any of them."""
    assert accepted(position("2H 9H AH")) == "2H 9H AH"


def test_ch_r16_with_hearts_and_a_queen_she_must_be_led() -> None:
    """One of them or both; by option, a heart may be led too."""
    options = Options(lead_hearts_instead_of_qs=True)
    for hand in ("2H AH QS", "2H AH QS QS"):
        assert accepted(position(hand)) == "QS"
        assert refused(position(hand), "2H") == "CH-R16"
        assert accepted(position(hand, options=options)) == "2H AH QS"
    assert refused(position("2H QS 2C", options=options), "2H") == "CH-R15"


# Tricks.


def test_ch_r17_identical_cards_cancel() -> None:
    """Both aces of the suit led win nothing; the same rank of two suits is no pair."""
    events, _ = trick_of("AC 2C AC KC 3C 4C", left="2D")
    assert events[-1] == TrickTaken(2, Seat(3))
    events, _ = trick_of("KC 2C AC AD AS 4C", left="2D")
    assert events[-1] == TrickTaken(2, Seat(2))


def test_ch_r17_cancelled_cards_keep_their_points() -> None:
    """The winner has both queens with the trick."""
    _, state = trick_of("2S QS QS 3S 4S 5S", left="2D")
    assert cards_of(state.taken[5])[-2:] == cards("QS QS")


def test_ch_r18_the_highest_card_left_of_the_suit_led_wins() -> None:
    """However low it is, and whatever else was played."""
    events, _ = trick_of("2C AC AC AD KH 3C", left="2D")
    assert events[-1] == TrickTaken(2, Seat(5))
    events, _ = trick_of("2C AC AC AD KH KS", left="2D")
    assert events[-1] == TrickTaken(2, Seat(0))


def test_ch_r19_without_such_a_card_the_trick_is_set_aside() -> None:
    """A single card of another suit does not win it."""
    events, state = trick_of("2C 2C AC AC AD KH", left="2D")
    assert events == [CardPlayed(Seat(5), Card("KH")), TrickCancelled(2)]
    assert state.tricks[-1].winner is None
    assert state.tricks_taken() == (0, 0, 0, 0, 0, 1)


def test_ch_r20_two_pairs_leave_a_winner_but_by_option() -> None:
    """Pairs of any suit count for the option; three cards of a suit are no pair."""
    pairs = "2C 9H 9H AC AC 3D"
    void = Options(two_pairs_void=True)
    assert trick_of(pairs, left="2D")[0][-1] == TrickTaken(2, Seat(0))
    assert trick_of(pairs, left="2D", options=void)[0][-1] == TrickCancelled(2)
    single = trick_of("2C 9H 8H AC AC 3D", left="2D", options=void)
    assert single[0][-1] == TrickTaken(2, Seat(0))


def test_ch_r21_the_same_player_leads_again() -> None:
    """After a cancelled trick its leader, after any other its winner."""
    _, state = trick_of("2C 2C AC AC AD KH", left="2D")
    assert (state.leader, state.turn, state.trick) == (0, 0, ())
    _, state = trick_of("2C 3C 2D 5C 5D 5H", left="2D")
    assert (state.leader, state.turn) == (3, 3)


def test_ch_r22_what_is_set_aside_goes_to_the_next_winner() -> None:
    """All of it, from two tricks, and nothing of it again."""
    state = late("4C 6D TS", "4C 6D 2S", "5C 4H 3S", "5C 5H AS", "2H 6H KS", "3H 7S 4S")
    _, state = after_cards(state, "4C 4C 5C 5C 2H 3H")
    _, state = after_cards(state, "6D 6D 4H 5H 6H 7S")
    assert state.aside.bit_count() == 12
    assert state.taken == (0,) * 6
    _, state = after_cards(state, "TS 2S 3S AS KS 4S")
    assert state.aside == 0
    assert [pile.bit_count() for pile in state.taken] == [0, 0, 0, 18, 0, 0]


def test_ch_r23_a_cancelled_last_trick_goes_to_nobody() -> None:
    """Nor what was set aside, nor a kitty that still waits: their points vanish."""
    state = ending("QS", aside="QS 2H", kitty="3H 4H", last="4C 4C 5C 5C 5H 6H")
    events, state = ended(state)
    assert of_kind(events, TrickTaken, TrickCancelled, KittyTaken) == [
        TrickCancelled(2)
    ]
    assert events[-1] == scored_as(13, 0, 0, 0, 0, 0)
    assert state.kitty_taker is None


def scored_as(*points: int) -> DealScored:
    """The scoring of a first deal with these points."""
    return DealScored(points, points)


def test_x_23_by_option_its_leader_takes_it_all() -> None:
    """The trick, what was set aside, and a kitty still waiting."""
    state = ending(
        "QS",
        aside="QS 2H",
        kitty="3H 4H",
        last="4C 4C 5C 5C 5H 6H",
        options=Options(last_trick_cancelled="leader"),
    )
    events, _ = ended(state)
    assert of_kind(events, TrickTaken, TrickCancelled, KittyTaken) == [
        TrickTaken(2, Seat(1)),
        KittyTaken(Seat(1), 2, Version(9)),
    ]
    assert events[-1] == scored_as(13, 18, 0, 0, 0, 0)


def test_x_23_binds_the_last_trick_only() -> None:
    """Any other cancelled trick is set aside as ever."""
    options = Options(last_trick_cancelled="leader")
    events, _ = trick_of("2C 2C AC AC AD KH", left="2D", options=options)
    assert events[-1] == TrickCancelled(2)


def test_x_23_leaves_a_last_trick_that_is_won_to_its_winner() -> None:
    """Seat 1 led it, and seat 0 has the highest card."""
    options = Options(last_trick_cancelled="leader")
    events, _ = ended(ending("QS", last="2C 3C 4C 5C 6C 7C", options=options))
    assert of_kind(events, TrickTaken) == [TrickTaken(2, ME)]


def test_the_next_deal_begins_afresh() -> None:
    """Hearts are unbroken, nothing lies aside, and nobody has a kitty."""
    end = ending("QS", aside="2H", kitty="3H", last="4C 4C 5C 5C 6C 6C")
    _, vanished = ended(end)
    over = replace(vanished, kitty_taker=ME)
    assert (over.broken, over.aside) != (False, 0)
    nothing = Secret(bytes(32))
    started = DealStarted(2, ME, nothing.hex(), arranged=False, secret=nothing)
    begun = course.after(over, GAME.steps, [started], VERSION)
    assert (begun.broken, begun.aside) == (False, 0)
    assert (begun.kitty, begun.kitty_taker) == (0, None)


# Refusals, arranged deals, the catalogue.


def move(text: str) -> Move:
    """A play of one card, a pass of several."""
    chosen = cards(text)
    return Play(card=chosen[0]) if len(chosen) == 1 else Pass(cards=chosen)


HAND = "3C 5D QS AH"
LEAD_HER = "Hearts are not broken, and you hold the queen of spades: lead her."
REFUSALS: dict[str, tuple[CancellationState, Move, str, str, dict[str, object]]] = {
    "a card that is not held": (
        position(HAND),
        move("KD"),
        "CM-8",
        "You do not hold KD.",
        {"card": "KD"},
    ),
    "another suit than the one led": (
        position(HAND, table="9D"),
        move("QS"),
        "CM-4",
        "You hold a diamond, so you must follow suit.",
        {"suit": "D"},
    ),
    "a penalty card led first": (
        position(HAND, first_trick=True),
        move("QS"),
        "CH-R10",
        "No heart and no queen of spades may be led to the first trick.",
        {"card": "QS"},
    ),
    "a heart led first beside the queen alone": (
        position("QS AH", first_trick=True),
        move("AH"),
        "CH-R11",
        LEAD_HER,
        {},
    ),
    "a heart led unbroken": (
        position(HAND),
        move("AH"),
        "CH-R15",
        "Hearts are not broken, and you hold other cards to lead.",
        {},
    ),
    "a heart led beside the queen alone": (
        position("QS AH"),
        move("AH"),
        "CH-R16",
        LEAD_HER,
        {},
    ),
    "too few cards to pass": (
        passing(HAND),
        move("3C 5D"),
        "CH-R7",
        "A pass is exactly 3 cards, not 2.",
        {"choose": 3},
    ),
    "a single card passed twice": (
        passing(HAND),
        move("3C 3C 5D"),
        "CH-R7",
        "You do not hold 3C that often.",
        {"card": "3C"},
    ),
    "a play before the pass": (
        passing(HAND),
        move("3C"),
        "CH-R7",
        "All must pass before the first card is led.",
        {"awaited": "pass"},
    ),
    "a pass while cards are played": (
        position(HAND),
        move("3C 5D QS"),
        "CM-3",
        "It is your turn to play a card.",
        {"awaited": "play"},
    ),
    "a play before a moon is settled": (
        replace(position(HAND), phase=Phase.SETTLING, shooter=ME),
        move("3C"),
        "CH-R25",
        "Say first how your moon counts.",
        {"awaited": "settle_moon"},
    ),
    "a moon that nobody shot": (
        position(HAND),
        SettleMoon(how="add"),
        "CM-3",
        "It is your turn to play a card.",
        {"awaited": "play"},
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_names_rule_reason_and_facts(case: str) -> None:
    """The sentence is for people, the facts for programs; both are pinned."""
    state, tried, rule, text, facts = REFUSALS[case]
    with pytest.raises(RuleViolation) as refusal:
        GAME.decide(state, ME, tried, VERSION)
    assert (refusal.value.rule, refusal.value.text) == (rule, text)
    assert dict(refusal.value.facts) == facts


def test_a_seat_out_of_turn_is_told_so() -> None:
    """Whatever it would play."""
    with pytest.raises(NotYourTurn) as refusal:
        GAME.decide(position(HAND), Seat(2), move("3C"), VERSION)
    assert dict(refusal.value.facts) == {"seat": 2}


def arranging(deal: ArrangedDeal, seats: int = 6) -> InvalidTable:
    """Why a table with this arranged deal cannot be made."""
    with pytest.raises(InvalidTable) as refusal:
        cancellation_hearts(seats=seats, arrangement=Arrangement(deals=(deal,)))
    assert refusal.value.facts["field"] == "arrangement.deals"
    return refusal.value


def test_an_arranged_deal_has_every_card_twice() -> None:
    """A third copy, a kitty left out, a hand too short, a turned card: all refused."""
    right = divided(PACK, 6)
    thrice = replace(right, kitty=cards("2C 2C"))
    assert arranging(thrice).facts["cards"] == ["2C", "AS", "KS"]
    assert arranging(replace(right, kitty=())).facts["cards"] == ["AS", "KS"]
    short = replace(right, hands=(right.hands[0][1:], *right.hands[1:]))
    assert arranging(short).text == "An arranged deal needs 6 hands of 17 cards."
    turned = replace(right, turned=Card("7D"))
    assert arranging(turned).text == "Cancellation Hearts turns no card."
    photograph = replace(right, photograph=Card("7D"))
    assert arranging(photograph).text == "Cancellation Hearts turns no card."
    assert arranging(right, seats=7).text == (
        "An arranged deal needs 7 hands of 14 cards."
    )


def test_every_rule_has_its_sentence() -> None:
    """The catalogue has all rules of the game, the common ones, and the rulings."""
    wanted = [
        *(f"CM-{number}" for number in range(1, 10)),
        *(f"CH-R{number}" for number in range(1, 33)),
        *("X-1", "X-8", "X-9", "X-16", "X-17", "X-19", "X-21", "X-23", "X-27"),
    ]
    assert [rule for rule in wanted if not RULES.get(rule)] == []


def test_there_is_one_play_of_two_equal_cards() -> None:
    """Copies cannot be told apart, so neither can what is done with them."""
    state = position(f"3C 3C {ALL_HEARTS} {ALL_HEARTS}", broken=True)
    assert len(GAME.legal(state, ME)) == 14
    events, state = after(state, Play(card=Card("3C")))
    assert events == [CardPlayed(ME, Card("3C"))]
    assert cards_of(state.hands[ME])[:1] == cards("3C")
