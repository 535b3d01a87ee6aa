"""What a deal costs, who wins the pool, and when the match is over."""

from typing import Final

from msgspec.structs import replace

from domain.course import after
from domain.decisions import Phase
from domain.events import ChipsPaid, DealScored, Event, PoolDivided
from domain.game import Result, Steps
from domain.games.auction_hearts.state import AuctionState
from domain.ids import Seat, Version
from domain.seating import at_seat


def score(state: AuctionState, version: Version) -> list[Event]:
    """What follows when the last trick is taken: payments, the pool, the deal's end."""
    events = payments(state)
    events += division(state, after(state, STEPS, events, version).pool)
    events += remains(after(state, STEPS, events, version))
    scores = after(state, STEPS, events, version).scores
    points = tuple(map(int.__sub__, scores, state.before))
    return [*events, DealScored(points, scores)]


def payments(state: AuctionState) -> list[Event]:
    """The seats pay in their order: a chip for each card of the suit that they took.

    In Howell's way it is a chip for every other player.
    """
    price = state.seats - 1 if state.options.settlement == "howell" else 1
    return [
        ChipsPaid(Seat(seat), price * count, "cards")
        for seat, count in enumerate(state.suit_taken())
        if count
    ]


def division(state: AuctionState, pool: int) -> list[Event]:
    """The pool that has been paid into goes to its winners; a jack stays.

    In Howell's way all draw a chip for each card of the suit that they did not take.
    """
    if state.options.settlement == "howell":
        taken = state.suit_taken()
        drawn = tuple(sum(taken) - count for count in taken)
        return [PoolDivided(drawn, pool - sum(drawn))]
    won = winners(state)
    if not won:
        return []
    each, left = divmod(pool, len(won))
    shares = tuple(each if seat in won else 0 for seat in range(state.seats))
    return [PoolDivided(shares, left)]


def remains(state: AuctionState) -> list[Event]:
    """At the end of the match all share what is left in the pool (AU-R18)."""
    if not state.pool or not is_last_deal(state):
        return []
    each, left = divmod(state.pool, state.seats)
    return [PoolDivided((each,) * state.seats, left)]


def winners(state: AuctionState) -> tuple[Seat, ...]:
    """Who wins the pool of a deal that has been played; nobody where it is a jack.

    A taker who is alone has the whole suit, however few the others are (AU-R12).
    """
    options, taken = state.options, state.suit_taken()
    sweepstake = options.settlement == "sweepstake"
    strict = state.jack and (sweepstake or options.jack_strict)
    if options.fewest_wins and not sweepstake and not strict:
        fewest = _who_took(min(taken), taken)
        return fewest if len(fewest) == 1 else ()
    clear = _who_took(0, taken)
    most = min(1 if strict else 2, state.seats - 2)
    return clear if len(clear) <= most else ()


def _who_took(count: int, taken: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat, it in enumerate(taken) if it == count)


def is_last_deal(state: AuctionState) -> bool:
    """Whether the match ends with this deal, its pool divided (AU-R17, X-12)."""
    return min(state.scores) <= 0 or state.deal == state.options.deals


def result(state: AuctionState) -> Result | None:
    """The end of the match, once a deal has brought it: most chips win."""
    if not (state.shared or is_last_deal(state)):
        return None
    return Result(winners=_who_took(max(state.scores), state.scores))


def chips_paid(
    state: AuctionState, event: ChipsPaid, _version: Version
) -> AuctionState:
    """The chips go from the seat to the pool.

    Who has paid a bid names the suit and leads. What cards cost makes the pool a jack,
    until it is divided.
    """
    seat, left = event.seat, state.scores[event.seat] - event.chips
    paid = replace(
        state,
        scores=at_seat(state.scores, seat, left),
        pool=state.pool + event.chips,
    )
    if event.reason == "bid":
        return replace(paid, phase=Phase.NAMING, leader=seat, turn=seat)
    return replace(paid, jack=True)


def pool_divided(
    state: AuctionState, event: PoolDivided, _version: Version
) -> AuctionState:
    """The chips go from the pool to the seats.

    They go to all alike only when the match is over: neither a pool that is won does,
    nor one that all draw from, for 13 hearts cannot be taken in equal parts.
    """
    return replace(
        state,
        scores=tuple(map(int.__add__, state.scores, event.shares)),
        pool=event.left,
        jack=False,
        shared=len(set(event.shares)) == 1,
    )


STEPS: Final[Steps[AuctionState]] = {ChipsPaid: chips_paid, PoolDivided: pool_divided}
