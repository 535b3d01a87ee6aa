"""Who is late or gone: what a table does for their seats, and how they come back."""

import pytest

from domain.absence import AT_ONCE, due, move_for, next_due
from domain.cards import Card
from domain.commands import (
    Act,
    Decline,
    LeaveSeat,
    NameSuit,
    Pass,
    Play,
    Resume,
    SettleMoon,
    TakeSeat,
    TimeOut,
)
from domain.decisions import Phase
from domain.errors import (
    InvalidTable,
    MatchHasStarted,
    NotYourTurn,
    Refusal,
    UnknownSeat,
)
from domain.events import (
    CardsPassed,
    DealRevealed,
    DealVoided,
    MatchRevealed,
    MoonShot,
    SeatLeft,
    SeatProxied,
    SeatResumed,
    SeatTaken,
    SeatTimedOut,
    TableAbandoned,
)
from domain.ids import Seat
from domain.terms import Absence, Clock, Options
from tests.driver import (
    Driver,
    arranged,
    cards,
    hearts,
    of_bots,
    of_people,
    person,
    refusal,
)
from tests.hearts_positions import MIXED, strong_hands

ME = Seat(0)
CLOCK = Clock(seconds=30)


def late(
    absence: Absence, options: Options | None = None, *deals: tuple[str, ...]
) -> Driver:
    """Four people at Hearts, whose time for their first decision is up."""
    like = hearts(options, arrangement=arranged(*(deals or (MIXED,))))
    driver = of_people(like, CLOCK, absence)
    driver.wait(1000)
    return driver


def test_the_three_dearest_cards_are_passed_for_a_seat() -> None:
    """By points, then by rank: the queen of spades, hearts from the top."""
    driver = late("auto_play")
    timed_out, passed = driver.do(TimeOut(ME))
    assert timed_out == SeatTimedOut(ME)
    assert isinstance(passed, CardsPassed)
    assert {*passed.cards} == {*cards("QH 8H 4H")}
    driver.do(TimeOut(Seat(1)))
    assert driver.appends[-1][1].cards[-1] is Card("QS")  # type: ignore[attr-defined]


def test_the_cheapest_card_is_played_for_a_seat() -> None:
    """Without points before with them, low before high, clubs before other suits."""
    driver = late("auto_play", {"passing": []})
    driver.do(TimeOut(ME))
    assert str(driver.play_state().trick[0]) == "2C"
    driver.wait(1000)
    assert move_for(driver.table, Seat(1)) == Play(card=Card("3C"))
    hands = driver.play_state().hands
    assert hands[1] & Card("QS").bit


def test_a_moon_is_settled_as_a_sane_player_would() -> None:
    """Nobody loses a match because they were not there to choose."""
    options: Options = {"passing": [], "moon": "choice", "target": 27}
    driver = late("auto_play", options, tuple(strong_hands(4)))
    driver.grasping = ME
    while not any(isinstance(it, MoonShot) for it in driver.events()):
        driver.step()
    assert driver.play_state().phase is Phase.SETTLING
    assert move_for(driver.table, ME) == SettleMoon(how="add")


def test_no_bid_is_made_for_a_seat_and_its_shortest_suit_is_named() -> None:
    """In Auction Hearts."""
    driver = of_people(of_bots("auction-hearts"), CLOCK, "auto_play")
    [turn] = [seat for seat in range(4) if driver.table.decisions[seat]]
    assert move_for(driver.table, Seat(turn)) == Decline()
    while driver.play_state().phase is not Phase.NAMING:
        driver.step()
    [turn] = [seat for seat in range(4) if driver.table.decisions[seat]]
    move = move_for(driver.table, Seat(turn))
    assert isinstance(move, NameSuit)
    hand = driver.play_state().hands[turn]
    lengths = {suit: (hand & suit.all).bit_count() for suit in type(move.suit)}
    assert lengths[move.suit] == min(lengths.values())


def test_no_revoke_is_made_for_a_seat() -> None:
    """In Tetka, where every card is listed when revokes are penalised (X-11)."""
    driver = of_people(of_bots("tetka", {"revokes": "penalised"}), CLOCK, "auto_play")
    for table in driver.prefixes(60):
        for seat, opened_at in enumerate(table.decisions):
            trick = driver.play_state().trick
            if opened_at and trick:
                move = move_for(table, Seat(seat))
                assert isinstance(move, Play)
                hand = driver.play_state().hands[seat]
                assert move.card.suit is trick[0].suit or not hand & trick[0].suit.all


def test_a_bot_plays_a_seat_until_its_player_acts() -> None:
    """The decision stays the same one; the player's move is preceded by the return."""
    driver = late("bot")
    before = driver.table.decisions
    assert driver.do(TimeOut(ME)) == [SeatTimedOut(ME), SeatProxied(ME)]
    assert driver.table.decisions == before
    assert not driver.table.is_played(ME)
    with pytest.raises(NotYourTurn):
        driver.do(TimeOut(ME))
    back, passed = driver.do(Resume(ME, Pass(cards=cards("2C 6C TC"))))
    assert back == SeatResumed(ME)
    assert isinstance(passed, CardsPassed)
    assert driver.table.is_played(ME)
    assert driver.table.decisions[0] == 0


def test_a_player_comes_back_by_sitting_down_too() -> None:
    """Before it is their turn, and once only."""
    driver = late("bot")
    driver.do(TimeOut(ME))
    assert driver.do(TakeSeat(ME, person(0))) == [
        SeatTaken(ME, person(0)),
        SeatResumed(ME),
    ]
    with pytest.raises(MatchHasStarted):
        driver.do(TakeSeat(ME, person(0)))


def test_only_who_was_played_for_is_back() -> None:
    """A seat that its player plays has nothing to return from."""
    driver = late("bot")
    with pytest.raises(NotYourTurn):
        driver.do(Resume(ME, Pass(cards=cards("2C 6C TC"))))


def test_a_refused_move_brings_nobody_back() -> None:
    """What is refused leaves no trace."""
    driver = late("bot")
    driver.do(TimeOut(ME))
    before = driver.table
    for cards_ in ("2C 6C", "2C 6C 3C"):
        with pytest.raises(Refusal):
            driver.do(Resume(ME, Pass(cards=cards(cards_))))
    assert driver.table == before


def test_a_table_is_given_up_for_who_is_late() -> None:
    """Where that was agreed; everything is revealed."""
    kinds = [type(event) for event in late("abandon").do(TimeOut(ME))]
    assert kinds == [
        SeatTimedOut,
        DealVoided,
        DealRevealed,
        MatchRevealed,
        TableAbandoned,
    ]


def test_who_has_left_has_no_time() -> None:
    """The seat's turn is due at once, with a clock or without; till they are back."""
    for clock in (CLOCK, None):
        driver = of_people(hearts(), clock, "bot")
        assert due(driver.table, ME) != AT_ONCE
        assert driver.do(LeaveSeat(ME)) == [SeatLeft(ME)]
        assert due(driver.table, ME) == next_due(driver.table) == AT_ONCE
        driver.do(TimeOut(ME))
        driver.do(Resume(ME, driver.some_move(ME)))
        assert driver.table.away == ()


def test_who_has_left_a_table_that_waits_is_waited_for() -> None:
    """Nothing falls due."""
    driver = of_people(hearts(), None, "wait")
    driver.do(LeaveSeat(ME))
    assert next_due(driver.table) is None


@pytest.mark.parametrize("absence", ["auto_play", "bot", "abandon"])
def test_no_time_runs_out_for_a_seat_that_is_not_there(absence: Absence) -> None:
    """Whatever the table would do then."""
    driver = late(absence)
    for seat in (-1, 4):
        assert isinstance(refusal(driver, TimeOut(Seat(seat))), UnknownSeat)


def test_a_bot_of_its_own_is_never_late() -> None:
    """Neither at its own seat nor for a player."""
    driver = of_bots("hearts")
    assert next_due(driver.table) is None
    driver.do(Act(ME, driver.some_move(ME)))


def test_a_rated_table_is_not_given_up_for_who_leaves() -> None:
    """Whoever is losing would leave."""
    with pytest.raises(InvalidTable) as refused:
        of_people(hearts({"passing": []}), None, "abandon", rated=True)
    assert refused.value.facts["field"] == "absence"
