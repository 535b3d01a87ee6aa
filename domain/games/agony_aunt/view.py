"""What Agony Aunt shows of a deal to a seat, or to the public."""

from msgspec import Struct

from domain.cards import Card, Suit, cards_of
from domain.decisions import Phase
from domain.events import Square
from domain.games.agony_aunt.board import placed, squares
from domain.games.agony_aunt.penalties import dump_number
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat
from domain.sight import GameView


class BoardSquare(Struct, frozen=True):
    """A square of the board, and whose counter lies on it, if anybody's."""

    square: Square
    seat: Seat | None


class AgonyAuntView(GameView, frozen=True):
    """The part of a view that only Agony Aunt has.

    The Joker is the `turned` card. `board` has its nine squares row by row. `counters`
    are those in hand, by seat: what a deal has cost so far is taken off, lines are not
    before its end. `captured` are the viewer's own, null for the public.
    """

    turned: Card
    dump_suit: Suit
    dump_number: int
    board: tuple[BoardSquare, ...]
    counters: tuple[int, ...]
    captured: tuple[Card, ...] | None


def view(state: AgonyAuntState, seat: Seat | None) -> AgonyAuntView:
    """What the seat, or the public where it is None, may see."""
    return AgonyAuntView(
        turned=state.turned,
        dump_suit=state.turned.suit,
        dump_number=dump_number(state.turned),
        board=tuple(
            BoardSquare(square, state.owners.get(square))
            for square in squares(state.options)
        ),
        counters=_in_hand(state),
        captured=None if seat is None else cards_of(state.taken[seat]),
    )


def _in_hand(state: AgonyAuntState) -> tuple[int, ...]:
    """The counters that each seat has yet to put down."""
    if state.phase is Phase.DONE:
        return state.scores
    return tuple(
        max(0, left - placed(state.owners, Seat(seat)))
        for seat, left in enumerate(state.scores)
    )
