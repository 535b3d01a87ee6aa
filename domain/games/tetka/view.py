"""What Tetka shows of a deal to a seat, or to the public."""

from domain.cards import Card, cards_of
from domain.games.tetka.marks import counting_trick
from domain.games.tetka.state import Mark, TetkaState
from domain.ids import Seat
from domain.sight import GameView
from domain.tricks import Trick


class TetkaView(GameView, frozen=True):
    """The part of a view that only Tetka has; lists are by seat.

    `marks` are those of the deal so far, `marked_for` what each was for, in order.
    `rubber` is the number of the rubber, `totals` are the marks of the whole match.
    `captured` are the viewer's own cards, null for the public.
    """

    photograph: Card
    counting_trick: int
    marks: tuple[int, ...]
    marked_for: tuple[tuple[Mark, ...], ...]
    rubber: int
    totals: tuple[int, ...]
    captured: tuple[Card, ...] | None


def view(state: TetkaState, seat: Seat | None) -> TetkaView:
    """What the seat, or the public where it is None, may see."""
    photograph = state.photographed()
    return TetkaView(
        photograph=photograph,
        counting_trick=counting_trick(photograph),
        marks=tuple(map(len, state.marks)),
        marked_for=state.marks,
        rubber=state.rubber,
        totals=state.totals,
        captured=None if seat is None else cards_of(state.taken[seat]),
    )


def last_tricks(state: TetkaState) -> tuple[Trick, ...]:
    """The tricks that may be looked back at: two before the next lead, then one."""
    return state.tricks[-1:] if state.trick else state.tricks[-2:]
