"""The course of a deal of Hearts: what follows from a move, and from each event."""

from typing import Final

from msgspec.structs import replace

from domain import passing
from domain.black_lady import HEARTS, PENALTIES
from domain.cards import Card, cards_of
from domain.commands import Move, Pass, Play, SettleMoon
from domain.course import after, hand_dealt
from domain.decisions import Choices, Phase
from domain.errors import NotYourTurn, RuleViolation
from domain.events import (
    CardPlayed,
    DealStarted,
    Event,
    HandDealt,
    HeartsBroken,
    MoonSettled,
    MoonShot,
    PassesExchanged,
    TrickTaken,
)
from domain.game import Steps
from domain.games.hearts import scoring
from domain.games.hearts.legality import check_card, legal_cards, opening_seat
from domain.games.hearts.options import direction
from domain.games.hearts.state import HeartsState
from domain.ids import Seat, Version
from domain.tricks import winner

_PLACES: Final = {"left": 1, "right": -1, "hold": 0}

_AWAITED: Final[dict[Phase, tuple[type[Move], str, str]]] = {
    Phase.PASSING: (Pass, "HE-R8", "All must pass before the first card is led."),
    Phase.PLAYING: (Play, "CM-3", "It is your turn to play a card."),
    Phase.SETTLING: (SettleMoon, "HE-R20", "Say first how your moon counts."),
}
"""The move that each phase waits for, and what to say of any other."""


def pass_steps(state: HeartsState) -> int:
    """How many places clockwise this deal's pass goes; 0 where nothing is passed."""
    way = direction(state.options, state.deal, state.seats)
    return _PLACES.get(way, state.seats // 2)


def to_act(state: HeartsState) -> tuple[Seat, ...]:
    """The seats whose decision is open."""
    if state.phase is Phase.PLAYING:
        return (state.turn,)
    if state.phase is Phase.PASSING:
        return passing.yet_to_pass(state)
    return () if state.shooter is None else (state.shooter,)


def legal(state: HeartsState, seat: Seat) -> tuple[Move, ...]:
    """The moves open to a seat, apart from passes, which are too many to list."""
    if seat not in to_act(state):
        return ()
    if state.phase is Phase.PLAYING:
        return tuple(Play(card=card) for card in cards_of(legal_cards(state, seat)))
    if state.phase is Phase.SETTLING:
        return (SettleMoon(how="add"), SettleMoon(how="subtract"))
    return ()


def choices(state: HeartsState, seat: Seat) -> Choices | None:
    """What a seat may choose its pass from."""
    if state.phase is not Phase.PASSING or seat not in to_act(state):
        return None
    return passing.choices(state, seat)


def decide(state: HeartsState, seat: Seat, move: Move, version: Version) -> list[Event]:
    """What follows when a seat makes a move at a table of this version."""
    if seat not in to_act(state):
        raise NotYourTurn("No decision of this seat is open.", seat=seat)
    if isinstance(move, Play) and state.phase is Phase.PLAYING:
        return _play(state, seat, move.card, version)
    if isinstance(move, Pass) and state.phase is Phase.PASSING:
        return passing.pass_cards(
            state, seat, move.cards, version, steps=pass_steps(state), rule="HE-R8"
        )
    if isinstance(move, SettleMoon) and state.phase is Phase.SETTLING:
        return scoring.settle(state, seat, move.how)
    awaited, rule, text = _AWAITED[state.phase]
    raise RuleViolation(rule, text, awaited=str(awaited.__struct_config__.tag))


def _play(state: HeartsState, seat: Seat, card: Card, version: Version) -> list[Event]:
    check_card(state, seat, card)
    events: list[Event] = [CardPlayed(seat, card)]
    if not state.broken and card.bit & _breakers(state):
        events.append(HeartsBroken(seat, card))
    cards = (*state.trick, card)
    if len(cards) == state.seats:
        number = len(state.tricks) + 1
        events.append(TrickTaken(number, winner(cards, state.leader)))
        if state.hands[seat] == card.bit:
            events += scoring.score(after(state, STEPS, events, version))
    return events


def _breakers(state: HeartsState) -> int:
    return PENALTIES if state.options.queen_breaks_hearts else HEARTS


def _started(state: HeartsState, event: DealStarted, version: Version) -> HeartsState:
    begun = passing.deal_started(state, event, version)
    phase = Phase.PASSING if pass_steps(begun) else Phase.PLAYING
    return replace(begun, phase=phase, broken=False, shooter=None)


def _dealt(state: HeartsState, event: HandDealt, version: Version) -> HeartsState:
    dealt = hand_dealt(state, event, version)
    if len(dealt.hands) == state.seats and state.phase is Phase.PLAYING:
        return _opening(dealt)
    return dealt


def _exchanged(
    state: HeartsState, event: PassesExchanged, version: Version
) -> HeartsState:
    return _opening(passing.passes_exchanged(state, event, version))


def _opening(state: HeartsState) -> HeartsState:
    opener = opening_seat(state)
    return replace(state, leader=opener, turn=opener)


def _broken(state: HeartsState, _event: HeartsBroken, _version: Version) -> HeartsState:
    return replace(state, broken=True)


def _shot(state: HeartsState, event: MoonShot, _version: Version) -> HeartsState:
    return replace(state, phase=Phase.SETTLING, shooter=event.seat)


def _settled(state: HeartsState, _event: MoonSettled, _version: Version) -> HeartsState:
    return replace(state, shooter=None)


STEPS: Final[Steps[HeartsState]] = {
    **passing.STEPS,
    DealStarted: _started,
    HandDealt: _dealt,
    PassesExchanged: _exchanged,
    HeartsBroken: _broken,
    MoonShot: _shot,
    MoonSettled: _settled,
}
