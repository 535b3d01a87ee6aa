"""Tricks of Cancellation Hearts: who wins them, what lies aside, and the kitty."""

from msgspec.structs import replace

from domain import log, views
from domain.cards import Card, cards_of, holding
from domain.events import (
    CardPlayed,
    DealScored,
    Event,
    KittyTaken,
    TrickCancelled,
    TrickTaken,
)
from domain.games.cancellation_hearts.options import Options
from domain.ids import Seat, Version
from domain.terms import Arrangement
from tests.cancellation_positions import (
    ME,
    after_cards,
    cancellation_hearts,
    ended,
    ending,
    late,
    state_of,
    strong_deal,
    trick_of,
)
from tests.driver import cards, of_kind

# Cancelling.


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


# What is set aside.


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


# The kitty.


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
        kitty=holding(cards("AH 9D")),
        kitty_version=Version(9),
    )
    events, state = after_cards(state, "4C 4C 5C 5C 2H 3H")
    assert of_kind(events, TrickCancelled, KittyTaken) == [TrickCancelled(1)]
    events, state = after_cards(state, "TS 2S 3S AS KS 4S")
    assert events[-1] == KittyTaken(Seat(3), 2, Version(9))
    assert state.taken[3].bit_count() == 6 + 6 + 2


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
