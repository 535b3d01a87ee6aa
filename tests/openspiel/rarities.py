"""What seldom comes up in a deal of Hearts, and must have if a comparison is to count.

The rules that differ from house to house are about these.
"""

from collections.abc import Iterator
from enum import Enum

from domain.black_lady import HEARTS, PENALTIES
from domain.cards import Holding, within
from domain.games.hearts.state import JACK, QUEEN, HeartsState
from tests.openspiel.together import Pair


class Rarity(Enum):
    """What may come up, in words."""

    FIRST_TRICK_PENALTIES = "nothing but penalty cards for the first trick, HE-R13"
    LEAD_HEARTS = "nothing but hearts to lead, unbroken, HE-R16"
    LEAD_QUEEN = "nothing but hearts and the queen to lead, unbroken, HE-R17"
    LEAD_EITHER = "the same where either may be led"
    NO_TRICK = "no trick where that has a bonus, and no moon"
    MOON = "a moon, HE-R19"
    SUN = "a moon with every trick"
    MOON_WITH_JACK = "a moon, and the shooter took the jack that counts, HE-7"
    MOON_WITHOUT_JACK = "a moon, and somebody else took the jack that counts"
    MOON_AND_NO_TRICK = "a moon, and no trick for another where that has a bonus, X-4"


def at_play(state: HeartsState) -> Iterator[Rarity]:
    """What is rare about a play to come."""
    options, hand = state.options, state.hands[state.turn]
    if state.trick:
        limited = not state.tricks and not options.points_on_first_trick
        if limited and within(hand, PENALTIES):
            yield Rarity.FIRST_TRICK_PENALTIES
    elif not state.broken and options.break_required:
        yield from _at_lead(hand, either=options.lead_hearts_instead_of_qs)


def _at_lead(hand: Holding, *, either: bool) -> Iterator[Rarity]:
    if within(hand, HEARTS):
        yield Rarity.LEAD_HEARTS
    elif hand & ~HEARTS == QUEEN and hand != QUEEN:
        yield Rarity.LEAD_EITHER if either else Rarity.LEAD_QUEEN


def at_end(pair: Pair) -> Iterator[Rarity]:
    """What was rare about how the deal ended."""
    state, shooter = pair.ours, pair.shooter()
    tricks = state.tricks_taken()
    skunked = bool(state.options.no_trick_bonus) and 0 in tricks
    if shooter is None:
        if skunked:
            yield Rarity.NO_TRICK
        return
    yield Rarity.MOON
    if tricks[shooter] == len(state.tricks):
        yield Rarity.SUN
    if skunked:
        yield Rarity.MOON_AND_NO_TRICK
    if state.options.jack_of_diamonds:
        jack = within(JACK, state.taken[shooter])
        yield Rarity.MOON_WITH_JACK if jack else Rarity.MOON_WITHOUT_JACK
