"""What the bots play, at every game: only legal moves, by what any client can see."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.bots import BOTS
from domain.commands import Act, Move
from domain.deciding import decide
from domain.games import GAMES
from domain.ids import Seat
from domain.people import BotName
from domain.sight import Sight
from domain.table import Table
from domain.views import sight
from tests.bot_matches import play_match
from tests.games import TRIALS
from tests.property.effort import QUICK
from tests.property.noninterference import UNFORESEEN, twins

NAMES: tuple[BotName, ...] = ("random", "steady")
both_bots = pytest.mark.parametrize("name", NAMES)
every_game = pytest.mark.parametrize("game", TRIALS)


@every_game
@both_bots
@settings(QUICK, max_examples=15)
@given(data=st.data(), seed=st.integers(0, 10**9))
def test_bots_make_legal_moves_only(
    game: str, name: BotName, data: st.DataObject, seed: int
) -> None:
    """In matches with any options each is listed and honest, or a legal choice."""
    playing = GAMES[game]
    seats = data.draw(st.integers(playing.min_seats, playing.max_seats))
    bots = [BOTS["random"], BOTS["steady"]] * seats
    bots[0] = BOTS[name]

    def is_legal(table: Table, seeing: Sight, move: Move) -> None:
        decision = seeing.view.decision
        assert decision is not None
        listed = move in decision.legal and move in playing.honest(seeing)
        assert listed or decision.choices is not None
        assert decide(table, Act(seeing.seat, move), UNFORESEEN)

    options = data.draw(TRIALS[game].options(seats))
    play_match(game, bots[:seats], options, Random(seed), is_legal)


@every_game
@both_bots
@settings(QUICK, max_examples=4)
@given(seed=st.integers(0, 10**9))
def test_the_same_sight_and_luck_make_the_same_move(
    game: str, name: BotName, seed: int
) -> None:
    """A bot keeps nothing in mind between its moves."""

    def repeats(_table: Table, seeing: Sight, _move: Move) -> None:
        bot = BOTS[name]
        assert bot(seeing, Random(seed)) == bot(seeing, Random(seed))

    seats = GAMES[game].usual_seats
    play_match(game, [BOTS[name]] * seats, {}, Random(seed), repeats)


@every_game
@settings(QUICK, max_examples=20)
@given(data=st.data(), seed=st.integers(0, 10**9))
def test_bots_see_nothing_hidden(game: str, data: st.DataObject, seed: int) -> None:
    """A bot's sight is the same if cards that it cannot know change places."""
    driver = data.draw(TRIALS[game].tables)
    for _ in range(data.draw(st.integers(0, 80))):
        if driver.table.status == "playing":
            driver.step()
    if driver.table.status != "playing":
        return
    for seat in map(Seat, range(len(driver.table.seats))):
        seeing = sight(driver.table, seat)
        for twin in twins(driver, seat, Random(seed), tries=4):
            assert sight(twin.table, seat) == seeing
