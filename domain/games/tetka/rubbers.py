"""Rubbers: who opens the next one and where all sit, how one is settled, who wins."""

from collections.abc import Callable
from typing import Final

from domain.cards import STANDARD_PACK, Card
from domain.decisions import Phase
from domain.events import Event, RubberEnded, SeatsDrawn, SettlementMade
from domain.game import Result
from domain.games.tetka.state import TetkaState
from domain.ids import Seat
from domain.shuffle import Words

RUBBERS_A_SEATING: Final = 4
"""How many rubbers are played before seats are drawn anew (TK-R17)."""


def next_dealer(state: TetkaState) -> Seat:
    """The left neighbour of the last dealer, or of who opened the last rubber.

    It is a seat, whoever sits there by now (TK-R16, X-22).
    """
    last = state.opener if state.rubber_over else state.dealer
    return Seat((last + 1) % state.seats)


def draws(state: TetkaState, draw: Callable[[int], Words]) -> list[Event]:
    """After every fourth rubber the players draw cards for new seats (TK-R17)."""
    number, left = divmod(state.rubber, RUBBERS_A_SEATING)
    if left or not state.rubber_over:
        return []
    return [drawn_seats(number, draw(number).shuffled(STANDARD_PACK), state.seats)]


def drawn_seats(number: int, order: list[Card], seats: int) -> SeatsDrawn:
    """Who sits where once all have drawn from the cards in this order.

    All draw one in turn; as long as some have drawn alike, those draw another one. The
    lowest takes the first seat, and so on upwards (TK-R2, X-18).
    """
    cards: list[tuple[Card, ...]] = [()] * seats
    ranks: list[tuple[int, ...]] = [()] * seats
    left = iter(order)
    while len(set(ranks)) < seats:
        alike = [seat for seat in range(seats) if ranks.count(ranks[seat]) > 1]
        for seat in alike:
            cards[seat] = (*cards[seat], next(left))
        ranks = [tuple(card.rank for card in drawn) for drawn in cards]
    places = tuple(Seat(sorted(ranks).index(mine)) for mine in ranks)
    return SeatsDrawn(number, tuple(cards), places)


def settled(state: TetkaState, scores: tuple[int, ...]) -> list[Event]:
    """What follows when a deal has brought the records to these scores."""
    options = state.options
    events: list[Event] = []
    if options.length == "rubber":
        if max(scores) < options.rubber_points:
            return []
        events.append(RubberEnded(state.rubber, scores))
    elif state.deal < options.deals:
        return []
    if options.settlement == "pairwise":
        events.append(SettlementMade(nets(scores)))
    return events


def nets(records: tuple[int, ...]) -> tuple[int, ...]:
    """What each player wins of the others, who pay for every mark they have more.

    With all pairs settled that is the sum of the records less four times one's own
    (TK-R14).
    """
    return tuple(sum(records) - len(records) * record for record in records)


def totals(state: TetkaState) -> tuple[int, ...]:
    """The marks of all rubbers together (X-10)."""
    return state.totals


def result(state: TetkaState) -> Result | None:
    """The end of the match, once its last rubber or deal is over.

    The nets of several rubbers add up to those of all marks together, so the lowest
    total has the highest sum of nets (X-10, X-25).
    """
    options = state.options
    if options.length == "rubber":
        over = state.rubber_over and state.rubber == options.rubbers
    else:
        over = state.phase is Phase.DONE and state.deal == options.deals
    if not over:
        return None
    marks = totals(state)
    winners = tuple(Seat(at) for at, it in enumerate(marks) if it == min(marks))
    pairwise = options.settlement == "pairwise"
    return Result(winners, nets(marks) if pairwise else None)
