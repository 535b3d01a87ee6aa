"""What a deal of Hearts is worth, what a moon does, and when the match is over."""

from typing import Final, Literal, TypeAlias

from domain.black_lady import moons, points
from domain.black_lady.moons import MOON, Choice, scored
from domain.cards import within
from domain.commands import SettleMoon
from domain.events import Event, MoonSettled, MoonShot
from domain.game import Result
from domain.games.hearts.options import Options
from domain.games.hearts.state import JACK, MOON_CARDS, HeartsState
from domain.ids import Seat

How: TypeAlias = Literal["add", "subtract", "slam"]

SUN: Final = 39


def score(state: HeartsState) -> list[Event]:
    """What follows when the last trick is taken, up to a choice or the deal's end."""
    shooter = _shooter(state)
    if shooter is None:
        return [scored(state, deal_points(state, None, None))]
    shot = MoonShot(shooter, _is_sun(state, shooter))
    how = _how(state, shooter)
    return [shot, *settle(state, shooter, how)] if how else [shot]


def settle(state: HeartsState, shooter: Seat, how: How) -> list[Event]:
    """What follows when it is known how a moon counts."""
    counted = scored(state, deal_points(state, shooter, how))
    return [MoonSettled(shooter, how), counted]


def deal_points(
    state: HeartsState, shooter: Seat | None, how: How | None
) -> tuple[int, ...]:
    """What the deal does to each seat's score."""
    options = state.options
    won = state.tricks_taken()
    result = []
    for mine, taken, tricks in zip(
        _card_points(state, shooter, how), state.taken, won, strict=True
    ):
        total = mine
        if taken & JACK and how != "slam":
            total = _with_jack(mine, options)
        if not tricks:
            total += options.no_trick_bonus
        result.append(total)
    return tuple(result)


def _card_points(
    state: HeartsState, shooter: Seat | None, how: How | None
) -> tuple[int, ...]:
    """The points for hearts and queen, or for the moon."""
    if shooter is None or how is None:
        return tuple(map(points, state.taken))
    if how == "slam":
        return moons.points(state.seats, shooter, "subtract", MOON)
    size = SUN if _is_sun(state, shooter) else MOON
    return moons.points(state.seats, shooter, how, size)


def winners(options: Options, scores: tuple[int, ...]) -> tuple[Seat, ...]:
    """Who has won with these scores; nobody while the match goes on."""
    target = options.target
    if options.exact_target and target in scores:
        return tuple(Seat(seat) for seat, mine in enumerate(scores) if mine == target)
    return moons.lowest(scores, target, tiebreak_deal=options.tiebreak_deal)


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
    if _slam_counts(state.options):
        return "slam"
    return moons.settled(state.options.moon, sane_choice(state, shooter))


def sane_choice(state: HeartsState, shooter: Seat) -> Choice:
    """How a sane player would have a moon count (X-1)."""
    added = scored(state, deal_points(state, shooter, "add")).scores
    over = bool(winners(state.options, added))
    return moons.sane_choice(shooter, added, over=over)


def settle_sanely(state: HeartsState, shooter: Seat) -> SettleMoon:
    """The sane choice, for one who does not choose."""
    return SettleMoon(how=sane_choice(state, shooter))


def _with_jack(mine: int, options: Options) -> int:
    """Points with the jack's bonus, which under `jack_floor` stops at zero (X-5)."""
    total = mine + options.jack_of_diamonds
    return max(total, min(mine, 0)) if options.jack_floor else total
