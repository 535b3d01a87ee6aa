"""How well the bot `steady` plays: tournaments with seeded cards."""

from random import Random

import pytest

from domain.bots import BOTS
from domain.games import GAMES
from domain.ids import Seat
from tests.bot_matches import play_match, share_of_win

AT_LEAST = 1.5
"""How much more than its fair share one steady player must win among random ones."""

every_game = pytest.mark.parametrize("game", GAMES)


def advantage(game: str, matches: int) -> float:
    """How many times its fair share of the wins steady gets, at each place in turn."""
    seats = GAMES[game].usual_seats
    wins = 0.0
    for seed in range(matches):
        steady = Seat(seed % seats)
        bots = [BOTS["random"]] * seats
        bots[steady] = BOTS["steady"]
        chance = Random(seed)
        wins += share_of_win(play_match(game, bots, {}, chance), steady)
    return wins / matches * seats


@every_game
def test_steady_beats_random_players(game: str) -> None:
    """In forty matches."""
    assert advantage(game, 40) >= AT_LEAST


@pytest.mark.slow
@pytest.mark.timeout(1200)
@every_game
def test_steady_beats_random_players_in_the_long_run(game: str) -> None:
    """In five hundred matches."""
    assert advantage(game, 500) >= AT_LEAST
