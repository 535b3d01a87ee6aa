"""`decide`: the events that follow from a command, or the refusal of it."""

from typing import Any

from msgspec import UNSET, Struct, ValidationError, convert, json
from msgspec.structs import replace

from domain import match
from domain.cards import cards_of, holding
from domain.chain import canonical
from domain.commands import (
    AbandonTable,
    Act,
    Command,
    GiveEntropy,
    LeaveSeat,
    OpenTable,
    StartMatch,
    TakeSeat,
)
from domain.errors import (
    AlreadySeated,
    InvalidTable,
    MatchHasNotStarted,
    MatchHasStarted,
    SeatIsEmpty,
    SeatIsTaken,
    SeatsNotFilled,
    StaleDecision,
    TableIsOver,
    UnknownSeat,
)
from domain.events import (
    DealScored,
    EntropyGiven,
    Event,
    SeatLeft,
    SeatTaken,
    TableOpened,
)
from domain.game import Game, GameOptions
from domain.games import GAMES
from domain.ids import Seat, Secret, TableId
from domain.misfits import misfit
from domain.people import NOBODY, Occupant
from domain.shuffle import match_commitment
from domain.table import Table, evolve, opened
from domain.terms import Arrangement


class Given(Struct, frozen=True):
    """What the outside supplies to a decision: bytes that nobody could foresee.

    `match` becomes the secret of a match, `deal` that of a deal that is arranged.
    """

    match: Secret
    deal: Secret


def open_table(table: TableId, command: OpenTable, given: Given) -> list[Event]:
    """The first append of a table; where bots fill it, the match begins in it too.

    Raises:
        InvalidTable: the table cannot be made as asked.
    """
    event = _opening(table, command, given)
    bots: list[Event] = [
        SeatTaken(Seat(seat), occupant)
        for seat, occupant in enumerate(command.seats)
        if occupant.bot is not UNSET
    ]
    return [event, *bots, *_autostart(evolve(opened(table, event), bots), given)]


def decide(table: Table, command: Command, given: Given) -> list[Event]:
    """What follows from a command at a table that is there.

    Raises:
        Refusal: the command is refused; nothing follows.
    """
    if table.is_over():
        raise TableIsOver("This table is over.", status=table.status)
    match command:
        case Act():
            return _act(table, command, given)
        case TakeSeat():
            return _take_seat(table, command, given)
        case LeaveSeat():
            return _leave_seat(table, command)
        case GiveEntropy():
            _must_be_open(table)
            _occupied(table, command.seat)
            return [EntropyGiven(command.seat, command.entropy)]
        case StartMatch():
            _must_be_open(table)
            if not table.is_full():
                raise SeatsNotFilled("Some seats are still free.", free=_free(table))
            return match.start(table, given.deal)
        case AbandonTable():
            return match.abandon(table)
        case OpenTable():
            raise MatchHasStarted("This table is open already.")


def _act(table: Table, act: Act, given: Given) -> list[Event]:
    _seat(table, act.seat)
    if table.status == "open":
        raise MatchHasNotStarted("The match has not started.")
    named = act.move.decision
    if named is not UNSET:
        opened_at = table.decisions[act.seat]
        if not opened_at or named != f"{opened_at}.{act.seat}":
            raise StaleDecision("That decision is not open.", decision=named)
    game = table.game
    events: list[Event] = game.decide(table.play, act.seat, act.move, table.version)
    for event in events:
        if isinstance(event, DealScored):
            over = evolve(table, events)
            return events + match.end_deal(over, given.deal)
    return events


def _take_seat(table: Table, command: TakeSeat, given: Given) -> list[Event]:
    seat, occupant = command.seat, command.occupant
    present = _seat(table, seat)
    taken: list[Event] = [SeatTaken(seat, occupant)]
    if present == occupant and seat in table.away:
        return taken
    _must_be_open(table)
    if present != NOBODY:
        raise SeatIsTaken("The seat is taken.", seat=seat)
    if occupant.player is not UNSET and table.seat_of(occupant.player) is not None:
        raise AlreadySeated("You have another seat here.")
    if command.entropy is not None:
        taken.append(EntropyGiven(seat, command.entropy))
    return [*taken, *_autostart(evolve(table, taken), given)]


def _leave_seat(table: Table, command: LeaveSeat) -> list[Event]:
    _occupied(table, command.seat)
    if command.seat in table.away:
        raise SeatIsEmpty("The player has left already.", seat=command.seat)
    return [SeatLeft(command.seat)]


def _autostart(table: Table, given: Given) -> list[Event]:
    ready = table.opened.autostart and table.is_full()
    return match.start(table, given.deal) if ready else []


def _seat(table: Table, seat: Seat) -> Occupant:
    if not 0 <= seat < len(table.seats):
        raise UnknownSeat("The table has no such seat.", seats=len(table.seats))
    return table.seats[seat]


def _occupied(table: Table, seat: Seat) -> None:
    if _seat(table, seat) == NOBODY:
        raise SeatIsEmpty("Nobody has that seat.", seat=seat)


def _must_be_open(table: Table) -> None:
    if table.status != "open":
        raise MatchHasStarted("The match has started.", status=table.status)


def _free(table: Table) -> int:
    return table.seats.count(NOBODY)


def _opening(table: TableId, command: OpenTable, given: Given) -> TableOpened:
    game = GAMES.get(command.game)
    if game is None:
        raise InvalidTable("There is no such game.", field="game")
    seats = len(command.seats)
    if not game.min_seats <= seats <= game.max_seats:
        raise InvalidTable(
            f"{game.title} takes {game.min_seats} to {game.max_seats} players.",
            field="seats",
        )
    reserved = [seat.player for seat in command.seats if seat.player is not UNSET]
    if len(set(reserved)) < len(reserved):
        raise InvalidTable("A player can have one seat only.", field="seats")
    options = _options(game, command)
    game.check(options, seats)
    if command.arrangement is not None:
        _check_arrangement(game, options, command.arrangement, seats)
        if command.rated:
            raise InvalidTable("An arranged table cannot be rated.", field="rated")
    return TableOpened(
        game=game.name,
        rules_version=game.rules_version,
        options=json.decode(canonical(options)),  # as the log will give them back
        seats=command.seats,
        host=command.host,
        clock=command.clock,
        absence=command.absence,
        spectators=command.spectators,
        visibility=command.visibility,
        rated=command.rated,
        autostart=command.autostart,
        rematch_of=command.rematch_of,
        commitment=match_commitment(table, given.match).hex(),
        arrangement=command.arrangement and _in_pack_order(command.arrangement),
        secret=given.match,
    )


def _in_pack_order(arrangement: Arrangement) -> Arrangement:
    """The same deals, their cards as the log writes cards."""
    return replace(
        arrangement,
        deals=tuple(
            replace(
                deal,
                hands=tuple(cards_of(holding(hand)) for hand in deal.hands),
                kitty=cards_of(holding(deal.kitty)),
            )
            for deal in arrangement.deals
        ),
    )


def _options(game: Game[Any, Any], command: OpenTable) -> GameOptions:
    try:
        options: GameOptions = convert(command.options, game.options)
    except ValidationError as wrong:
        found = misfit(wrong)
        raise InvalidTable(found.text, field=f"options{found.path}") from None
    return options


def _check_arrangement(
    game: Game[Any, Any], options: GameOptions, arrangement: Arrangement, seats: int
) -> None:
    dealer, scores = arrangement.first_dealer, arrangement.scores
    if dealer is not None and not 0 <= dealer < seats:
        raise InvalidTable(
            "The first dealer has no such seat.", field="arrangement.first_dealer"
        )
    if scores is not None:
        if len(scores) != seats:
            raise InvalidTable(
                f"Starting scores are {seats} numbers, one a seat.",
                field="arrangement.scores",
            )
        game.check_scores(options, scores)
    for deal in arrangement.deals:
        game.check_deal(options, seats, deal)
