"""Hearts, also called Black Lady: hearts cost a point each, the queen of spades 13."""

from typing import Final

from domain import packs
from domain.black_lady import course
from domain.cards import cards_of
from domain.commands import Pass, Play, SettleMoon
from domain.dealing import check_distribution, check_nothing_turned
from domain.game import Game
from domain.games.hearts import options, play, scoring, steady, view
from domain.games.hearts.catalogue import RULES
from domain.games.hearts.options import Options
from domain.games.hearts.state import HeartsState
from domain.packs import PACK
from domain.terms import ArrangedDeal


def begin(chosen: Options, seats: int, scores: tuple[int, ...] | None) -> HeartsState:
    """A match before its first deal."""
    return HeartsState(options=chosen, seats=seats, scores=scores or (0,) * seats)


def check_deal(_options: Options, seats: int, deal: ArrangedDeal) -> None:
    """Refuse an arranged deal that Hearts could not have dealt."""
    check_nothing_turned(deal, "Hearts")
    check_distribution(deal, cards_of(PACK[seats]), seats)


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
    check_deal=check_deal,
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
