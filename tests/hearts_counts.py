"""How many ways there are to play on in fixed deals of Hearts, move by move.

A number that differs tells of a rule that differs, whichever it is: what chess programs
count for the same reason they call perft.
"""

from typing import Final

from msgspec import Struct

from domain.cards import STANDARD_PACK, Card, cards_of
from domain.commands import Pass, Play
from domain.decisions import Phase
from domain.games.hearts import GAME
from domain.games.hearts.options import Options
from domain.games.hearts.state import HeartsState
from domain.passing import PASSED
from domain.shuffle import Words
from tests.hearts_deals import Hands, dealt, divided
from tests.hearts_positions import after

OPENING: Final = 10
"""How many plays deep is counted from the first lead."""

PLAYED: Final = 36
"""After how many plays of one line all that is left is counted."""

LEFT: Final = len(STANDARD_PACK) - PLAYED


class Counted(Struct, frozen=True):
    """A deal, and its numbers of continuations of one play, of two plays, and so on.

    `seed` gives the cards and the line. `opening` counts from the first lead, each seat
    having passed its first three cards in pack order; `ending` from where the line has
    come after `PLAYED` plays, to the last card.
    """

    seed: int
    options: Options
    opening: tuple[int, ...]
    ending: tuple[int, ...]

    def words(self) -> Words:
        """What all chance in the deal is drawn from."""
        return Words(bytes([self.seed]))

    def hands(self) -> Hands:
        """What each seat is dealt."""
        return divided(self.words().shuffled(STANDARD_PACK))

    def line(self) -> tuple[Card, ...]:
        """The first `PLAYED` plays, each any legal card."""
        words, state = self.words(), at_first_lead(self)
        line: list[Card] = []
        for _ in range(PLAYED):
            plays = _plays(state)
            move = plays[words.below(len(plays))]
            line.append(move.card)
            state = after(state, move, state.turn)[1]
        return tuple(line)


def at_first_lead(counted: Counted) -> HeartsState:
    """The deal after its passes."""
    state = dealt(counted.hands(), counted.options)
    while state.phase is Phase.PASSING:
        seat = GAME.to_act(state)[0]
        state = after(state, Pass(cards=first_cards(state, seat)), seat)[1]
    return state


def first_cards(state: HeartsState, seat: int) -> tuple[Card, ...]:
    """What a seat passes in these deals."""
    return cards_of(state.hands[seat])[:PASSED]


def after_line(counted: Counted) -> HeartsState:
    """The deal after its line."""
    state = at_first_lead(counted)
    for card in counted.line():
        state = after(state, Play(card=card), state.turn)[1]
    return state


def continuations(state: HeartsState, depth: int) -> tuple[int, ...]:
    """How many ways there are to play on for one play, two plays, up to `depth`."""
    counts = [0] * depth
    _count(state, counts, 0)
    return tuple(counts)


def _count(state: HeartsState, counts: list[int], done: int) -> None:
    plays = _plays(state)
    counts[done] += len(plays)
    if done + 1 < len(counts):
        for move in plays:
            _count(after(state, move, state.turn)[1], counts, done + 1)


def _plays(state: HeartsState) -> list[Play]:
    return [move for move in GAME.legal(state, state.turn) if isinstance(move, Play)]


COUNTED: Final = {
    "no pass": Counted(
        seed=5,
        options=Options(passing=()),
        opening=(1, 4, 8, 16, 136, 484, 1188, 2176, 17056, 59968),
        ending=(
            *(4, 13, 25, 51, 153, 323, 765, 1665),
            *(3330, 4758, 8556, 15048, 15048, 15048, 15048, 15048),
        ),
    ),
    "standard": Counted(
        seed=3,
        options=Options(),
        opening=(1, 3, 9, 36, 348, 816, 1848, 5832, 51624, 169056),
        ending=(
            *(4, 11, 26, 78, 234, 503, 1026, 1620),
            *(3240, 6156, 11028, 15000, 15000, 15000, 15000, 15000),
        ),
    ),
    "lenient": Counted(
        seed=1,
        options=Options(
            passing=("across",),
            opening="any_club",
            points_on_first_trick=True,
            break_required=False,
        ),
        opening=(3, 9, 36, 108, 1296, 3624, 10176, 25704, 282744, 828792),
        ending=(
            *(4, 12, 28, 45, 135, 195, 355, 783),
            *(1566, 2280, 3584, 6072, 6072, 6072, 6072, 6072),
        ),
    ),
    "the queen breaks nothing": Counted(
        seed=4,
        options=Options(
            passing=("right",),
            queen_breaks_hearts=False,
            lead_hearts_instead_of_qs=True,
        ),
        opening=(1, 3, 9, 36, 348, 900, 2424, 6336, 51840, 115344),
        ending=(
            *(4, 4, 10, 34, 102, 178, 438, 1170),
            *(2340, 3528, 5904, 10080, 10080, 10080, 10080, 10080),
        ),
    ),
}
"""The deals by what is special about them; OpenSpiel counts the same numbers."""
