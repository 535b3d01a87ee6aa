"""What a deal of Cancellation Hearts is worth, what a moon does, when it is over."""

from domain.black_lady import PENALTIES, moons, points
from domain.black_lady.moons import Choice, scored
from domain.cards import within
from domain.commands import SettleMoon
from domain.events import Event, MoonSettled, MoonShot
from domain.game import Result
from domain.games.cancellation_hearts.options import Options
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat


def score(state: CancellationState) -> list[Event]:
    """What follows when the last trick is over, up to a choice or the deal's end."""
    shooter = _shooter(state)
    if shooter is None:
        return [scored(state, tuple(map(points, state.taken)))]
    shot = MoonShot(shooter, sun=False)
    sane = sane_choice(state.options, state.scores, shooter)
    how = moons.settled(state.options.moon, sane)
    return [shot, *settle(state, shooter, how)] if how else [shot]


def settle(state: CancellationState, shooter: Seat, how: Choice) -> list[Event]:
    """What follows when it is known how a moon counts."""
    size = state.options.moon_value
    dealt = moons.points(state.seats, shooter, how, size)
    return [MoonSettled(shooter, how), scored(state, dealt)]


def sane_choice(options: Options, scores: tuple[int, ...], shooter: Seat) -> Choice:
    """How a sane player would have a moon count, with these scores before (CH-R29)."""
    dealt = moons.points(len(scores), shooter, "add", options.moon_value)
    added = tuple(map(int.__add__, scores, dealt))
    return moons.sane_choice(shooter, added, over=bool(winners(options, added)))


def settle_sanely(state: CancellationState, shooter: Seat) -> SettleMoon:
    """The sane choice, for one who does not choose."""
    return SettleMoon(how=sane_choice(state.options, state.scores, shooter))


def winners(options: Options, scores: tuple[int, ...]) -> tuple[Seat, ...]:
    """Who has won with these scores; nobody while the match goes on."""
    return moons.lowest(scores, options.target, tiebreak_deal=options.tiebreak_deal)


def result(state: CancellationState) -> Result | None:
    """The end of the match, once a deal has brought it (CH-R31, CH-R32)."""
    first = winners(state.options, state.scores)
    return Result(winners=first) if first else None


def _shooter(state: CancellationState) -> Seat | None:
    """Who took all 26 hearts and both queens; no moon where one vanished (CH-R26)."""
    if state.options.moon == "none":
        return None
    for seat, taken in enumerate(state.taken):
        if within(PENALTIES, taken):
            return Seat(seat)
    return None
