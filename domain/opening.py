"""Making a table: its terms are checked, and pinned for ever in its first event."""

from typing import Any

from msgspec import UNSET, ValidationError, convert, json
from msgspec.structs import replace

from domain.cards import cards_of, holding
from domain.chain import canonical
from domain.commands import OpenTable
from domain.errors import InvalidTable
from domain.events import TableOpened
from domain.game import Game, GameOptions
from domain.games import GAMES
from domain.ids import Secret, TableId
from domain.misfits import misfit
from domain.people import NOBODY
from domain.shuffle import match_commitment
from domain.terms import Arrangement


def opening(table: TableId, command: OpenTable, secret: Secret) -> TableOpened:
    """The first event of a table; `secret` becomes that of its match.

    Raises:
        InvalidTable: the table cannot be made as asked.
    """
    game = GAMES.get(command.game)
    if game is None:
        raise InvalidTable("There is no such game.", field="game")
    seats = len(command.seats)
    if not game.min_seats <= seats <= game.max_seats:
        few, many = game.min_seats, game.max_seats
        taken = f"{few} to {many}" if few < many else few
        raise InvalidTable(f"{game.title} takes {taken} players.", field="seats")
    reserved = [seat.player for seat in command.seats if seat.player is not UNSET]
    if len(set(reserved)) < len(reserved):
        raise InvalidTable("A player can have one seat only.", field="seats")
    if any(seat != NOBODY and not seat.is_one() for seat in command.seats):
        raise InvalidTable("A seat has a player or a bot, not both.", field="seats")
    options = _options(game, command)
    game.check(options, seats)
    if command.rated and command.absence == "abandon":
        raise InvalidTable(
            "A rated table is not given up because somebody leaves.", field="absence"
        )
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
        commitment=match_commitment(table, secret).hex(),
        arrangement=command.arrangement and _in_pack_order(command.arrangement),
        secret=secret,
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
