"""What may be played in Hearts, and which rule speaks against the rest."""

from typing import Final

from domain.cards import (
    ONE_PACK,
    Card,
    Holding,
    Suit,
    cards_of,
    holding,
    lowest,
    within,
)
from domain.errors import RuleViolation
from domain.games.hearts.state import HEARTS, PENALTIES, QUEEN, HeartsState
from domain.ids import Seat
from domain.tricks import following

CLUBS: Final[Holding] = Suit.CLUBS.all & ONE_PACK

REMOVED: Final[dict[int, Holding]] = {
    3: holding([Card.TWO_OF_DIAMONDS]),
    4: 0,
    5: holding([Card.TWO_OF_DIAMONDS, Card.TWO_OF_CLUBS]),
    6: holding(map(Card, ("2D", "2C", "2S", "3C"))),
    7: holding(map(Card, ("2D", "2C", "2S"))),
}
"""Which cards are left out by number of seats (HE-R2, HE-R3, HE-R4)."""

PACK: Final = {seats: ONE_PACK & ~cards for seats, cards in REMOVED.items()}

OPENER: Final = {seats: lowest(pack & CLUBS) for seats, pack in PACK.items()}
"""The lowest club in the pack by number of seats (HE-R9, HE-R10)."""

PASSED: Final = 3
"""How many cards each seat passes."""


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
    follow = following(hand, state.trick[0].suit)
    if state.tricks or follow is not hand or state.options.points_on_first_trick:
        return follow
    if hand & state.trick[0].suit.all:
        return hand
    return hand & ~PENALTIES or hand  # HE-R12, HE-R13


def _leads(state: HeartsState, hand: Holding) -> Holding:
    options = state.options
    if not state.tricks and options.opening != "left_of_dealer":
        if options.opening == "any_club":
            return hand & CLUBS
        return OPENER[state.seats].bit
    if state.broken or not options.break_required:
        return hand
    unhearted = hand & ~HEARTS
    if not unhearted:
        return hand  # HE-R16
    if unhearted == QUEEN and options.lead_hearts_instead_of_qs:
        return hand
    return unhearted  # HE-R15; with only the queen beside hearts, HE-R17


def check_card(state: HeartsState, seat: Seat, card: Card) -> None:
    """Refuse a card that the seat may not play now, by the rule that forbids it."""
    if not legal_cards(state, seat) & card.bit:
        raise _refusal(state, state.hands[seat], card)


def _refusal(state: HeartsState, hand: Holding, card: Card) -> RuleViolation:
    if not hand & card.bit:
        return RuleViolation("CM-8", f"You do not hold {card}.", card=str(card))
    if state.trick:
        led = state.trick[0].suit
        if hand & led.all:
            one = led.word.removesuffix("s")
            return RuleViolation(
                "CM-4", f"You hold a {one}, so you must follow suit.", suit=led.value
            )
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


def check_pass(state: HeartsState, seat: Seat, cards: tuple[Card, ...]) -> Holding:
    """The holding of a legal pass; exactly three distinct cards of the hand (HE-R8)."""
    if len(cards) != PASSED:
        raise RuleViolation(
            "HE-R8",
            f"A pass is exactly {PASSED} cards, not {len(cards)}.",
            choose=PASSED,
        )
    if len(set(cards)) != PASSED:
        raise RuleViolation("HE-R8", "A pass is three different cards.", choose=PASSED)
    chosen = holding(cards)
    if not within(chosen, state.hands[seat]):
        missing = cards_of(chosen & ~state.hands[seat])
        raise RuleViolation(
            "HE-R8",
            f"You do not hold {missing[0]}.",
            cards=[str(card) for card in missing],
        )
    return chosen
