"""Who is not there: when a table acts for a seat, and what it does then."""

from datetime import UTC, datetime
from typing import Final

from domain.cards import Card
from domain.commands import Move, Pass, Play
from domain.decisions import PassChoices
from domain.ids import Seat
from domain.table import Table
from domain.views import sight, to_act

AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)


def due(table: Table, seat: Seat) -> datetime | None:
    """When the table acts for the seat's open decision; None where it never does.

    A seat whose player has left has no time.
    """
    waits = table.opened.absence == "wait"
    if waits or not table.decisions[seat] or not table.is_played(seat):
        return None
    if seat in table.away:
        return AT_ONCE
    return table.clocks.deadline(seat) if table.clocks else None


def next_due(table: Table) -> datetime | None:
    """When the table next acts for a seat; None where for nobody."""
    return min(
        (at for seat in to_act(table) if (at := due(table, seat)) is not None),
        default=None,
    )


def move_for(table: Table, seat: Seat) -> Move:
    """The move that is made for a seat: the least of a play, the worst of a pass.

    Cards are held against each other by what they may cost, then by rank.
    """

    def burden(card: Card) -> tuple[int, int]:
        return table.game.burden(table.play, card)

    choices = table.game.choices(table.play, seat)
    if isinstance(choices, PassChoices):
        worst = sorted(choices.from_, key=burden, reverse=True)
        return Pass(cards=tuple(worst[: choices.choose]))
    moves = table.game.honest(sight(table, seat))
    plays = [move for move in moves if isinstance(move, Play)]
    if plays:
        return min(plays, key=lambda play: burden(play.card))
    return table.game.otherwise(table.play, seat)
