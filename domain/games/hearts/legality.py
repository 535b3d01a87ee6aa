"""What may be played in Hearts, and which rule speaks against the rest."""

from typing import Final

from domain.black_lady import HEARTS, PENALTIES, leads
from domain.cards import ONE_PACK, Card, Holding, Suit, lowest
from domain.errors import RuleViolation
from domain.games.hearts.state import QUEEN, HeartsState
from domain.ids import Seat
from domain.packs import PACK
from domain.tricks import must_follow, not_held

CLUBS: Final[Holding] = Suit.CLUBS.all & ONE_PACK

OPENER: Final = {seats: lowest(pack & CLUBS) for seats, pack in PACK.items()}
"""The lowest club in the pack by number of seats (HE-R9, HE-R10)."""


def opening_seat(state: HeartsState) -> Seat:
    """Who leads first, found after any pass and on every deal (HE-R8)."""
    if state.options.opening == "left_of_dealer":
        return Seat((state.dealer + 1) % state.seats)
    opener = OPENER[state.seats].bit
    return next(Seat(seat) for seat, hand in enumerate(state.hands) if hand & opener)


def legal_cards(state: HeartsState, seat: Seat) -> Holding:
    """The cards that a seat whose turn it is may play."""
    hand = state.hands[seat]
    if not state.trick:
        return _leads(state, hand)
    suited = hand & state.trick[0].suit.all
    if suited:
        return suited
    if state.tricks or state.options.points_on_first_trick:
        return hand
    return hand & ~PENALTIES or hand  # HE-R12, HE-R13


def _leads(state: HeartsState, hand: Holding) -> Holding:
    options = state.options
    if not state.tricks and options.opening != "left_of_dealer":
        if options.opening == "any_club":
            return hand & CLUBS
        return OPENER[state.seats].bit
    return leads(
        hand,
        broken=state.broken or not options.break_required,
        either=options.lead_hearts_instead_of_qs,
    )


def check_card(state: HeartsState, seat: Seat, card: Card) -> None:
    """Refuse a card that the seat may not play now, by the rule that forbids it."""
    if not legal_cards(state, seat) & card.bit:
        raise _refusal(state, state.hands[seat], card)


def _refusal(state: HeartsState, hand: Holding, card: Card) -> RuleViolation:
    if not hand & card.bit:
        return not_held(card)
    if state.trick:
        led = state.trick[0].suit
        if hand & led.all:
            return must_follow(led)
        return RuleViolation(
            "HE-R12",
            "No heart and no queen of spades may be discarded on the first trick.",
            card=str(card),
        )
    if not state.tricks and state.options.opening != "left_of_dealer":
        return _opening_refusal(state)
    if hand & ~HEARTS == QUEEN:
        return RuleViolation(
            "HE-R17",
            "Hearts are not broken, and you hold the queen of spades: lead her.",
        )
    return RuleViolation(
        "HE-R15", "Hearts are not broken, and you hold other cards to lead."
    )


def _opening_refusal(state: HeartsState) -> RuleViolation:
    opener = OPENER[state.seats]
    rule = "HE-R9" if opener is Card.TWO_OF_CLUBS else "HE-R10"
    if state.options.opening == "any_club":
        return RuleViolation(rule, "A club must be led to the first trick.", suit="C")
    return RuleViolation(
        rule, f"{opener} must be led to the first trick.", card=str(opener)
    )
