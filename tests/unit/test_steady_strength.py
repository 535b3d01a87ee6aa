"""How well the bot `steady` plays Hearts: a tournament with seeded cards."""

from random import Random

import pytest

from domain.bots import BOTS
from domain.ids import Seat
from tests.bot_matches import play_match, share_of_win

SEATS = 4
AT_LEAST = 0.6
"""The share of matches that one steady player must win against three random ones."""


def win_rate(matches: int) -> float:
    """The share of matches to 100 that steady wins, sitting at each place in turn."""
    wins = 0.0
    for seed in range(matches):
        steady = Seat(seed % SEATS)
        bots = [BOTS["random"]] * SEATS
        bots[steady] = BOTS["steady"]
        chance = Random(seed)
        wins += share_of_win(play_match(bots, {}, chance), steady)
    return wins / matches


def test_steady_beats_random_players() -> None:
    """Steady wins at least three in five of sixty matches."""
    assert win_rate(60) >= AT_LEAST


@pytest.mark.slow
def test_steady_beats_random_players_in_the_long_run() -> None:
    """Steady wins at least three in five of a thousand matches."""
    assert win_rate(1000) >= AT_LEAST
