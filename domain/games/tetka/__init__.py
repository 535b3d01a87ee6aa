"""Tetka: queens, a photographed card and certain tricks cost a mark each."""

from typing import Final

from domain import course
from domain.cards import STANDARD_PACK
from domain.commands import Play
from domain.dealing import check_distribution, one_at_a_time
from domain.errors import InvalidTable
from domain.events import CardTurned
from domain.game import Game, Layout
from domain.games.tetka import legality, marks, options, play, rubbers, steady, view
from domain.games.tetka.catalogue import RULES
from domain.games.tetka.options import Options
from domain.games.tetka.state import TetkaState
from domain.ids import Seat
from domain.shuffle import Words
from domain.terms import ArrangedDeal


def begin(chosen: Options, seats: int, scores: tuple[int, ...] | None) -> TetkaState:
    """A match before its first deal."""
    records = scores or (0,) * seats
    return TetkaState(options=chosen, seats=seats, scores=records, totals=records)


def shuffle(state: TetkaState, dealer: Seat, words: Words) -> Layout:
    """The cards of a deal, as its stream of words gives them (TK-R4, TK-R5).

    The photograph is drawn from a pack of its own after the shuffle, or is the last
    card, which goes to the dealer.
    """
    order = words.shuffled(STANDARD_PACK)
    if state.options.photograph == "last_card":
        photograph = order[-1]
    else:
        photograph = STANDARD_PACK[words.below(len(STANDARD_PACK))]
    hands = one_at_a_time(order, state.seats, dealer).hands
    return Layout(hands=hands, shown=CardTurned(photograph, "photograph"))


def check_deal(_options: Options, seats: int, deal: ArrangedDeal) -> None:
    """Refuse an arranged deal that Tetka could not have dealt.

    A photograph that is the last card may be in any hand, for nobody can tell yet who
    will deal.
    """
    field = "arrangement.deals"
    if deal.turned:
        raise InvalidTable("Tetka turns no card but the photograph.", field=field)
    if deal.photograph not in STANDARD_PACK:
        raise InvalidTable("A deal of Tetka needs its photograph.", field=field)
    check_distribution(deal, STANDARD_PACK, seats)


GAME: Final = Game(
    name="tetka",
    title="Tetka",
    rules_version=1,
    min_seats=4,
    max_seats=4,
    usual_seats=4,
    options=Options,
    presets=options.PRESETS,
    moves=(Play,),
    rules=RULES,
    check_deal=check_deal,
    begin=begin,
    shuffle=shuffle,
    next_dealer=rubbers.next_dealer,
    decide=play.decide,
    steps=play.STEPS,
    to_act=course.to_play,
    legal=play.legal,
    result=rubbers.result,
    totals=rubbers.totals,
    view=view.view,
    last_tricks=view.last_tricks,
    steady=steady.choose,
    burden=marks.burden,
    honest=legality.honest,
    draws=rubbers.draws,
)
