"""What a seat can work out of a deal of Cancellation Hearts: copies, pairs, kitty."""

from typing import TYPE_CHECKING, Final

from msgspec import convert
from msgspec.structs import asdict

from domain.black_lady import counting, points
from domain.cards import STANDARD_PACK, Card, Holding, holding, less, merged
from domain.games.cancellation_hearts.cancelling import best
from domain.games.cancellation_hearts.options import Options
from domain.games.cancellation_hearts.view import CancellationView

if TYPE_CHECKING:
    from domain.sight import Sight

TWO_PACKS: Final[Holding] = holding(STANDARD_PACK + STANDARD_PACK)

PAIRING: Final = 0.3
"""How likely a card that can pair with another is played to its trick."""


class Count(counting.Count, frozen=True, kw_only=True):
    """A deal of Cancellation Hearts as a seat that counts cards knows it.

    `aside` are the cards set aside; `kitty` is how many cards of a kitty this trick's
    winner takes too.
    """

    options: Options
    aside: Holding
    kitty: int

    @property
    def best(self) -> Card | None:
        """The card that wins the trick so far, if one is not cancelled."""
        return best(self.trick, self.options) if self.trick else None

    @property
    def stakes(self) -> Holding:
        """The cards of the trick, and what was set aside."""
        return merged(self.aside, super().stakes)

    @property
    def kitty_points(self) -> float:
        """What the kitty is likely to cost, if this trick's winner takes it."""
        if not self.kitty:
            return 0.0
        return self.kitty * points(self.out) / self.out.bit_count()

    def chance_of_pairing(self, card: Card) -> float:
        """How likely somebody behind plays the other copy of a card to this trick."""
        behind = sum(not self.voids[seat] & card.suit.all for seat in self.behind)
        if not behind or not self.out & card.bit:
            return 0.0
        return PAIRING * behind / self.possible_holders(card.suit.all)


def count(sight: "Sight") -> Count:
    """What the seat that has this sight knows of the deal that is on."""
    options = convert(sight.options, Options)
    known = counting.count(sight, TWO_PACKS, moon_counts=options.moon != "none")
    deal = sight.view.deal
    if deal is None or not isinstance(deal.game, CancellationView):
        raise TypeError("no deal of Cancellation Hearts is in sight")
    kitty = deal.game.kitty
    falls = options.kitty == "first_trick" or known.hand.bit_count() == 1
    fields = asdict(known)
    if kitty.cards:
        fields["out"] = less(known.out, holding(kitty.cards))
    return Count(
        **fields,
        options=options,
        aside=holding(deal.game.set_aside),
        kitty=kitty.count if falls and kitty.taken_by is None else 0,
    )
