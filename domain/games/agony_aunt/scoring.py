"""What a deal of Agony Aunt costs each player, and when the match is over."""

from typing import Final, Literal, TypeAlias

from domain.events import (
    CountersLost,
    CountersReturned,
    DealScored,
    Event,
    LineMade,
)
from domain.game import Result
from domain.games.agony_aunt.board import Owners, lines_of, placed
from domain.games.agony_aunt.joker import exchanged
from domain.games.agony_aunt.penalties import counter
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat

Recovery: TypeAlias = Literal["sweep", "null", "clean"]

RECOVERIES: Final[tuple[Recovery, ...]] = ("sweep", "null", "clean")
"""Why counters come back, in the order in which they do (AA-R28)."""


def score(state: AgonyAuntState) -> list[Event]:
    """What follows when the last trick has been paid for, in order (AA-R28).

    The counter for most tricks, the lines, what is lost, what comes back, the scores.
    """
    seats = tuple(map(Seat, range(state.seats)))
    most = counter("plus", most_tricks(state))
    owners: Owners = {**state.owners, "plus": most.seat}
    lines = [LineMade(seat, line) for seat, line in lines_of(owners, state.options)]
    debts = [placed(owners, seat) + made(lines, seat) for seat in seats]
    lost = tuple(map(min, debts, state.scores))  # AA-R27
    left = tuple(map(int.__sub__, state.scores, lost))
    reasons = [recovery(state, owners, seat) for seat in seats]
    back = [returned(state, left[seat], reasons[seat]) for seat in seats]
    return [
        most,
        *lines,
        *(CountersLost(seat, lost[seat]) for seat in seats if lost[seat]),
        *(
            CountersReturned(seat, back[seat], reason)
            for reason in RECOVERIES
            for seat in seats
            if reasons[seat] == reason and back[seat]
        ),
        DealScored(
            points=tuple(map(int.__sub__, lost, back)),
            scores=tuple(map(int.__add__, left, back)),
        ),
    ]


def made(lines: list[LineMade], seat: Seat) -> int:
    """How many of the lines are a seat's."""
    return sum(line.seat == seat for line in lines)


def most_tricks(state: AgonyAuntState) -> Seat:
    """Who pays for having won the most tricks.

    Of several, it is who took the most cards of the dump suit, then the highest of
    them, then the latest trick (AA-R15 to AA-R17).
    """
    won, turned = state.tricks_taken(), state.turned
    latest = {trick.winner: trick.number for trick in state.tricks}

    def place(seat: Seat) -> tuple[int, int, int, int]:
        dumps = exchanged(state.taken[seat], turned) & turned.suit.all
        return won[seat], dumps.bit_count(), dumps.bit_length(), latest.get(seat, 0)

    return max(map(Seat, range(state.seats)), key=place)


def recovery(state: AgonyAuntState, owners: Owners, seat: Seat) -> Recovery | None:
    """Why counters come back to a seat: for all tricks, none, or a clean board."""
    won, every = state.tricks_taken(), len(state.tricks)
    if won[seat] == every:
        return "sweep"
    if every in won:
        return None  # AA-R23, AA-R26
    if not won[seat]:
        return "null"
    return None if seat in owners.values() else "clean"


def returned(state: AgonyAuntState, left: int, reason: Recovery | None) -> int:
    """How many counters come back to one who has these left: all, half or none."""
    missing = state.options.counters - left
    if reason is None:
        return 0
    return missing // 2 if reason == "clean" else missing


def result(state: AgonyAuntState) -> Result | None:
    """The end of the match, once somebody has no counter left (AA-R29, AA-R30)."""
    if min(state.scores):
        return None
    most = max(state.scores)
    return Result(
        winners=tuple(
            Seat(seat) for seat, left in enumerate(state.scores) if left == most
        )
    )
