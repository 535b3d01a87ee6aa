"""The steady player of Hearts: counts, ducks, sheds its dangers and stops a moon."""

from functools import partial
from typing import TYPE_CHECKING, Final

from domain.cards import Card, Holding, Suit, holding
from domain.commands import Move, Pass, Play, SettleMoon
from domain.counting import best, chance_of_winning, height
from domain.decisions import PassChoices
from domain.games.hearts.counting import Count, count
from domain.games.hearts.scoring import sane_choice
from domain.games.hearts.state import JACK, QUEEN, HeartsState
from domain.games.hearts.weighing import LOW_SPADES, cost, is_running

if TYPE_CHECKING:
    from random import Random

    from domain.sight import Sight

GUARDS: Final = 3
"""How many low spades make the queen, king and ace of spades safe to keep."""

SHORT: Final = 4
"""A suit with fewer cards than this may be passed until none is left."""


def choose(sight: "Sight", chance: "Random") -> Move:
    """A good move at the open decision of the seat; `chance` decides between equals."""
    decision = sight.view.decision
    if decision is None:
        raise LookupError("no decision of the seat is open")
    if isinstance(decision.choices, PassChoices):
        return _pass(count(sight), decision.choices, chance)
    if len(decision.legal) == 1:
        return decision.legal[0]
    known = count(sight)
    cards = [move.card for move in decision.legal if isinstance(move, Play)]
    if not cards:
        return _settle(sight, known)
    if is_running(known):
        return Play(card=best(cards, partial(chance_of_winning, known), chance))
    return Play(card=best(cards, lambda card: -cost(known, card), chance))


def _pass(count: Count, choices: PassChoices, chance: "Random") -> Pass:
    """The cards that burden the hand most, one after another."""
    kept = count.hand
    passed: list[Card] = []
    while len(passed) < choices.choose:
        left = [card for card in choices.from_ if card.bit & kept]
        passed.append(best(left, partial(_burden, count, kept), chance))
        kept ^= passed[-1].bit
    return Pass(cards=tuple(passed))


def _burden(count: Count, hand: Holding, card: Card) -> float:
    """How much better a hand is without a card, before the first trick."""
    if card.suit is Suit.SPADES:
        return _spade_burden(hand, card)
    length = (hand & card.suit.all).bit_count()
    high = height(count.out, card) / (0.6 + 0.4 * length)
    if card.suit is Suit.HEARTS:
        return 8 * high + 1
    burden = 7 * high + 2 * max(SHORT - length, 0)
    if card.bit == JACK:
        return burden + 1.5 * count.options.jack_of_diamonds
    if card.suit is Suit.DIAMONDS and card.bit > JACK:
        return burden + count.options.jack_of_diamonds / 2
    return burden


def _spade_burden(hand: Holding, card: Card) -> float:
    """The queen goes first, then ace and king, unless low spades guard them."""
    if card.bit & LOW_SPADES:
        return -10.0
    if (hand & LOW_SPADES).bit_count() >= GUARDS:
        return -5.0
    return 30.0 if card.bit == QUEEN else 20.0


def _settle(sight: "Sight", count: Count) -> SettleMoon:
    """Add, but not if that ends the match with this seat not lowest (HE-R20)."""
    taken = [0] * count.seats
    for trick in sight.tricks:
        if trick.winner is not None:
            taken[trick.winner] |= holding(trick.cards)
    state = HeartsState(
        options=count.options,
        seats=count.seats,
        scores=count.scores,
        tricks=sight.tricks,
        taken=tuple(taken),
    )
    return SettleMoon(how=sane_choice(state, count.seat))
