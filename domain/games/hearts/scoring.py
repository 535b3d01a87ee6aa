"""What a deal of Hearts is worth, what a moon does, and when the match is over."""

from typing import Final, Literal, TypeAlias

from domain.black_lady import points
from domain.cards import within
from domain.events import DealScored, Event, MoonSettled, MoonShot
from domain.game import Result
from domain.games.hearts.options import Options
from domain.games.hearts.state import JACK, MOON_CARDS, HeartsState
from domain.ids import Seat

How: TypeAlias = Literal["add", "subtract", "slam"]

MOON: Final = 26
SUN: Final = 39


def score(state: HeartsState) -> list[Event]:
    """What follows when the last trick is taken, up to a choice or the deal's end."""
    shooter = _shooter(state)
    if shooter is None:
        return [_scored(state, deal_points(state, None, None))]
    shot = MoonShot(shooter, _is_sun(state, shooter))
    how = _how(state, shooter)
    return [shot, *settle(state, shooter, how)] if how else [shot]


def settle(state: HeartsState, shooter: Seat, how: How) -> list[Event]:
    """What follows when it is known how a moon counts."""
    scored = _scored(state, deal_points(state, shooter, how))
    return [MoonSettled(shooter, how), scored]


def deal_points(
    state: HeartsState, shooter: Seat | None, how: How | None
) -> tuple[int, ...]:
    """What the deal does to each seat's score."""
    options = state.options
    won = state.tricks_taken()
    size = SUN if shooter is not None and _is_sun(state, shooter) else MOON
    result = []
    for seat, taken in enumerate(state.taken):
        if how is None:
            mine = points(taken)
        elif how == "add":
            mine = 0 if seat == shooter else size
        elif how == "subtract":
            mine = -size if seat == shooter else 0
        else:
            mine = -MOON if seat == shooter else 0
        if taken & JACK and how != "slam":
            mine = _with_jack(mine, options)
        if not won[seat]:
            mine += options.no_trick_bonus
        result.append(mine)
    return tuple(result)


def winners(options: Options, scores: tuple[int, ...]) -> tuple[Seat, ...]:
    """Who has won with these scores; nobody while the match goes on."""
    exact = options.exact_target and options.target in scores
    if not exact and max(scores) < options.target:
        return ()
    best = options.target if exact else min(scores)
    first = tuple(Seat(seat) for seat, mine in enumerate(scores) if mine == best)
    if options.tiebreak_deal and len(first) > 1 and not exact:
        return ()
    return first


def result(state: HeartsState) -> Result | None:
    """The end of the match, once a deal has brought it (HE-R22, HE-R23)."""
    first = winners(state.options, state.scores)
    return Result(winners=first) if first else None


def _shooter(state: HeartsState) -> Seat | None:
    """Who took all penalty cards: a set of cards, never a number of points."""
    options = state.options
    slam = _slam_counts(options)
    if options.moon == "none" and not slam:
        return None
    needed = MOON_CARDS | JACK if slam else MOON_CARDS
    for seat, taken in enumerate(state.taken):
        if within(needed, taken):
            return Seat(seat)
    return None


def _slam_counts(options: Options) -> bool:
    return options.slam_needs_bonus and options.jack_of_diamonds != 0


def _is_sun(state: HeartsState, shooter: Seat) -> bool:
    return state.options.shoot_sun and all(
        trick.winner == shooter for trick in state.tricks
    )


def _how(state: HeartsState, shooter: Seat) -> How | None:
    """How the options settle a moon; None where the shooter is to choose."""
    options = state.options
    if _slam_counts(options):
        return "slam"
    if options.moon == "auto":
        return sane_choice(state, shooter)
    if options.moon == "subtract":
        return "subtract"
    return "add" if options.moon == "add" else None


def sane_choice(state: HeartsState, shooter: Seat) -> Literal["add", "subtract"]:
    """Add, but not if that ends the match without the shooter being lowest (X-1)."""
    scores = _scored(state, deal_points(state, shooter, "add")).scores
    loses = winners(state.options, scores) and scores[shooter] > min(scores)
    return "subtract" if loses else "add"


def _with_jack(mine: int, options: Options) -> int:
    """Points with the jack's bonus, which under `jack_floor` stops at zero (X-5)."""
    total = mine + options.jack_of_diamonds
    return max(total, min(mine, 0)) if options.jack_floor else total


def _scored(state: HeartsState, dealt: tuple[int, ...]) -> DealScored:
    scores = tuple(map(int.__add__, state.scores, dealt))
    return DealScored(points=dealt, scores=scores)
