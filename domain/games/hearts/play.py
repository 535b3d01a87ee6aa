"""The course of a deal of Hearts: what follows from a move, and from each event."""

from typing import Final

from msgspec.structs import replace

from domain.cards import Card, cards_of, holding
from domain.commands import Move, Pass, Play, SettleMoon
from domain.decisions import Choices, PassChoices, Phase
from domain.errors import NotYourTurn, RuleViolation
from domain.events import (
    CardPlayed,
    CardsPassed,
    DealScored,
    DealStarted,
    Event,
    HandDealt,
    HeartsBroken,
    MoonSettled,
    MoonShot,
    Passage,
    PassesExchanged,
    TrickTaken,
)
from domain.games.hearts import scoring
from domain.games.hearts.legality import (
    PASSED,
    check_card,
    check_pass,
    legal_cards,
    opening_seat,
)
from domain.games.hearts.options import direction
from domain.games.hearts.state import HEARTS, PENALTIES, HeartsState
from domain.ids import Seat, Version
from domain.seating import at_seat, seat_after
from domain.tricks import Trick, winner

_STEPS: Final = {"left": 1, "right": -1, "hold": 0}

_AWAITED: Final[dict[Phase, tuple[type[Move], str, str]]] = {
    Phase.PASSING: (Pass, "HE-R8", "All must pass before the first card is led."),
    Phase.PLAYING: (Play, "CM-3", "It is your turn to play a card."),
    Phase.SETTLING: (SettleMoon, "HE-R20", "Say first how your moon counts."),
}
"""The move that each phase waits for, and what to say of any other."""


def pass_steps(state: HeartsState) -> int:
    """How many places clockwise this deal's pass goes; 0 where nothing is passed."""
    way = direction(state.options, state.deal, state.seats)
    return _STEPS.get(way, state.seats // 2)


def to_act(state: HeartsState) -> tuple[Seat, ...]:
    """The seats whose decision is open."""
    if state.phase is Phase.PLAYING:
        return (state.turn,)
    if state.phase is Phase.PASSING:
        return tuple(Seat(s) for s, passed in enumerate(state.passed) if not passed)
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
    return PassChoices(choose=PASSED, from_=cards_of(state.hands[seat]))


def decide(state: HeartsState, seat: Seat, move: Move, version: Version) -> list[Event]:
    """What follows when a seat makes a move at a table of this version."""
    if seat not in to_act(state):
        raise NotYourTurn("No decision of this seat is open.", seat=seat)
    if state.phase is Phase.PLAYING and isinstance(move, Play):
        return _play(state, seat, move.card, version)
    if isinstance(move, Pass) and state.phase is Phase.PASSING:
        return _pass(state, seat, move.cards, version)
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
            events += scoring.score(_after(state, events, version))
    return events


def _breakers(state: HeartsState) -> int:
    return PENALTIES if state.options.queen_breaks_hearts else HEARTS


def _pass(
    state: HeartsState, seat: Seat, cards: tuple[Card, ...], version: Version
) -> list[Event]:
    chosen = check_pass(state, seat, cards)
    to = seat_after(seat, pass_steps(state), state.seats)
    passed = CardsPassed(seat, to, len(cards), cards_of(chosen))
    if to_act(state) != (seat,):
        return [passed]
    last = evolve(state, passed, Version(version + 1))
    passes = tuple(
        Passage(
            Seat(giver), seat_after(Seat(giver), pass_steps(state), state.seats), at
        )
        for giver, at in enumerate(last.pass_versions)
    )
    return [passed, PassesExchanged(passes)]


def _after(state: HeartsState, events: list[Event], version: Version) -> HeartsState:
    for at, event in enumerate(events, version + 1):
        state = evolve(state, event, Version(at))
    return state


def evolve(  # noqa: C901 - a case for each event
    state: HeartsState, event: Event, version: Version
) -> HeartsState:
    """The state after an event, which has this version in the table's log."""
    match event:
        case CardPlayed(seat=seat, card=card):
            return replace(
                state,
                hands=at_seat(state.hands, seat, state.hands[seat] ^ card.bit),
                trick=(*state.trick, card),
            )
        case TrickTaken(trick=number, seat=seat):
            more = state.taken[seat] | holding(state.trick)
            trick = Trick(number, state.leader, state.trick, seat)
            return replace(
                state,
                leader=seat,
                trick=(),
                tricks=(*state.tricks, trick),
                taken=at_seat(state.taken, seat, more),
            )
        case HeartsBroken():
            return replace(state, broken=True)
        case HandDealt():
            return _dealt(state, event)
        case CardsPassed(seat=seat, cards=cards):
            return replace(
                state,
                passed=at_seat(state.passed, seat, holding(cards)),
                pass_versions=at_seat(state.pass_versions, seat, version),
            )
        case PassesExchanged():
            return _exchanged(state, event)
        case DealStarted():
            return _started(state, event)
        case MoonShot(seat=seat):
            return replace(state, phase=Phase.SETTLING, shooter=seat)
        case MoonSettled():
            return replace(state, shooter=None)
        case DealScored(scores=scores):
            return replace(state, phase=Phase.DONE, scores=scores)
        case _:
            return state


def _started(state: HeartsState, event: DealStarted) -> HeartsState:
    nothing = (0,) * state.seats
    begun = replace(
        state,
        deal=event.deal,
        dealer=event.dealer,
        hands=(),
        trick=(),
        tricks=(),
        taken=nothing,
        passed=nothing,
        pass_versions=nothing,
        broken=False,
        shooter=None,
    )
    return replace(begun, phase=Phase.PASSING if pass_steps(begun) else Phase.PLAYING)


def _dealt(state: HeartsState, event: HandDealt) -> HeartsState:
    hands = (*state.hands, holding(event.cards))
    dealt = replace(state, hands=hands)
    if len(hands) == state.seats and state.phase is Phase.PLAYING:
        return replace(dealt, leader=opening_seat(dealt))
    return dealt


def _exchanged(state: HeartsState, event: PassesExchanged) -> HeartsState:
    hands = list(state.hands)
    for passage in event.passes:
        hands[passage.seat] ^= state.passed[passage.seat]
    for passage in event.passes:
        hands[passage.to] |= state.passed[passage.seat]
    exchanged = replace(state, hands=tuple(hands), phase=Phase.PLAYING)
    return replace(exchanged, leader=opening_seat(exchanged))
