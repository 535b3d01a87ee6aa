"""Games worked out in advance, so that a load generator need not know the rules."""

from random import Random
from uuid import UUID

from msgspec import Struct, to_builtins

from domain.cards import STANDARD_PACK, cards_of
from domain.commands import Act, OpenTable, Play
from domain.deciding import Given, decide, open_table
from domain.games.hearts.legality import legal_cards
from domain.games.hearts.state import HeartsState
from domain.ids import PlayerId, Secret, TableId
from domain.log import follow
from domain.people import Occupant
from domain.shuffle import Words
from domain.table import fold
from domain.terms import ArrangedDeal, Arrangement, Options
from tests.driver import BEGINNING

DEALS = 64
OPTIONS: Options = {"passing": [], "target": 1000, "moon": "none"}


class Script(Struct, frozen=True):
    """An arranged table and what is played at it, as seat and card, in order."""

    arrangement: dict[str, object]
    plays: tuple[tuple[int, str], ...]


def script(seed: int, deals: int = DEALS) -> Script:
    """A match of four that plays legal cards at random."""
    chance = Random(seed)
    arrangement = Arrangement(
        first_dealer=None,
        scores=None,
        deals=tuple(_deal(chance) for _ in range(deals)),
    )
    given = Given(BEGINNING, Secret(bytes(32)), Secret(bytes(32)))
    bots = (Occupant(bot="random"),) * 4
    opening = OpenTable(
        game="hearts",
        options=OPTIONS,
        seats=bots,
        host=PlayerId(UUID(int=1)),
        arrangement=arrangement,
    )
    id_ = TableId(UUID(int=seed))
    table = follow(id_, None, open_table(id_, opening, given), BEGINNING)
    plays = []
    while isinstance(table.play, HeartsState) and table.play.deal <= deals:
        if table.status != "playing":
            break
        seat = table.play.turn
        card = chance.choice(cards_of(legal_cards(table.play, seat)))
        plays.append((int(seat), str(card)))
        table = fold(table, decide(table, Act(seat, Play(card=card)), given), BEGINNING)
    return Script(to_builtins(arrangement), tuple(plays))


def _deal(chance: Random) -> ArrangedDeal:
    order = Words(chance.randbytes(32)).shuffled(STANDARD_PACK)
    return ArrangedDeal(hands=tuple(tuple(order[seat::4]) for seat in range(4)))
