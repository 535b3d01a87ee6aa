"""What a seat can work out of a deal of Auction Hearts beside which cards are where."""

from typing import TYPE_CHECKING

from msgspec import convert
from msgspec.structs import asdict

from domain import counting
from domain.cards import Holding, holding
from domain.games.auction_hearts.options import Options
from domain.games.auction_hearts.view import AuctionView
from domain.ids import Seat
from domain.packs import PACK

if TYPE_CHECKING:
    from domain.sight import Sight


class Count(counting.Count, frozen=True, kw_only=True):
    """A deal of Auction Hearts as a seat that counts cards knows it.

    `costly` are the cards of the named suit, none before it is named, and `taken` how
    many of them each seat has. `pool` are the chips in it, `bidder` is who names.
    """

    options: Options
    costly: Holding
    taken: tuple[int, ...]
    dealer: Seat
    pool: int
    jack: bool
    bidder: Seat | None

    @property
    def clear(self) -> frozenset[Seat]:
        """Who has none of the suit."""
        return frozenset(Seat(seat) for seat, it in enumerate(self.taken) if not it)

    @property
    def to_come(self) -> int:
        """How many cards of the suit nobody has taken yet."""
        left = self.hand | self.out | holding(self.trick)
        return (left & self.costly).bit_count()


def count(sight: "Sight") -> Count:
    """What the seat that has this sight knows of the deal that is on."""
    deal = sight.view.deal
    if deal is None or not isinstance(deal.game, AuctionView):
        raise TypeError("no deal of Auction Hearts is in sight")
    pack, suit = PACK[sight.seats], deal.game.suit
    return Count(
        **asdict(counting.count(sight, pack)),
        options=convert(sight.options, Options),
        costly=pack & suit.all if suit else 0,
        taken=deal.game.suit_taken,
        dealer=deal.dealer,
        pool=deal.game.pool,
        jack=deal.game.jack,
        bidder=deal.game.bidder,
    )
