"""Making tables: as a host wishes them, and once more for those who played."""

from typing import Final, Literal

from msgspec import UNSET, Struct, to_builtins

from domain.commands import OpenTable
from domain.errors import InvalidTable, TableIsNotOver
from domain.games import GAMES
from domain.ids import PlayerId, TableId
from domain.people import By, Occupant
from domain.table import Table
from domain.terms import Absence, Arrangement, Clock, Options
from services.accounts import Accounts
from services.identity import Request, request_of, successor
from services.ports import TableNotes
from services.room import Room
from services.snapshots import Snapshot
from services.tables import Done, Outside, Tables

INVITE_BYTES: Final = 16


class Wish(Struct, frozen=True, kw_only=True):
    """A table as its host asks for it.

    `seats` is their number, or a list that keeps seats for players and fills others
    with bots. `options` go over those of the preset.
    """

    game: str
    preset: str | None = None
    options: Options = {}
    seats: int | tuple[Occupant, ...] | None = None
    clock: Clock | None = None
    absence: Absence = "wait"
    spectators: Literal["public", "none"] = "public"
    visibility: Literal["public", "private"] = "public"
    title: str | None = None
    autostart: bool = True
    rated: bool = False
    arrangement: Arrangement | None = None


class Hosting:
    """Makes tables, with what is noted beside the log."""

    def __init__(
        self,
        tables: Tables,
        accounts: Accounts,
        notes: TableNotes,
        room: Room,
        outside: Outside,
    ) -> None:
        self._tables = tables
        self._room = room
        self._accounts = accounts
        self._notes = notes
        self._outside = outside

    async def open(
        self, table: TableId, host: PlayerId, wish: Wish, request: Request
    ) -> tuple[Snapshot, Done]:
        """Make a table, or find the one that the same request made before.

        Raises:
            Refusal: it cannot be made as wished.
            TooManyTables: the host has as many as may be on.
            KeyReused: another request made it.
        """
        command = await self._command(wish, host)

        async def prepare() -> None:
            await self._room.check(host)
            await self._note(table, wish.title, wish.visibility)

        with await self._room.turn(host):
            return await self._tables.open(
                table, By(player=host), command, request, prepare
            )

    async def again(self, old: Table, player: PlayerId) -> tuple[Snapshot, Done]:
        """Make or find the successor of a table: the same for all who ask.

        It has the same terms and title, shuffled deals, and keeps its seats for the
        same players; its bots sit.

        Raises:
            TableIsNotOver: there is no successor yet.
            TooManyTables: the host has as many as may be on.
        """
        if not old.is_over():
            raise TableIsNotOver("The table is not over yet.", status=old.status)
        table, opened = successor(old.id), old.opened
        command = OpenTable(
            game=opened.game,
            options=opened.options,
            seats=old.seats,
            host=opened.host,
            clock=opened.clock,
            absence=opened.absence,
            spectators=opened.spectators,
            visibility=opened.visibility,
            rated=opened.rated,
            autostart=opened.autostart,
            rematch_of=old.id,
        )

        async def prepare() -> None:
            await self._room.check(opened.host)
            notes = await self._notes.get([old.id])
            title = notes[old.id].title if old.id in notes else None
            await self._note(table, title, opened.visibility)

        request = request_of(b"rematch", old.id.bytes)
        with await self._room.turn(opened.host):
            return await self._tables.open(
                table, By(player=player), command, request, prepare
            )

    async def _command(self, wish: Wish, host: PlayerId) -> OpenTable:
        game = GAMES.get(wish.game)
        if game is None:
            raise InvalidTable("There is no such game.", field="game")
        preset = game.presets.get(wish.preset or game.default_preset)
        if preset is None:
            raise InvalidTable("The game has no such preset.", field="preset")
        seats = wish.seats if wish.seats is not None else game.usual_seats
        if isinstance(seats, int):
            seats = (Occupant(),) * seats
        await self._check_people(seats)
        return OpenTable(
            game=game.name,
            options=to_builtins(preset) | wish.options,
            seats=tuple(Occupant(player=seat.player, bot=seat.bot) for seat in seats),
            host=host,
            clock=wish.clock,
            absence=wish.absence,
            spectators=wish.spectators,
            visibility=wish.visibility,
            rated=wish.rated,
            autostart=wish.autostart,
            arrangement=wish.arrangement,
        )

    async def _check_people(self, seats: tuple[Occupant, ...]) -> None:
        ids = [seat.player for seat in seats if seat.player is not UNSET]
        known = await self._accounts.people(ids)
        if any(player not in known for player in ids):
            raise InvalidTable("A seat is kept for nobody known here.", field="seats")

    async def _note(self, table: TableId, title: str | None, visibility: str) -> None:
        """Note the title, and an invite where the table is private."""
        invite = None
        if visibility == "private":
            invite = self._outside.random_bytes(INVITE_BYTES).hex()
        if title or invite:
            await self._notes.put(table, title, invite)
