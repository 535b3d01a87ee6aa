"""What only one game has to show: columns beside the seats, and lines below them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from api.replay.faces import Faces
from domain.black_lady.view import BlackLadyView
from domain.games.agony_aunt.view import AgonyAuntView
from domain.games.auction_hearts.view import AuctionView
from domain.games.cancellation_hearts.view import CancellationView
from domain.games.hearts.view import HeartsView
from domain.games.tetka.view import TetkaView
from domain.sight import GameView


class Marks(Struct, frozen=True):
    """Columns by their title, each a text a seat; and lines."""

    columns: Mapping[str, Sequence[str]]
    lines: Sequence[str]


def marks(view: GameView, faces: Faces) -> Marks:
    """What a game shows of its own."""
    return _MARKS[type(view)](view, faces)


def _hearts(view: BlackLadyView, faces: Faces) -> Marks:
    broken = "are broken" if view.hearts_broken else "are not broken"
    lines = [f"Pass: {view.pass_direction}. Hearts {broken}."]
    if view.given:
        given = f"Passed to seat {view.pass_to}: {faces.cards(view.given)}"
        got = f"; received: {faces.cards(view.received)}" if view.received else ""
        lines.append(f"{given}{got}.")
    return Marks({"points": _each(view.points)}, lines)


def _cancellation(view: CancellationView, faces: Faces) -> Marks:
    shown = _hearts(view, faces)
    lines = [*shown.lines, f"Set aside: {faces.cards(view.set_aside)}."]
    kitty = view.kitty
    if kitty.count:
        where = "waits" if kitty.taken_by is None else f"is seat {kitty.taken_by}'s"
        cards = f": {faces.cards(kitty.cards)}" if kitty.cards else ""
        lines.append(f"The kitty of {kitty.count} {where}{cards}.")
    return Marks(shown.columns, lines)


def _tetka(view: TetkaView, faces: Faces) -> Marks:
    reasons = "; ".join(
        f"{seat}: {', '.join(each).replace('_', ' ')}"
        for seat, each in enumerate(view.marked_for)
        if each
    )
    photograph = faces.card(view.photograph)
    lines = [
        f"Photograph {photograph}: trick {view.counting_trick} counts.",
        f"Rubber {view.rubber}. Marks for {reasons or 'nothing yet'}.",
    ]
    return Marks({"marks": _each(view.marks), "total": _each(view.totals)}, lines)


def _agony_aunt(view: AgonyAuntView, faces: Faces) -> Marks:
    dump = f"suit {faces.suit(view.dump_suit)}, number {view.dump_number}"
    squares = [
        f"{it.square:>8} {'.' if it.seat is None else it.seat}" for it in view.board
    ]
    rows = ["  ".join(squares[at : at + 3]) for at in range(0, len(squares), 3)]
    lines = [f"Turned {faces.card(view.turned)}: dump {dump}. The board:", *rows]
    return Marks({"counters": _each(view.counters)}, lines)


def _auction(view: AuctionView, faces: Faces) -> Marks:
    suit = faces.suit(view.suit) if view.suit else "not named"
    bidder = "" if view.bidder is None else f" Seat {view.bidder} has bid most."
    jack = ", a jack" if view.jack else ""
    lines = [f"Suit: {suit}.{bidder} Pool: {view.pool}{jack}."]
    bids = ["-" if bid is None else str(bid) for bid in view.bids]
    return Marks({"bid": bids, "of suit": _each(view.suit_taken)}, lines)


def _each(values: Sequence[int]) -> Sequence[str]:
    return [str(value) for value in values]


_MARKS: Final[Mapping[type[GameView], Callable[[Any, Faces], Marks]]] = {
    HeartsView: _hearts,
    CancellationView: _cancellation,
    TetkaView: _tetka,
    AgonyAuntView: _agony_aunt,
    AuctionView: _auction,
}
