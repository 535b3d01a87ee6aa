"""What happened, in words: a line for each event that has something to tell."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from api.replay.faces import Faces, name, seats
from api.wording import counted
from domain.events import (
    BidDeclined,
    BidMade,
    CardPlayed,
    CardsPassed,
    CardTurned,
    ChipsPaid,
    CounterPlaced,
    CountersLost,
    CountersReturned,
    DeadlineExtended,
    DealScored,
    DealStarted,
    DealVoided,
    EntropyGiven,
    Event,
    HeartsBroken,
    KittyDealt,
    KittyTaken,
    LineMade,
    MatchEnded,
    MatchStarted,
    MoonSettled,
    MoonShot,
    ObserverAdmitted,
    PassesExchanged,
    PoolDivided,
    RevokeFound,
    RubberEnded,
    SeatLeft,
    SeatProxied,
    SeatResumed,
    SeatsDrawn,
    SeatTaken,
    SeatTimedOut,
    SettlementMade,
    SuitNamed,
    TableAbandoned,
    TableOpened,
    TrickCancelled,
    TrickTaken,
)
from domain.games import GAMES


def told(events: Iterable[Event], faces: Faces) -> list[str]:
    """What these events tell, in order."""
    known = ((event, _TELLING.get(type(event))) for event in events)
    lines = [tell(event, faces) for event, tell in known if tell]
    return ["".join(filter(str.isprintable, line)) for line in lines]


def _passed(event: CardsPassed, faces: Faces) -> str:
    what = f": {faces.cards(event.cards)}" if event.cards else ""
    return (
        f"Seat {event.seat} passes {counted(event.count, 'card')} to seat"
        f" {event.to}{what}."
    )


def _kitty(event: KittyDealt, faces: Faces) -> str:
    what = f": {faces.cards(event.cards)}" if event.cards else ""
    return f"{event.count} cards are left over as the kitty{what}."


def _drawn(event: SeatsDrawn, faces: Faces) -> str:
    moves = (
        f"{seat} draws {faces.cards(drawn)} and sits at {to}"
        for seat, (drawn, to) in enumerate(zip(event.cards, event.seats, strict=True))
    )
    return f"New seats: {'; '.join(moves)}."


def _turned(event: CardTurned, faces: Faces) -> str:
    card = faces.card(event.card)
    return f"{card} is turned." if event.as_ == "turned" else f"Photograph: {card}."


def _named(event: SuitNamed, faces: Faces) -> str:
    who = "The rules name" if event.seat is None else f"Seat {event.seat} names"
    return f"{who} {faces.suit(event.suit)} ({event.suit.word})."


def _placed(event: CounterPlaced, _faces: Faces) -> str:
    what = f"a counter on {event.square}" if event.square else "a mark"
    return f"Seat {event.seat} gets {what} for {event.reason.replace('_', ' ')}."


def _scored(event: DealScored, _faces: Faces) -> str:
    points = ", ".join(f"{seat}: {it:+}" for seat, it in enumerate(event.points))
    return f"The deal is over ({points}); scores are {_numbers(event.scores)}."


def _ended(event: MatchEnded, _faces: Faces) -> str:
    verb = "win together" if len(event.winners) > 1 else "wins"
    return f"The match is over: {seats(event.winners)} {verb}."


def _numbers(by_seat: Iterable[int]) -> str:
    return ", ".join(f"{seat}: {it}" for seat, it in enumerate(by_seat))


_TELLING: Final[Mapping[type[Event], Callable[[Any, Faces], str]]] = {
    TableOpened: lambda it, _: f"A table of {GAMES[it.game].title} is opened.",
    SeatTaken: lambda it, _: f"Seat {it.seat} is taken by {name(it.occupant)}.",
    SeatLeft: lambda it, _: f"Seat {it.seat} is left.",
    EntropyGiven: lambda it, _: f"Seat {it.seat} adds to the shuffle.",
    MatchStarted: lambda *_: "The match begins.",
    SeatsDrawn: _drawn,
    DealStarted: lambda it, _: f"Deal {it.deal} begins; seat {it.dealer} deals.",
    CardTurned: _turned,
    KittyDealt: _kitty,
    CardsPassed: _passed,
    PassesExchanged: lambda *_: "The passed cards change hands.",
    BidMade: lambda it, _: f"Seat {it.seat} bids {it.chips}.",
    BidDeclined: lambda it, _: f"Seat {it.seat} declines.",
    SuitNamed: _named,
    CardPlayed: lambda it, faces: f"Seat {it.seat} plays {faces.card(it.card)}.",
    HeartsBroken: lambda *_: "Hearts are broken.",
    TrickTaken: lambda it, _: f"Seat {it.seat} takes trick {it.trick}.",
    TrickCancelled: lambda it, _: f"Trick {it.trick} is cancelled.",
    KittyTaken: lambda it, _: f"Seat {it.seat} takes the kitty.",
    RevokeFound: lambda it, faces: (
        f"Seat {it.seat} revoked in trick {it.trick} with {faces.card(it.card)}."
    ),
    CounterPlaced: _placed,
    LineMade: lambda it, _: f"Seat {it.seat} has a line: {', '.join(it.squares)}.",
    CountersLost: lambda it, _: f"Seat {it.seat} loses {counted(it.count, 'counter')}.",
    CountersReturned: lambda it, _: (
        f"Seat {it.seat} takes back {counted(it.count, 'counter')} ({it.reason})."
    ),
    ChipsPaid: lambda it, _: f"Seat {it.seat} pays {it.chips} ({it.reason}).",
    PoolDivided: lambda it, _: (
        f"The pool is divided: {_numbers(it.shares)}; {it.left} are left."
    ),
    MoonShot: lambda it, _: f"Seat {it.seat} shoots the {'sun' if it.sun else 'moon'}.",
    MoonSettled: lambda it, _: f"Seat {it.seat}'s moon counts: {it.how}.",
    DealScored: _scored,
    RubberEnded: lambda it, _: f"Rubber {it.rubber} ends: {_numbers(it.scores)}.",
    SettlementMade: lambda it, _: f"The settlement: {_numbers(it.nets)}.",
    DealVoided: lambda it, _: f"Deal {it.deal} is void.",
    SeatTimedOut: lambda it, _: f"The time of seat {it.seat} is up.",
    SeatProxied: lambda it, _: f"A bot plays seat {it.seat} from now on.",
    SeatResumed: lambda it, _: f"The player of seat {it.seat} is back.",
    DeadlineExtended: lambda it, _: (
        f"The server was away from {it.since} until {it.until}: "
        f"that takes no time from {seats(it.seats)}."
    ),
    ObserverAdmitted: lambda it, _: (
        f"Player {str(it.player)[-6:]} looks at all cards from now on."
    ),
    MatchEnded: _ended,
    TableAbandoned: lambda *_: "The table is given up.",
}
"""How events are told; hands that are dealt and secrets are not."""
