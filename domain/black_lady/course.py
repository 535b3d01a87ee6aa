"""The course of a deal with the Black Lady: pass, play on, settle a moon."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from domain import passing
from domain.black_lady import points
from domain.cards import FIRST_COPIES, Card, Holding, cards_of
from domain.commands import Move, Pass, Play, SettleMoon
from domain.decisions import Choices, Phase
from domain.errors import RuleViolation
from domain.events import DealStarted, HeartsBroken, MoonShot
from domain.game import Steps
from domain.ids import Seat, Version
from domain.passing import PassingState


class BlackLadyState(PassingState, frozen=True, kw_only=True):
    """A match in which hearts are broken and moons are shot."""

    broken: bool = False


S = TypeVar("S", bound=BlackLadyState)


def to_act(state: BlackLadyState) -> tuple[Seat, ...]:
    """The seats whose decision is open."""
    if state.phase is Phase.PASSING:
        return passing.yet_to_pass(state)
    return () if state.phase is Phase.DONE else (state.turn,)


def legal(
    state: S, seat: Seat, legal_cards: Callable[[S, Seat], Holding]
) -> tuple[Move, ...]:
    """The moves open to a seat, apart from passes, which are too many to list.

    Of two equal cards there is one play, for they cannot be told apart.
    """
    if seat not in to_act(state):
        return ()
    if state.phase is Phase.PLAYING:
        cards = cards_of(legal_cards(state, seat) & FIRST_COPIES)
        return tuple(Play(card=card) for card in cards)
    if state.phase is Phase.SETTLING:
        return (SettleMoon(how="add"), SettleMoon(how="subtract"))
    return ()


def burden(_state: BlackLadyState, card: Card) -> tuple[int, int]:
    """The card's points, then its rank."""
    return points(card.bit), card.rank


def choices(state: BlackLadyState, seat: Seat) -> Choices | None:
    """What a seat may choose its pass from."""
    if state.phase is not Phase.PASSING or seat not in to_act(state):
        return None
    return passing.choices(state, seat)


def not_awaited(phase: Phase, *, for_passes: str, for_moons: str) -> RuleViolation:
    """The refusal of a move that the deal does not wait for, by the game's rules."""
    awaited: Mapping[Phase, tuple[type[Move], str, str]] = {
        Phase.PASSING: (
            Pass,
            for_passes,
            "All must pass before the first card is led.",
        ),
        Phase.PLAYING: (Play, "CM-3", "It is your turn to play a card."),
        Phase.SETTLING: (SettleMoon, for_moons, "Say first how your moon counts."),
    }
    kind, rule, text = awaited[phase]
    return RuleViolation(rule, text, awaited=str(kind.__struct_config__.tag))


def deal_started(state: S, event: DealStarted, version: Version) -> S:
    """A deal with hearts unbroken."""
    return replace(passing.deal_started(state, event, version), broken=False)


def hearts_broken(state: S, _event: HeartsBroken, _version: Version) -> S:
    """From now on hearts may be led."""
    return replace(state, broken=True)


def moon_shot(state: S, event: MoonShot, _version: Version) -> S:
    """It is to be settled how the moon counts."""
    return replace(state, phase=Phase.SETTLING, turn=event.seat)


STEPS: Final[Steps[Any]] = {
    **passing.STEPS,
    DealStarted: deal_started,
    HeartsBroken: hearts_broken,
    MoonShot: moon_shot,
}
