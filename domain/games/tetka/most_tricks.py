"""Who pays for most tricks."""

from collections.abc import Sequence

from domain.events import RevokeFound
from domain.games.tetka.revokes import after_penalties
from domain.games.tetka.state import TetkaState
from domain.ids import Seat


def most_tricks(state: TetkaState, found: Sequence[RevokeFound]) -> Seat:
    """The seat with most tricks at the end of a deal, revokes being paid for.

    Of those tied it is the one whose own last trick is the latest (TK-R11), or by
    option the one who took most of the photograph's suit, then its highest card, if
    any took one (X-26). Somebody may be tied by given tricks alone: of such players it
    is the one whose revoke came last.
    """
    counts = after_penalties(state.tricks_taken(), found)

    def claim(seat: Seat) -> tuple[int, ...]:
        of_suit = 0
        if state.options.most_tricks_tie == "most_of_suit":
            of_suit = state.taken[seat] & state.photographed().suit.all
        own = [trick.number for trick in state.tricks if trick.winner == seat]
        revoked = [place for place, it in enumerate(found, 1) if it.seat == seat]
        return (
            counts[seat],
            of_suit.bit_count(),
            of_suit,
            max(own, default=0),
            max(revoked, default=0),
        )

    return max(map(Seat, range(state.seats)), key=claim)
