"""What a game is to the table: data about it, and the same few functions for each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from domain.cards import Card, Holding
from domain.commands import Move
from domain.decisions import Choices, Phase
from domain.events import CardTurned, Event
from domain.ids import Seat, Version
from domain.shuffle import Words
from domain.sight import GameView, Sight
from domain.terms import ArrangedDeal
from domain.tricks import Trick

if TYPE_CHECKING:
    from random import Random


class State(Struct, frozen=True, kw_only=True, gc=False):
    """What every game keeps: the match so far, and the deal on the table, by seat.

    `leader` led to the trick that is on; `turn` is whose card, or bid, comes next.
    """

    seats: int
    scores: tuple[int, ...]
    deal: int = 0
    dealer: Seat = Seat(0)
    phase: Phase = Phase.DONE
    hands: tuple[Holding, ...] = ()
    leader: Seat = Seat(0)
    turn: Seat = Seat(0)
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    taken: tuple[Holding, ...] = ()

    def tricks_taken(self) -> tuple[int, ...]:
        """How many tricks each seat has won in this deal."""
        counts = [0] * self.seats
        for trick in self.tricks:
            if trick.winner is not None:
                counts[trick.winner] += 1
        return tuple(counts)


class GameOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a game; each field has its default in the standard game."""


class Layout(Struct, frozen=True):
    """Where the cards of a deal go: a hand for each seat, and what lies apart.

    `shown` is the card that is turned for all to see, or that is the photograph.
    """

    hands: tuple[Holding, ...]
    kitty: Holding = 0
    shown: CardTurned | None = None


class Result(Struct, frozen=True):
    """How a match ended."""

    winners: tuple[Seat, ...]
    settlement: tuple[int, ...] | None = None


def left_of_dealer(state: State) -> Seat:
    """The deal passes to the left (CM-6)."""
    return Seat((state.dealer + 1) % state.seats)


def last_trick(state: State) -> tuple[Trick, ...]:
    """Only the last trick may be looked back at (CM-9)."""
    return state.tricks[-1:]


def no_choices(_state: State, _seat: Seat) -> Choices | None:
    """All moves are listed."""
    return None


def nothing_else(_state: State, _seat: Seat) -> Move:
    """Every decision is a play or a pass."""
    raise LookupError("the game has no other decisions")


def any_options(_options: GameOptions, _seats: int) -> None:
    """All options go together, with any number of seats."""


def any_scores(_options: GameOptions, _scores: tuple[int, ...]) -> None:
    """A match may begin with any scores."""


def listed(sight: Sight) -> tuple[Move, ...]:
    """Every move that the open decision lists."""
    if sight.view.decision is None:
        raise LookupError("no decision of the seat is open")
    return sight.view.decision.legal


def no_draws(_state: State, _draw: Callable[[int], Words]) -> list[Event]:
    """Nothing is drawn between deals."""
    return []


def scores(state: State) -> tuple[int, ...]:
    """The scores are those of the whole match."""
    return state.scores


def nothing_follows(_state: State) -> list[Event]:
    """The rules bring nothing about by themselves once the cards are dealt."""
    return []


S = TypeVar("S", bound=State)
Chosen = TypeVar("Chosen", bound=GameOptions)

Steps: TypeAlias = Mapping[type[Event], Callable[[S, Any, Version], S]]
"""How each kind of event changes the state; others leave it as it is."""


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, Chosen]):
    """A game, as the table deals with it.

    `decide` answers a seat's move with the events that follow from it, or raises a
    `Refusal`; `steps` fold events into the state, each kind that changes it by a
    function of its own. Both take the table's version: `decide` the one before the
    move, a step that of its event. `legal` lists the moves open to a seat and `choices`
    describes what is too many to list; never are both empty for a seat in `to_act`.
    `honest` are those of the listed moves that break no rule, where players may break
    one and pay for it: bots choose from them.
    `burden` is what a card may cost whoever takes it, then its rank: by that a card is
    chosen for a seat whose time is up. `otherwise` is what such a seat does where it
    has neither to play nor to pass.
    `shuffle` goes by the options and the number of seats alone.
    `draws` are the events before a deal that chance brings about; it is given the words
    of the match's draws, by their number from 1. `dealt` are those that the rules bring
    about once all cards of a deal are dealt. `check_scores` refuses scores that an
    arranged match cannot begin with. `totals` are what each seat has come to in the
    whole match: the least is best, or where `most_wins` the most.
    """

    name: str
    title: str
    rules_version: int
    min_seats: int
    max_seats: int
    usual_seats: int
    options: type[Chosen]
    presets: Mapping[str, Chosen]
    moves: tuple[type[Move], ...]
    rules: Mapping[str, str]

    check_deal: Callable[[Chosen, int, ArrangedDeal], None]
    begin: Callable[[Chosen, int, tuple[int, ...] | None], S]
    shuffle: Callable[[S, Seat, Words], Layout]
    decide: Callable[[S, Seat, Move, Version], list[Event]]
    steps: Steps[S]
    to_act: Callable[[S], tuple[Seat, ...]]
    legal: Callable[[S, Seat], tuple[Move, ...]]
    result: Callable[[S], Result | None]
    view: Callable[[S, Seat | None], GameView]
    steady: Callable[[Sight, "Random"], Move]
    burden: Callable[[S, Card], tuple[int, int]]
    otherwise: Callable[[S, Seat], Move] = nothing_else
    next_dealer: Callable[[S], Seat] = left_of_dealer
    last_tricks: Callable[[S], tuple[Trick, ...]] = last_trick
    choices: Callable[[S, Seat], Choices | None] = no_choices
    honest: Callable[[Sight], tuple[Move, ...]] = listed
    draws: Callable[[S, Callable[[int], Words]], list[Event]] = no_draws
    dealt: Callable[[S], list[Event]] = nothing_follows
    totals: Callable[[S], tuple[int, ...]] = scores
    most_wins: bool = False
    check: Callable[[Chosen, int], None] = any_options
    check_scores: Callable[[Chosen, tuple[int, ...]], None] = any_scores

    @property
    def default_preset(self) -> str:
        """The preset that a table gets which names none: the first."""
        return next(iter(self.presets))
