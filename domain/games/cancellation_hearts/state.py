"""What Cancellation Hearts keeps beside what every game does."""

from domain.black_lady.course import BlackLadyState
from domain.cards import Holding
from domain.games.cancellation_hearts.options import Options, direction
from domain.ids import Seat, Version
from domain.passing import Direction


class CancellationState(BlackLadyState, frozen=True, kw_only=True):
    """A match of Cancellation Hearts.

    `aside` are the cards of the tricks set aside that wait for a winner. `kitty` are
    the cards that were left over, dealt at `kitty_version`; `kitty_taker` has them.
    """

    options: Options
    aside: Holding = 0
    kitty: Holding = 0
    kitty_version: Version = Version(0)
    kitty_taker: Seat | None = None

    @property
    def direction(self) -> Direction:
        """Where the pass of this deal goes (CH-R8)."""
        return direction(self.options, self.deal)

    @property
    def kitty_waits(self) -> bool:
        """Whether there is a kitty that nobody has taken."""
        return bool(self.kitty) and self.kitty_taker is None
