"""What Hearts shows of a deal to a seat, or to the public."""

from domain.black_lady.view import BlackLadyView, shown
from domain.games.hearts.state import HeartsState
from domain.ids import Seat


class HeartsView(BlackLadyView, frozen=True):
    """The part of a view that Hearts adds to what every game shows."""


def view(state: HeartsState, seat: Seat | None) -> HeartsView:
    """What the seat, or the public where it is None, may see."""
    return shown(HeartsView, state, seat, state.taken)
