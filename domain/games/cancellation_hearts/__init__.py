"""Cancellation Hearts: two packs for a crowd, and identical cards cancel each other."""

from typing import Final

from domain.black_lady import course
from domain.cards import STANDARD_PACK, Card
from domain.commands import Pass, Play, SettleMoon
from domain.dealing import (
    check_distribution,
    check_nothing_turned,
    one_at_a_time,
)
from domain.game import Game, Layout
from domain.games.cancellation_hearts import options, play, scoring, steady, view
from domain.games.cancellation_hearts.catalogue import RULES
from domain.games.cancellation_hearts.options import Options
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat
from domain.shuffle import Words
from domain.terms import ArrangedDeal

PACK: Final[tuple[Card, ...]] = STANDARD_PACK + STANDARD_PACK
"""Two packs, one after the other (CH-R2)."""


def begin(
    chosen: Options, seats: int, scores: tuple[int, ...] | None
) -> CancellationState:
    """A match before its first deal."""
    return CancellationState(options=chosen, seats=seats, scores=scores or (0,) * seats)


def shuffle(state: CancellationState, dealer: Seat, words: Words) -> Layout:
    """The hands and the kitty, as the deal's stream of words gives them (CH-R3)."""
    return one_at_a_time(words.shuffled(PACK), state.seats, dealer)


def check_deal(_options: Options, seats: int, deal: ArrangedDeal) -> None:
    """Refuse an arranged deal that Cancellation Hearts could not have dealt."""
    check_nothing_turned(deal, "Cancellation Hearts")
    check_distribution(deal, PACK, seats)


GAME: Final = Game(
    name="cancellation-hearts",
    title="Cancellation Hearts",
    rules_version=1,
    min_seats=6,
    max_seats=11,
    usual_seats=6,
    options=Options,
    presets=options.PRESETS,
    moves=(Pass, Play, SettleMoon),
    rules=RULES,
    check=options.check,
    check_deal=check_deal,
    begin=begin,
    shuffle=shuffle,
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
