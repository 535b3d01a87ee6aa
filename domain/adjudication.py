"""Judging again: from the events of an append back to its command, and on from that.

Deciding the command anew must yield the very events that were recorded.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from domain.chain import moment
from domain.commands import (
    AbandonTable,
    Act,
    AdmitObserver,
    Bid,
    Command,
    Decline,
    ExtendDeadlines,
    GiveEntropy,
    LeaveSeat,
    Move,
    NameSuit,
    OpenTable,
    Pass,
    Play,
    Resume,
    SettleMoon,
    StartMatch,
    TakeSeat,
    TimeOut,
)
from domain.deciding import Given, decide, open_table
from domain.events import (
    BidDeclined,
    BidMade,
    CardPlayed,
    CardsPassed,
    DeadlineExtended,
    DealStarted,
    DealVoided,
    EntropyGiven,
    Event,
    MatchRevealed,
    MatchStarted,
    MoonSettled,
    ObserverAdmitted,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    SeatTimedOut,
    SuitNamed,
    TableOpened,
)
from domain.ids import Secret, TableId
from domain.table import Table

UNUSED: Final = Secret(bytes(32))


def adjudicated(
    table_id: TableId, before: Table | None, append: Sequence[Event], at: datetime
) -> list[Event]:
    """What had to follow from the command of an append, made `at` that time.

    `before` it is the table.

    Raises:
        LookupError: no command begins with the first of these events.
        Refusal: the command had to be refused.
    """
    command = command_of(append)
    given = _given(append, at)
    if before is None and isinstance(command, OpenTable):
        return open_table(table_id, command, given)
    if before is None:
        raise LookupError("a table begins when it is opened")
    return decide(before, command, given)


def command_of(append: Sequence[Event]) -> Command:
    """The command that an append answers, by its first event.

    Raises:
        LookupError: no command begins with that.
    """
    match append[0]:
        case TableOpened() as opened:
            return _opening(opened)
        case SeatTaken(seat=seat, occupant=occupant):
            entropy = next(
                (it.entropy for it in append[1:2] if isinstance(it, EntropyGiven)), None
            )
            return TakeSeat(seat, occupant, entropy)
        case SeatLeft(seat=seat):
            return LeaveSeat(seat)
        case EntropyGiven(seat=seat, entropy=entropy):
            return GiveEntropy(seat, entropy)
        case MatchStarted():
            return StartMatch()
        case DealVoided() | MatchRevealed():
            return AbandonTable()
        case ObserverAdmitted(player=player):
            return AdmitObserver(player)
        case _:
            return _in_play(append)


def _in_play(append: Sequence[Event]) -> Command:
    match append[0]:
        case SeatTimedOut(seat=seat):
            return TimeOut(seat)
        case SeatResumed(seat=seat):
            return Resume(seat, _act(append[1]).move)
        case DeadlineExtended(since=since, until=until):
            return ExtendDeadlines(moment(since), moment(until))
        case first:
            return _act(first)


def _act(event: Event) -> Act:
    move: Move
    match event:
        case CardsPassed(cards=cards):
            move = Pass(cards=cards)
        case CardPlayed(card=card):
            move = Play(card=card)
        case BidMade(chips=chips):
            move = Bid(chips=chips)
        case BidDeclined():
            move = Decline()
        case SuitNamed(suit=suit):
            move = NameSuit(suit=suit)
        case MoonSettled(how="add" | "subtract" as how):
            move = SettleMoon(how=how)
        case _:
            raise LookupError("no command begins with that event")
    if event.seat is None:
        raise LookupError("no command begins with what the rules do by themselves")
    return Act(event.seat, move)


def _opening(opened: TableOpened) -> OpenTable:
    """What was asked for stands in the event under the same names."""
    return OpenTable(**{it: getattr(opened, it) for it in OpenTable.__struct_fields__})


def _given(append: Sequence[Event], at: datetime) -> Given:
    """What the outside supplied to the decision, as far as it was used."""
    match_secret = deal_secret = UNUSED
    for event in append:
        if isinstance(event, TableOpened):
            match_secret = event.secret
        elif isinstance(event, DealStarted):
            deal_secret = event.secret
    return Given(at, match_secret, deal_secret)
