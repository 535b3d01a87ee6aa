"""Decisions: their names, how long they are good, what answers them."""

from msgspec import UNSET

from domain import views
from domain.cards import Card
from domain.commands import (
    Act,
    Command,
    LeaveSeat,
    Play,
    TakeSeat,
)
from domain.errors import (
    NotYourTurn,
    StaleDecision,
    UnknownSeat,
)
from domain.ids import Seat
from tests.driver import (
    Driver,
    hearts,
    hearts_of_people,
    person,
    refusal,
)


def decision_of(driver: Driver, seat: int) -> str | None:
    """The id of the seat's open decision."""
    return views.decision_id(driver.table, Seat(seat))


def test_a_decision_is_named_after_the_append_that_opened_it() -> None:
    """`<version>.<seat>`, the version being the append's last."""
    driver = hearts()
    version = driver.table.version
    assert [decision_of(driver, s) for s in range(4)] == [
        f"{version}.{seat}" for seat in range(4)
    ]


def test_a_decision_stays_good_while_others_decide() -> None:
    """Somebody else's pass, leaving or coming back changes nothing about it."""
    driver = hearts_of_people()
    before = decision_of(driver, 3)
    driver.move(0, driver.some_move(Seat(0)))
    driver.do(LeaveSeat(Seat(3)))
    driver.do(TakeSeat(Seat(3), person(3)))
    assert decision_of(driver, 3) == before
    assert decision_of(driver, 0) is None


def test_a_new_decision_has_a_new_name() -> None:
    """Who wins a trick and leads to the next answers another decision."""
    driver = hearts({"passing": []})
    names = []
    while driver.play_state().deal == 1:
        [seat] = views.to_act(driver.table)
        names.append(decision_of(driver, seat))
        driver.step()
    assert len(names) == 52
    assert len(set(names)) == 52


def named(driver: Driver, seat: int, decision: str) -> Command:
    """A legal move of the seat that names this decision."""
    move = driver.some_move(Seat(seat))
    assert move.decision is UNSET
    fields = {field: getattr(move, field) for field in move.__struct_fields__}
    return Act(Seat(seat), type(move)(**fields | {"decision": decision}))


def test_a_move_may_name_the_decision_it_answers() -> None:
    """The open one is accepted."""
    driver = hearts()
    driver.do(named(driver, 1, decision_of(driver, 1) or ""))
    assert decision_of(driver, 1) is None


def test_a_move_for_another_decision_is_stale() -> None:
    """A past one, a future one, another seat's: nothing is done."""
    driver = hearts()
    version = driver.table.version
    for decision in (f"{version - 1}.1", f"{version + 1}.1", f"{version}.0", "0.1"):
        refused = refusal(driver, named(driver, 1, decision))
        assert isinstance(refused, StaleDecision)
        assert refused.facts == {"decision": decision}


def test_a_move_repeated_with_its_decision_is_stale() -> None:
    """A seat that has passed cannot pass again under the same name."""
    driver = hearts()
    again = named(driver, 1, decision_of(driver, 1) or "")
    driver.do(again)
    assert isinstance(refusal(driver, again), StaleDecision)
    assert isinstance(again, Act)


def test_a_seat_without_a_decision_cannot_move() -> None:
    """A seat out of turn is told so, and what is no seat of the table that it is not.

    That holds whether or not the move names a decision.
    """
    driver = hearts({"passing": []})
    [turn] = views.to_act(driver.table)
    for seat in range(-1, 5):
        for move in (Play(card=Card("2C")), Play(card=Card("2C"), decision="11.0")):
            if seat not in range(4):
                refused = refusal(driver, Act(Seat(seat), move))
                assert isinstance(refused, UnknownSeat)
            elif seat != turn:
                refused = refusal(driver, Act(Seat(seat), move))
                assert isinstance(refused, NotYourTurn | StaleDecision)
