"""Hearts, also called Black Lady: hearts cost a point each, the queen of spades 13."""

from functools import partial
from typing import Final

from domain import packs
from domain.black_lady import course
from domain.commands import Pass, Play, SettleMoon
from domain.game import Game
from domain.games.hearts import options, play, scoring, steady, view
from domain.games.hearts.catalogue import RULES
from domain.games.hearts.options import Options
from domain.games.hearts.state import HeartsState


def begin(chosen: Options, seats: int, scores: tuple[int, ...] | None) -> HeartsState:
    """A match before its first deal."""
    return HeartsState(options=chosen, seats=seats, scores=scores or (0,) * seats)


GAME: Final = Game(
    name="hearts",
    title="Hearts",
    rules_version=1,
    min_seats=3,
    max_seats=7,
    usual_seats=4,
    options=Options,
    presets=options.PRESETS,
    moves=(Pass, Play, SettleMoon),
    rules=RULES,
    check=options.check,
    check_deal=partial(packs.check_deal, "Hearts"),
    begin=begin,
    shuffle=packs.shuffle,
    decide=play.decide,
    steps=play.STEPS,
    to_act=course.to_act,
    legal=play.legal,
    choices=course.choices,
    result=scoring.result,
    view=view.view,
    steady=steady.choose,
    burden=course.burden,
    otherwise=scoring.settle_sanely,
)
