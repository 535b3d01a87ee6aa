"""What Cancellation Hearts shows of a deal to a seat, or to the public."""

from msgspec import Struct

from domain.black_lady.view import BlackLadyView, shown
from domain.cards import Card, Holding, cards_of, less
from domain.decisions import Phase
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat
from domain.seating import at_seat


class KittyView(Struct, frozen=True):
    """The cards that were left over: how many, who took them, null while they wait.

    `cards` is null unless the viewer took them, or the deal is over.
    """

    count: int
    taken_by: Seat | None
    cards: tuple[Card, ...] | None


class CancellationView(BlackLadyView, frozen=True):
    """The part of a view that only Cancellation Hearts has.

    `set_aside` are the cards of cancelled tricks that wait for a winner. Points in the
    kitty are counted in `points` for those only who know its cards.
    """

    set_aside: tuple[Card, ...]
    kitty: KittyView


def view(state: CancellationState, seat: Seat | None) -> CancellationView:
    """What the seat, or the public where it is None, may see."""
    taker = state.kitty_taker
    open_to_all = state.phase is Phase.DONE
    taken_by_me = seat is not None and seat == taker
    cards = cards_of(state.kitty) if open_to_all or taken_by_me else None
    return shown(
        CancellationView,
        state,
        seat,
        state.taken if cards is not None else _seen_taken(state),
        set_aside=cards_of(state.aside),
        kitty=KittyView(state.kitty.bit_count(), taker, cards),
    )


def _seen_taken(state: CancellationState) -> tuple[Holding, ...]:
    """What each seat took in tricks, which all saw, without the kitty."""
    taker = state.kitty_taker
    if taker is None:
        return state.taken
    return at_seat(state.taken, taker, less(state.taken[taker], state.kitty))
