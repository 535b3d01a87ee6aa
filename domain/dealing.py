"""Distributing a shuffled pack, and checking a distribution that was chosen."""

from collections import Counter
from collections.abc import Sequence

from domain.cards import Card, Holding, holding
from domain.errors import InvalidTable
from domain.game import Layout
from domain.ids import Seat
from domain.terms import ArrangedDeal


def one_at_a_time(order: Sequence[Card], seats: int, dealer: Seat) -> Layout:
    """Deal the cards equally, one at a time from dealer's left; the rest is a kitty."""
    dealt = len(order) // seats * seats
    hands: list[Holding] = [
        holding(order[(seat - dealer - 1) % seats : dealt : seats])
        for seat in range(seats)
    ]
    return Layout(hands=tuple(hands), kitty=holding(order[dealt:]))


def check_nothing_turned(deal: ArrangedDeal, title: str) -> None:
    """Refuse an arranged deal with a turned card or a photograph, in a game without."""
    if deal.turned or deal.photograph:
        raise InvalidTable(f"{title} turns no card.", field="arrangement.deals")


def check_distribution(
    deal: ArrangedDeal, pack: Sequence[Card], seats: int, *, apart: Sequence[Card] = ()
) -> None:
    """Refuse an arranged deal that does not give each card of the pack one place."""
    each = (len(pack) - len(apart)) // seats
    if len(deal.hands) != seats or any(len(hand) != each for hand in deal.hands):
        raise InvalidTable(
            f"An arranged deal needs {seats} hands of {each} cards.",
            field="arrangement.deals",
        )
    given = Counter(card for hand in deal.hands for card in hand)
    given.update(deal.kitty)
    given.update(apart)
    if given != Counter(pack):
        wrong = sorted((given - Counter(pack)) | (Counter(pack) - given), key=str)
        raise InvalidTable(
            "An arranged deal must have exactly the cards that are dealt.",
            field="arrangement.deals",
            cards=[str(card) for card in wrong],
        )
