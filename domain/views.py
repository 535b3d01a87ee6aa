"""What a seat, or the public, may see of a table: built by naming what is shown."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct, json
from msgspec.structs import replace

from domain.cards import Card, cards_of
from domain.chain import timestamp
from domain.decisions import Phase
from domain.events import KittyDealt, KittyTaken, PassesExchanged
from domain.game import State
from domain.ids import Seat, Version
from domain.log import PublicEvent
from domain.seating import seat_after
from domain.sight import (
    DealView,
    Decision,
    OpenCards,
    ResultView,
    SeatClock,
    SeatedCard,
    Sight,
    TakenTrick,
    TrickView,
    View,
)
from domain.table import Table, begun
from domain.tricks import Trick

KINDS: Final = {
    Phase.PASSING: "pass",
    Phase.BIDDING: "bid",
    Phase.NAMING: "name_suit",
    Phase.PLAYING: "play",
    Phase.SETTLING: "settle_moon",
}
"""What kind of decision each phase opens."""


def view(table: Table, seat: Seat | None) -> View:
    """The table through the eyes of a seat, or of the public where `seat` is None."""
    return View(
        seat=seat,
        deal=_deal(table, seat),
        scores=(table.play or begun(table.opened)).scores,
        result=_result(table),
        to_act=to_act(table),
        decision=None if seat is None else decision(table, seat),
        clocks=_clocks(table),
    )


def open_view(table: Table) -> View:
    """The table as the public sees it, and beside that the cards of all seats."""
    kitties = (it.cards for _, it in table.sealed if isinstance(it, KittyDealt))
    hands = table.play.hands if table.play else ()
    shown = OpenCards(
        hands=tuple(cards_of(hand) for hand in hands), kitty=next(kitties, ())
    )
    return replace(view(table, None), open=shown)


def to_act(table: Table) -> tuple[Seat, ...]:
    """The seats whose decision is open."""
    return tuple(Seat(seat) for seat, at in enumerate(table.decisions) if at)


def decision_id(table: Table, seat: Seat) -> str | None:
    """The id of the seat's open decision: `<version>.<seat>`."""
    opened_at = table.decisions[seat]
    return f"{opened_at}.{seat}" if opened_at else None


def decision(table: Table, seat: Seat) -> Decision | None:
    """The seat's open decision."""
    named = decision_id(table, seat)
    if named is None or table.play is None:
        return None
    return Decision(
        id=named,
        seat=seat,
        kind=KINDS[table.play.phase],
        deadline=_deadline(table, seat),
        legal=table.game.legal(table.play, seat),
        choices=table.game.choices(table.play, seat),
    )


def _deadline(table: Table, seat: Seat) -> str | None:
    deadline = table.clocks.deadline(seat) if table.clocks else None
    return timestamp(deadline) if deadline else None


def _clocks(table: Table) -> tuple[SeatClock, ...] | None:
    clocks = table.clocks
    if clocks is None:
        return None
    return tuple(
        SeatClock(_deadline(table, Seat(seat)), int(bank.total_seconds()))
        for seat, bank in enumerate(clocks.bank)
    )


def sight(table: Table, seat: Seat) -> Sight:
    """What a bot in that seat goes by."""
    return Sight(
        game=table.game.name,
        seat=seat,
        seats=len(table.seats),
        options=table.opened.options,
        view=view(table, seat),
        tricks=table.play.tricks if table.play else (),
    )


def opens(event: PublicEvent, seat: Seat) -> tuple[Version, ...]:
    """Which sealed texts the seat may read from this event on, by their versions."""
    told = OPENING.get(event.type)
    return told(event, seat) if told else ()


class _OfSeat(Struct):
    seat: Seat


def _own(event: PublicEvent, seat: Seat) -> tuple[Version, ...]:
    """What the event itself hides, to the seat that it is about."""
    whose = json.decode(event.data, type=_OfSeat).seat
    return (event.version,) if whose == seat else ()


def _received(event: PublicEvent, seat: Seat) -> tuple[Version, ...]:
    passes = json.decode(event.data, type=PassesExchanged).passes
    return tuple(passage.version for passage in passes if passage.to == seat)


def _kitty(event: PublicEvent, seat: Seat) -> tuple[Version, ...]:
    taken = json.decode(event.data, type=KittyTaken)
    return (taken.version,) if taken.seat == seat else ()


OPENING: Final[Mapping[str, Callable[[PublicEvent, Seat], tuple[Version, ...]]]] = {
    "hand_dealt": _own,
    "cards_passed": _own,
    "passes_exchanged": _received,
    "kitty_taken": _kitty,
}
"""The types of event that let a seat know something, and what."""


def _deal(table: Table, seat: Seat | None) -> DealView | None:
    play, started = table.play, table.started
    if play is None or started is None:
        return None
    return DealView(
        number=started.deal,
        dealer=started.dealer,
        phase=play.phase,
        hand=None if seat is None else cards_of(play.hands[seat]),
        hand_sizes=tuple(hand.bit_count() for hand in play.hands),
        trick=_trick(play),
        last_tricks=tuple(
            _taken(trick, play.seats) for trick in table.game.last_tricks(play)
        ),
        tricks_taken=play.tricks_taken(),
        commitment=started.commitment,
        arranged=started.arranged,
        game=table.game.view(play, seat),
    )


def _trick(play: State) -> TrickView:
    plays = _plays(play.leader, play.trick, play.seats)
    leader = play.leader if play.phase is Phase.PLAYING else None
    over = play.phase in {Phase.SETTLING, Phase.DONE}
    return TrickView(len(play.tricks) + (not over), leader, plays)


def _taken(trick: Trick, seats: int) -> TakenTrick:
    plays = _plays(trick.leader, trick.cards, seats)
    return TakenTrick(trick.number, trick.leader, plays, trick.winner)


def _plays(leader: Seat, cards: tuple[Card, ...], seats: int) -> tuple[SeatedCard, ...]:
    return tuple(
        SeatedCard(seat_after(leader, place, seats), card)
        for place, card in enumerate(cards)
    )


def _result(table: Table) -> ResultView | None:
    if table.result is None or table.play is None:
        return None
    return ResultView(table.result.winners, table.play.scores, table.result.settlement)
