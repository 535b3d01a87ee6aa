"""What is so of every game that is registered."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import to_builtins

import domain.games
from domain.common_rules import COMMON_RULES
from domain.decisions import Phase
from domain.games import GAMES
from domain.ids import Seat
from domain.views import view
from tests.driver import of_bots

HOUSE = Path(domain.__file__).parents[1]
RULE_ID = re.compile(r"[A-Z]{1,2}-R?\d+")
every_game = pytest.mark.parametrize("game", GAMES)


def texts(*paths: Path) -> Iterator[str]:
    """Every text that stands in these modules."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def named_rules(*paths: Path) -> set[str]:
    """The ids of rules that these modules name."""
    return set(filter(RULE_ID.fullmatch, texts(*paths)))


def modules_of(game: str) -> list[Path]:
    """The modules of a game's own."""
    package = sys.modules[GAMES[game].options.__module__].__file__ or ""
    return list(Path(package).parent.glob("*.py"))


@every_game
def test_every_rule_that_the_game_names_can_be_looked_up(game: str) -> None:
    """No text in its modules is the id of a rule that is not in its catalogue."""
    named = named_rules(*modules_of(game))
    assert named
    assert named <= set(GAMES[game].rules)


def test_rules_that_several_games_name_are_common() -> None:
    """What the shared modules refuse by is in the catalogue of every game."""
    games = Path(domain.games.__file__).parent
    paths = (HOUSE / "domain").rglob("*.py")
    shared = named_rules(*(path for path in paths if games not in path.parents))
    assert {"CM-4", "CM-8"} <= shared
    assert shared <= set(COMMON_RULES)


@every_game
def test_a_rule_is_a_sentence_for_players(game: str) -> None:
    """Each begins like a sentence and ends like one, and names no code."""
    for rule, text in GAMES[game].rules.items():
        assert RULE_ID.fullmatch(rule)
        assert text[0].isupper()
        assert text.endswith(".")
        assert "_" not in text


def test_no_game_is_named_outside_its_package() -> None:
    """Nothing in the house does one thing for a game and another for others."""
    folder = Path(domain.games.__file__).parent
    paths = [
        path
        for room in ("domain", "services", "infra", "api")
        for path in (HOUSE / room).rglob("*.py")
        if folder not in path.parents
    ]
    named = {(path.name, text) for path in paths for text in texts(path)}
    # The command line has a game where none is named; a board has squares.
    assert {(name, text) for name, text in named if text in GAMES} == {
        ("cli.py", "hearts"),
        ("events.py", "hearts"),
    }


@every_game
def test_every_preset_makes_a_table(game: str) -> None:
    """At every number of seats, and what is usual is one of them."""
    playing = GAMES[game]
    assert playing.min_seats <= playing.usual_seats <= playing.max_seats
    for options in playing.presets.values():
        for seats in range(playing.min_seats, playing.max_seats + 1):
            playing.check(options, seats)
            assert len(playing.begin(options, seats, None).scores) == seats


@every_game
def test_a_deal_that_was_voided_is_over(game: str) -> None:
    """Given up in mid-trick, it has no leader, no decision, no counters of its own."""
    driver = of_bots(game, seats=GAMES[game].usual_seats)
    while not driver.play_state().trick:
        driver.step()
    seen = view(driver.abandon().table, Seat(0))
    assert seen.deal is not None
    assert seen.deal.phase is Phase.DONE
    assert seen.deal.trick.leader is None
    assert seen.to_act == ()
    shown = to_builtins(seen.deal.game)
    assert shown.get("counters") in {None, seen.scores}
