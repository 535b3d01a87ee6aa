"""The life of a table: seats, entropy, the start, leaving, the end, giving up."""

import pytest

from domain import views
from domain.cards import Card
from domain.commands import (
    AbandonTable,
    Act,
    GiveEntropy,
    LeaveSeat,
    OpenTable,
    Play,
    StartMatch,
    TakeSeat,
)
from domain.errors import (
    AlreadySeated,
    InvalidTable,
    MatchHasNotStarted,
    MatchHasStarted,
    SeatIsEmpty,
    SeatIsTaken,
    SeatsNotFilled,
    TableIsOver,
    UnknownSeat,
)
from domain.events import (
    DealRevealed,
    DealScored,
    DealStarted,
    DealVoided,
    EntropyGiven,
    Event,
    HandDealt,
    MatchEnded,
    MatchRevealed,
    MatchStarted,
    SeatLeft,
    SeatTaken,
    TableAbandoned,
)
from domain.ids import Seat
from domain.people import NOBODY, Occupant
from domain.shuffle import NO_ENTROPY, deal_commitment
from tests.driver import (
    BOT,
    HOST,
    Driver,
    hearts,
    hearts_of_people,
    hearts_to_come,
    person,
    refusal,
)

ONES = "11" * 32
TWOS = "22" * 32


def kinds(events: list[Event]) -> list[type[Event]]:
    """What happened, in order."""
    return [type(event) for event in events]


def sit(driver: Driver, seat: int, number: int, entropy: str | None = None) -> None:
    """The person of that number takes the seat."""
    driver.do(TakeSeat(Seat(seat), person(number), entropy))


# Seats.


def test_a_player_sits_down() -> None:
    """The seat is theirs, with no entropy unless they gave some."""
    driver = hearts_to_come()
    assert driver.do(TakeSeat(Seat(2), person(7))) == [SeatTaken(Seat(2), person(7))]
    assert driver.table.seats == (NOBODY, NOBODY, person(7), NOBODY)
    assert driver.table.entropy == (NO_ENTROPY,) * 4
    assert driver.table.seat_of(person(7).player or HOST) == 2


def test_a_taken_seat_is_not_taken_again() -> None:
    """Neither by somebody else nor by a bot, nor by who sits there."""
    driver = hearts_to_come()
    sit(driver, 2, 7)
    for other in (person(8), BOT, person(7)):
        assert isinstance(refusal(driver, TakeSeat(Seat(2), other)), SeatIsTaken)


@pytest.mark.parametrize("who", [NOBODY, Occupant(player=HOST, bot="steady")])
def test_a_seat_is_one_players_or_a_bots(who: Occupant) -> None:
    """Neither nobody sits down nor two at once, nor is a table planned for two."""
    driver = hearts_to_come()
    assert isinstance(refusal(driver, TakeSeat(Seat(0), who)), SeatIsTaken)
    if who != NOBODY:
        plan = OpenTable(game="hearts", options={}, seats=(who, *[BOT] * 3), host=HOST)
        with pytest.raises(InvalidTable) as caught:
            Driver(plan)
        assert caught.value.facts["field"] == "seats"


def test_a_player_has_one_seat_at_a_table() -> None:
    """A second one is refused; bots of the same name may have several."""
    driver = hearts_to_come()
    sit(driver, 2, 7)
    again = TakeSeat(Seat(0), person(7))
    assert isinstance(refusal(driver, again), AlreadySeated)
    driver.do(TakeSeat(Seat(0), BOT))
    driver.do(TakeSeat(Seat(1), BOT))


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_seat_that_is_not_there_cannot_be_used(seat: int) -> None:
    """Not taken, not left, and nothing is given for it."""
    driver = hearts_to_come()
    for command in (
        TakeSeat(Seat(seat), person(1)),
        LeaveSeat(Seat(seat)),
        GiveEntropy(Seat(seat), ONES),
    ):
        assert isinstance(refusal(driver, command), UnknownSeat)


# Entropy.


def test_entropy_can_be_given_with_the_seat_and_again() -> None:
    """The last that was given counts."""
    driver = hearts_to_come()
    taken = driver.do(TakeSeat(Seat(1), person(1), ONES))
    assert taken == [SeatTaken(Seat(1), person(1)), EntropyGiven(Seat(1), ONES)]
    assert driver.table.entropy[1].hex() == ONES
    assert driver.do(GiveEntropy(Seat(1), TWOS)) == [EntropyGiven(Seat(1), TWOS)]
    assert driver.table.entropy[1].hex() == TWOS


def test_nothing_is_given_for_an_empty_seat() -> None:
    """Somebody must sit there first."""
    given = GiveEntropy(Seat(1), ONES)
    assert isinstance(refusal(hearts_to_come(), given), SeatIsEmpty)


def test_entropy_comes_too_late_once_the_match_has_started() -> None:
    """The cards of all deals are settled by then."""
    given = GiveEntropy(Seat(1), ONES)
    assert isinstance(refusal(hearts_of_people(), given), MatchHasStarted)


def test_the_match_starts_with_everybodys_entropy_by_seat() -> None:
    """Zeros stand for who gave none, and for who gave some and then left."""
    driver = hearts_to_come(seats=3)
    sit(driver, 0, 0, ONES)
    sit(driver, 1, 1, TWOS)
    driver.do(LeaveSeat(Seat(0)))
    sit(driver, 0, 5)
    sit(driver, 2, 2)
    [started] = [it for it in driver.appends[-1] if isinstance(it, MatchStarted)]
    assert started.players == (person(5), person(1), person(2))
    assert started.entropy == ("00" * 32, TWOS, "00" * 32)


def test_one_seats_entropy_changes_all_hands() -> None:
    """Two tables alike but for one seat's 32 bytes deal other cards."""
    hands = []
    for entropy in (ONES, TWOS):
        driver = hearts_to_come(seats=3, seed=1)
        for seat in range(3):
            sit(driver, seat, seat, entropy if seat == 1 else None)
        hands.append(driver.play_state().hands)
    assert hands[0] != hands[1]


# The start.


def test_the_match_starts_when_the_last_seat_is_taken() -> None:
    """In the append of that seat, up to the first open decision."""
    driver = hearts_to_come()
    for seat in range(3):
        sit(driver, seat, seat)
    assert kinds(driver.appends[-1]) == [SeatTaken]
    sit(driver, 3, 3, ONES)
    assert kinds(driver.appends[-1]) == [
        SeatTaken,
        EntropyGiven,
        MatchStarted,
        DealStarted,
        *[HandDealt] * 4,
    ]
    assert driver.table.status == "playing"
    assert views.to_act(driver.table) == (0, 1, 2, 3)


def test_without_autostart_a_full_table_waits() -> None:
    """It starts when it is told to."""
    driver = hearts_to_come(autostart=False)
    for seat in range(4):
        sit(driver, seat, seat)
    assert driver.table.status == "open"
    assert kinds(driver.do(StartMatch()))[:2] == [MatchStarted, DealStarted]


def test_a_match_does_not_start_with_seats_free() -> None:
    """The refusal says how many."""
    driver = hearts_to_come()
    sit(driver, 0, 0)
    refused = refusal(driver, StartMatch())
    assert isinstance(refused, SeatsNotFilled)
    assert refused.facts == {"free": 3}


def test_a_match_starts_once() -> None:
    """Starting it again is refused."""
    assert isinstance(refusal(hearts(), StartMatch()), MatchHasStarted)


def test_nobody_plays_before_the_match() -> None:
    """A card has no place at an open table."""
    driver = hearts_to_come()
    sit(driver, 0, 0)
    move = Act(Seat(0), Play(card=Card("2C")))
    assert isinstance(refusal(driver, move), MatchHasNotStarted)


def test_a_deal_is_committed_to_before_its_cards() -> None:
    """Each deal's first event has the commitment to the secret it is dealt from."""
    driver = hearts({"target": 30}).finish()
    started = [
        event
        for append in driver.appends
        for event in append
        if isinstance(event, DealStarted)
    ]
    for event in started:
        committed = deal_commitment(driver.id, event.deal, event.secret)
        assert event.commitment == committed.hex()
    assert len({event.commitment for event in started}) == len(started)


# Leaving.


def test_who_leaves_before_the_match_gives_up_seat_and_entropy() -> None:
    """The seat is free again, for anybody."""
    driver = hearts_to_come()
    sit(driver, 1, 1, ONES)
    assert driver.do(LeaveSeat(Seat(1))) == [SeatLeft(Seat(1))]
    assert driver.table.seats == (NOBODY,) * 4
    assert driver.table.entropy == (NO_ENTROPY,) * 4
    sit(driver, 1, 2)
    sit(driver, 0, 1)


def test_an_empty_seat_cannot_be_left() -> None:
    """Nobody is there to leave it."""
    assert isinstance(refusal(hearts_to_come(), LeaveSeat(Seat(1))), SeatIsEmpty)


def test_x_21_who_leaves_during_the_match_keeps_the_seat() -> None:
    """With its cards, its score and its open decision."""
    driver = hearts_of_people()
    hand, decision = (
        driver.play_state().hands[1],
        views.decision_id(driver.table, Seat(1)),
    )
    assert driver.do(LeaveSeat(Seat(1))) == [SeatLeft(Seat(1))]
    assert driver.table.seats[1] == person(1)
    assert driver.table.away == (1,)
    assert driver.play_state().hands[1] == hand
    assert views.decision_id(driver.table, Seat(1)) == decision
    driver.move(1, driver.some_move(Seat(1)))


def test_nobody_leaves_twice() -> None:
    """Who is away already has left."""
    driver = hearts_of_people()
    driver.do(LeaveSeat(Seat(1)))
    assert isinstance(refusal(driver, LeaveSeat(Seat(1))), SeatIsEmpty)


def test_x_21_who_left_may_come_back() -> None:
    """And then is away no more; who is not away has nothing to come back to."""
    driver = hearts_of_people()
    back = TakeSeat(Seat(1), person(1))
    assert isinstance(refusal(driver, back), MatchHasStarted)
    driver.do(LeaveSeat(Seat(1)))
    assert driver.do(back) == [SeatTaken(Seat(1), person(1))]
    assert driver.table.away == ()


def test_the_seat_of_who_left_is_not_given_away() -> None:
    """Neither to somebody else nor to a bot."""
    driver = hearts_of_people()
    driver.do(LeaveSeat(Seat(1)))
    for other in (person(9), BOT):
        assert isinstance(refusal(driver, TakeSeat(Seat(1), other)), MatchHasStarted)


# The end.


def test_a_match_ends_with_everything_revealed() -> None:
    """The last deal, then the match's secret, then the result; nothing after it."""
    driver = hearts({"target": 1}).finish()
    last = driver.appends[-1]
    assert kinds(last)[-4:] == [DealScored, DealRevealed, MatchRevealed, MatchEnded]
    assert driver.table.status == "finished"
    assert views.to_act(driver.table) == ()


def test_x_16_a_table_given_up_in_a_deal_voids_it() -> None:
    """Cards dealt and passed so far are opened, and the deal counts for nothing."""
    driver = hearts()
    driver.move(2, driver.some_move(Seat(2)))
    events = driver.do(AbandonTable())
    assert kinds(events) == [DealVoided, DealRevealed, MatchRevealed, TableAbandoned]
    assert isinstance(events[0], DealVoided)
    assert isinstance(events[1], DealRevealed)
    assert events[0].deal == events[1].deal == 1
    sealed = [line.version for line in driver.lines if b'"seal"' in line.body]
    assert [opened.version for opened in events[1].opened] == sealed
    assert len(sealed) == 5
    assert driver.play_state().scores == (0, 0, 0, 0)
    assert driver.table.status == "abandoned"


def test_a_table_given_up_before_its_match_reveals_the_matchs_secret() -> None:
    """There is no deal to void."""
    driver = hearts_to_come()
    events = driver.do(AbandonTable())
    assert events == [
        MatchRevealed(driver.table.opened.secret.hex(), ()),
        TableAbandoned(),
    ]


@pytest.mark.parametrize("end", ["finished", "abandoned"])
def test_nothing_happens_at_a_table_that_is_over(end: str) -> None:
    """Whatever is asked of it."""
    driver = hearts({"target": 1})
    if end == "finished":
        driver.finish()
    else:
        driver.abandon()
    for command in (
        Act(Seat(0), Play(card=Card("2C"))),
        TakeSeat(Seat(0), person(1)),
        LeaveSeat(Seat(0)),
        GiveEntropy(Seat(0), ONES),
        StartMatch(),
        AbandonTable(),
    ):
        refused = refusal(driver, command)
        assert isinstance(refused, TableIsOver)
        assert refused.facts == {"status": end}
