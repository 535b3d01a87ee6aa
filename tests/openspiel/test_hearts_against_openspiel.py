"""Our Hearts and OpenSpiel's, another team's program for the same game, agree."""

from random import Random
from typing import Any, Final

import pytest

from domain.decisions import Phase
from domain.games.hearts.options import Options
from domain.ids import Seat
from domain.passing import PASSED
from tests.hearts_counts import (
    COUNTED,
    LEFT,
    OPENING,
    Counted,
    at_first_lead,
    first_cards,
)
from tests.hearts_deals import Hands, any_deal, high_cards, lopsided_deal, penalty_cards
from tests.openspiel.playing import play
from tests.openspiel.rarities import Rarity, at_end, at_play
from tests.openspiel.together import ALTERED, DIRECTIONS, Pair, altered, defaults

pytestmark = pytest.mark.openspiel

DEALS: Final = 500
LOPSIDED_DEALS: Final = 2000

every_count = pytest.mark.parametrize("counted", COUNTED.values(), ids=COUNTED)


def play_together(
    options: Options, hands: Hands, chance: Random, grasping: Seat | None = None
) -> set[Rarity]:
    """Play a deal at random in both, which agree all the way; what came up in it.

    A `grasping` seat keeps its high cards and plays them first, so as to win tricks.
    """
    pair, seen = Pair(options, hands), set[Rarity]()
    while pair.is_on():
        legal = pair.legal()
        low_first = sorted(legal, key=lambda card: card.rank)
        if pair.seat() != grasping:
            chance.shuffle(low_first)
        if pair.ours.phase is Phase.PASSING:
            pair.pass_on(tuple(low_first[:PASSED]))
        else:
            seen.update(at_play(pair.ours))
            pair.play(low_first[-1])
    assert pair.points() == expected_points(pair)
    return seen | set(at_end(pair))


def expected_points(pair: Pair) -> tuple[int, ...]:
    """What OpenSpiel says the deal counts, but for the one rule where we differ.

    In a deal with a moon it gives no bonus for taking no trick; ours does (X-4).
    """
    bonus = pair.ours.options.no_trick_bonus if pair.shooter() is not None else 0
    return tuple(
        points + (0 if tricks else bonus)
        for points, tricks in zip(
            pair.their_points(), pair.ours.tricks_taken(), strict=True
        )
    )


def any_options(chance: Random) -> Options:
    """Any combination of the options, and any direction of the pass."""
    names = [name for name in ALTERED if chance.random() < 0.5]
    return altered(names, chance.choice(list(DIRECTIONS)))


def test_every_option_of_openspiel_has_one_of_ours() -> None:
    """None is left at its default for want of a counterpart."""
    assert defaults().keys() == ALTERED.keys()


@pytest.mark.parametrize("names", [(), *((name,) for name in ALTERED)], ids=" ".join)
def test_deals_go_the_same_way_with_an_option(names: tuple[str, ...]) -> None:
    """Whose turn, what may be played, when hearts break, and what it counts."""
    chance = Random(f"one option: {names}")
    for _ in range(DEALS):
        way = chance.choice(list(DIRECTIONS))
        play_together(altered(names, way), any_deal(chance), chance)


def test_deals_go_the_same_way_with_any_options() -> None:
    """The same for options in combination."""
    chance = Random("any options")
    for _ in range(DEALS):
        play_together(any_options(chance), any_deal(chance), chance)


def test_lopsided_deals_go_the_same_way() -> None:
    """The same where one seat has high cards or penalty cards; all rarities come up."""
    chance, seen = Random("lopsided deals"), set[Rarity]()
    for _ in range(LOPSIDED_DEALS):
        seat = Seat(chance.randrange(4))
        hands = lopsided_deal(chance, seat, chance.choice([high_cards, penalty_cards]))
        seen |= play_together(any_options(chance), hands, chance, grasping=seat)
    assert seen == set(Rarity)


def test_openspiel_gives_no_bonus_in_a_deal_with_a_moon() -> None:
    """Ours does, for every seat without a trick (X-4): that is all that differs."""
    chance, options = (
        Random(0),
        altered(["pass_cards", "avoid_all_tricks_bonus"], "hold"),
    )
    pair = Pair(options, lopsided_deal(chance, Seat(0), high_cards))
    while pair.is_on():
        pair.play(max(pair.legal(), key=lambda card: card.rank))
    assert pair.their_points() == (0, 26, 26, 26)
    assert pair.points() == (0, 21, 21, 21)


@every_count
def test_openspiel_counts_as_many_ways_from_the_first_lead(counted: Counted) -> None:
    """The numbers that are pinned for our rules are OpenSpiel's too."""
    assert ways(at_their_first_lead(counted).theirs, OPENING) == counted.opening


@every_count
def test_openspiel_counts_as_many_ways_to_the_last_card(counted: Counted) -> None:
    """The numbers that are pinned for our rules are OpenSpiel's too."""
    pair = at_their_first_lead(counted)
    for card in counted.line():
        pair.play(card)
    assert ways(pair.theirs, LEFT) == counted.ending


def at_their_first_lead(counted: Counted) -> Pair:
    """A counted deal in both, after its passes."""
    pair = Pair(counted.options, counted.hands())
    while pair.ours.phase is Phase.PASSING:
        pair.pass_on(first_cards(pair.ours, pair.seat()))
    assert pair.ours == at_first_lead(counted)
    return pair


def ways(state: Any, depth: int) -> tuple[int, ...]:  # noqa: ANN401 - it has no types
    """How many ways OpenSpiel finds to play on for one play, two, up to `depth`."""
    counts = [0] * depth

    def count(state: Any, done: int) -> None:  # noqa: ANN401 - the same
        legal = state.legal_actions()
        counts[done] += len(legal)
        if done + 1 < depth:
            for action in legal:
                count(state.child(action), done + 1)

    count(state, 0)
    return tuple(counts)


def test_playing_counts_every_action_of_the_players() -> None:
    """52 cards in every deal, and 12 passed in those with a pass."""
    actions = play(40, seed=1)
    assert 40 * 52 < actions < 40 * 64
    assert (actions - 40 * 52) % 12 == 0
