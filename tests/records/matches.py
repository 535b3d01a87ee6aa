"""Sound records of every game: whole matches at several tables, and such given up."""

from collections.abc import Callable
from datetime import timedelta
from functools import cache, partial
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from domain.commands import (
    AdmitObserver,
    ExtendDeadlines,
    GiveEntropy,
    LeaveSeat,
    OpenTable,
    StartMatch,
    TakeSeat,
    TimeOut,
)
from domain.ids import PlayerId, Seat, TableId
from domain.terms import Clock, Options
from tests.driver import Driver, hearts_to_come, of_bots, of_people, person
from tests.games import TRIALS

SHORT: Final[dict[str, Options]] = {
    "hearts": {"target": 1},
    "cancellation-hearts": {"target": 1, "moon": "choice"},
    "tetka": {"length": "deals", "deals": 2, "revokes": "penalised"},
    "agony-aunt": {"counters": 5},
    "auction-hearts": {"deals": 2},
}
"""Options of matches that are over soon."""


def shuffled(game: str, seats: int) -> Driver:
    """A short match of bots in which no deal is arranged."""
    return of_bots(game, SHORT[game], seats=seats, seed=seats).finish()


def with_clocks(game: str, seats: int) -> Driver:
    """A match of people who are late, leave, and come back."""
    like = of_bots(game, SHORT[game], seats=seats, seed=seats)
    driver = of_people(like, Clock(seconds=2, bank=5), "bot")
    for number, _ in enumerate(driver.prefixes()):
        if number == 9 and driver.table.status == "playing":
            driver.do(LeaveSeat(Seat(1)))
    return driver


def with_entropy() -> Driver:
    """A table at which people sat down, left again, gave entropy, and then played."""
    driver = hearts_to_come({"target": 1}, autostart=False, seed=8)
    for seat in range(4):
        entropy = driver.chance.randbytes(32).hex()
        driver.do(TakeSeat(Seat(seat), person(seat), entropy if seat % 2 else None))
    driver.do(LeaveSeat(Seat(1)))
    driver.do(TakeSeat(Seat(1), person(9)))
    driver.do(GiveEntropy(Seat(2), driver.chance.randbytes(32).hex()))
    driver.do(StartMatch())
    return driver.finish()


def timed_out() -> Driver:
    """A match with a clock at which seats are late, and moves are made for them.

    Once the server is away for a while.
    """
    like = of_bots("hearts", SHORT["hearts"], seed=5)
    driver = of_people(like, Clock(seconds=30, bank=20), "auto_play")
    for _ in driver.prefixes(8):
        pass
    driver.wait(110)
    driver.do(ExtendDeadlines(driver.now - timedelta(seconds=100), driver.now))
    driver.finish()
    assert any(isinstance(command, TimeOut) for command in driver.commands)
    return driver


def left_and_back() -> Driver:
    """A match that waits for a player who has left, and is back with a move."""
    driver = of_people(of_bots("hearts", SHORT["hearts"], seed=4), None, "wait")
    driver.do(LeaveSeat(Seat(1)))
    return driver.finish()


def watched() -> Driver:
    """A match at which a referee is admitted in the middle of a deal."""
    driver = of_bots("hearts", SHORT["hearts"], seed=6)
    for _ in driver.prefixes(12):
        pass
    driver.do(AdmitObserver(PlayerId(UUID(int=500))))
    return driver.finish()


def again() -> Driver:
    """A rematch, which another player than the host has asked for."""
    opening = of_bots("hearts", SHORT["hearts"]).commands[0]
    assert isinstance(opening, OpenTable)
    return Driver(replace(opening, rematch_of=TableId(UUID(int=9))), seed=7).finish()


def given_up(game: str, seats: int) -> Driver:
    """A table that was abandoned in its first deal."""
    driver = of_bots(game, seats=seats, seed=seats)
    for _ in driver.prefixes(20):
        pass
    return driver.abandon()


def never_begun() -> Driver:
    """A table that was abandoned before its match."""
    return hearts_to_come(seats=5).abandon()


MATCHES: Final[dict[str, Callable[[], Driver]]] = {
    **{f"{game}-recorded": trial.recorded for game, trial in TRIALS.items()},
    "hearts-3": lambda: shuffled("hearts", 3),
    "hearts-4": lambda: shuffled("hearts", 4),
    "hearts-7": lambda: shuffled("hearts", 7),
    "cancellation-hearts-6": lambda: shuffled("cancellation-hearts", 6),
    "cancellation-hearts-11": lambda: shuffled("cancellation-hearts", 11),
    "tetka-4": lambda: shuffled("tetka", 4),
    "agony-aunt-4": lambda: shuffled("agony-aunt", 4),
    "auction-hearts-3": lambda: shuffled("auction-hearts", 3),
    "auction-hearts-7": lambda: shuffled("auction-hearts", 7),
    "hearts-clocks": lambda: with_clocks("hearts", 4),
    "tetka-clocks": lambda: with_clocks("tetka", 4),
    "auction-hearts-clocks": lambda: with_clocks("auction-hearts", 5),
    "hearts-timed-out": timed_out,
    "hearts-left": left_and_back,
    "hearts-entropy": with_entropy,
    "hearts-watched": watched,
    "hearts-again": again,
    "hearts-never-begun": never_begun,
    **{
        f"{game}-given-up": partial(given_up, game, seats)
        for game, seats in {
            "hearts": 5,
            "cancellation-hearts": 7,
            "tetka": 4,
            "agony-aunt": 4,
            "auction-hearts": 4,
        }.items()
    },
}
"""Tables that are over, by name."""


@cache
def match(name: str) -> Driver:
    """One of the matches."""
    driver = MATCHES[name]()
    assert driver.table.is_over()
    return driver


@cache
def lines(name: str) -> tuple[bytes, ...]:
    """The record of one of the matches, line by line."""
    return tuple(match(name).record_lines())
