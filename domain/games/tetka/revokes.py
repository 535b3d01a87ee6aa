"""Cards that did not follow suit though the hand could: found and paid for at the end.

Only where the option lets them happen is there anything to find.
"""

from collections.abc import Sequence

from domain.cards import Holding
from domain.events import RevokeFound
from domain.seating import seat_after
from domain.tricks import Trick


def revokes(tricks: Sequence[Trick], seats: int) -> list[RevokeFound]:
    """Every revoke of a deal that was played to its end, in order of play (TK-R19).

    A seat could have followed if it played a card of the suit led later on.
    """
    found = []
    later: list[Holding] = [0] * seats
    for trick in reversed(tricks):
        led = trick.cards[0].suit
        for place, card in reversed(list(enumerate(trick.cards))):
            seat = seat_after(trick.leader, place, seats)
            if card.suit is not led and later[seat] & led.all:
                found.append(RevokeFound(seat, trick.number, card))
            later[seat] |= card.bit
    return found[::-1]


def after_penalties(
    won: Sequence[int], found: Sequence[RevokeFound]
) -> tuple[int, ...]:
    """How many tricks each seat has once every revoke is paid for, one by one.

    Who revoked is given a trick by each other seat that has one left (TK-R19, TK-R20).
    """
    counts = list(won)
    for revoke in found:
        for seat, count in enumerate(counts):
            if seat != revoke.seat and count:
                counts[seat] -= 1
                counts[revoke.seat] += 1
    return tuple(counts)
