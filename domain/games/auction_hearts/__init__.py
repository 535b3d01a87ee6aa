"""Auction Hearts: players bid chips to name the suit that costs them chips."""

from functools import partial
from typing import Final

from domain import packs
from domain.commands import Bid, Decline, NameSuit, Play
from domain.game import Game
from domain.games.auction_hearts import bidding, options, play, scoring, steady, view
from domain.games.auction_hearts.catalogue import RULES
from domain.games.auction_hearts.options import Options
from domain.games.auction_hearts.state import AuctionState


def begin(chosen: Options, seats: int, scores: tuple[int, ...] | None) -> AuctionState:
    """A match before its first deal."""
    chips = scores or (chosen.chips,) * seats
    return AuctionState(options=chosen, seats=seats, scores=chips)


GAME: Final = Game(
    name="auction-hearts",
    title="Auction Hearts",
    rules_version=1,
    min_seats=3,
    max_seats=7,
    usual_seats=4,
    options=Options,
    presets=options.PRESETS,
    moves=(Bid, Decline, NameSuit, Play),
    rules=RULES,
    check_deal=partial(packs.check_deal, "Auction Hearts"),
    begin=begin,
    shuffle=packs.shuffle,
    decide=play.decide,
    steps=play.STEPS,
    to_act=play.to_act,
    legal=play.legal,
    choices=play.choices,
    result=scoring.result,
    most_wins=True,
    view=view.view,
    steady=steady.choose,
    burden=play.burden,
    otherwise=bidding.otherwise,
    dealt=play.dealt,
)
