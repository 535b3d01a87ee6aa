"""Agony Aunt: nine things to avoid, a board to put them down on, and lines of three."""

from typing import Final

from msgspec.structs import replace

from domain import course
from domain.cards import STANDARD_PACK, Card
from domain.commands import Play
from domain.dealing import check_distribution, one_at_a_time
from domain.errors import InvalidTable
from domain.events import CardTurned
from domain.game import Game, Layout
from domain.games.agony_aunt import options, penalties, play, scoring, steady, view
from domain.games.agony_aunt.catalogue import RULES
from domain.games.agony_aunt.options import Options
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat
from domain.shuffle import Words
from domain.terms import ArrangedDeal

SEATS: Final = 4
PACK: Final = (*STANDARD_PACK, Card.JOKER)
"""The cards of the game in pack order (AA-R2)."""


def begin(
    chosen: Options, seats: int, scores: tuple[int, ...] | None
) -> AgonyAuntState:
    """A match before its first deal, each seat with all its counters (AA-R1)."""
    full = (chosen.counters,) * seats
    return AgonyAuntState(options=chosen, seats=seats, scores=scores or full)


def shuffle(state: AgonyAuntState, dealer: Seat, words: Words) -> Layout:
    """The cards of a deal: the first is turned, and a Joker that was is buried.

    It goes to a random place among those that are yet to be dealt (AA-R3, AA-R4).
    """
    turned, *rest = words.shuffled(PACK)
    if turned is Card.JOKER:
        turned = rest.pop(0)
        rest.insert(words.below(len(rest) + 1), Card.JOKER)
    dealt = one_at_a_time(rest, state.seats, dealer)
    return replace(dealt, shown=CardTurned(turned, "turned"))


def check_deal(_options: Options, seats: int, deal: ArrangedDeal) -> None:
    """Refuse an arranged deal that Agony Aunt could not have dealt."""
    where, turned = "arrangement.deals", deal.turned
    if deal.photograph:
        raise InvalidTable("Agony Aunt has no photograph.", field=where)
    if turned is None:
        raise InvalidTable("An arranged deal says which card is turned.", field=where)
    if turned is Card.JOKER:
        raise InvalidTable("The Joker cannot be the card that is turned.", field=where)
    check_distribution(deal, PACK, seats, apart=(turned,))


GAME: Final = Game(
    name="agony-aunt",
    title="Agony Aunt",
    rules_version=1,
    min_seats=SEATS,
    max_seats=SEATS,
    usual_seats=SEATS,
    options=Options,
    presets=options.PRESETS,
    moves=(Play,),
    rules=RULES,
    check_deal=check_deal,
    check_scores=options.check_scores,
    begin=begin,
    shuffle=shuffle,
    decide=play.decide,
    steps=play.STEPS,
    to_act=course.to_play,
    legal=play.legal,
    result=scoring.result,
    most_wins=True,
    view=view.view,
    steady=steady.choose,
    burden=penalties.burden,
)
