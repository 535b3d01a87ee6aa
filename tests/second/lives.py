"""Tables at which people do whatever comes to their minds, by the server's own plans.

So it is the server that says who may, and whose command it is.
"""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Final
from uuid import UUID

from msgspec import UNSET

from domain.absence import due
from domain.commands import (
    AbandonTable,
    Act,
    AdmitObserver,
    Command,
    ExtendDeadlines,
    OpenTable,
    StartMatch,
    TimeOut,
)
from domain.errors import Refusal
from domain.games import GAMES
from domain.ids import PlayerId, Seat, TableId
from domain.people import NOBODY, By
from domain.terms import Absence, Clock
from domain.views import to_act
from services import plans, rights
from services.bot_players import bot_to_act
from services.errors import Denied
from services.ports import Player
from services.rights import Caller
from services.tables import Plan
from tests.driver import BOT, HOST, Driver, person
from tests.second.records import SHORT

ABSENCES: Final[tuple[Absence, ...]] = ("wait", "auto_play", "bot", "abandon")

LONGEST: Final = 3000
"""Wishes after which a table is given up."""


def somebody(player: PlayerId, *, referee: bool = False) -> Caller:
    """A player as the server knows one."""
    return Caller(Player(player, "Ada", "human", admin=referee, referee=referee))


PEOPLE: Final = [
    somebody(HOST),
    *(somebody(person(number).player or HOST) for number in range(12)),
    somebody(PlayerId(UUID(int=500)), referee=True),
]


class Life(Driver):
    """A table at which anything is tried."""

    def ask(self, plan: Plan) -> None:
        """Somebody wants something, which is done where they may."""
        self.wait(self.chance.random() * 2)
        try:
            by, command = plan(self.table)
            self.put(by, command)
        except (Refusal, Denied):
            return

    def live(self) -> "Life":
        """Let people wish and the clock strike until the table is over."""
        for _ in range(LONGEST):
            if self.table.is_over():
                return self
            wish = self.chance.choices(WISHES, OFTEN)[0]
            self.ask(wish(self))
        self.put(By(clock=True), AbandonTable())
        return self

    def anybody(self) -> Caller:
        """One of the people."""
        return self.chance.choice(PEOPLE)

    def any_seat(self) -> Seat:
        """One of the table's."""
        return Seat(self.chance.randrange(len(self.table.seats)))


def some_table(seed: int) -> Life:
    """A table of any game on any terms, some of its seats a bot's or kept."""
    chance = Random(seed)
    game = GAMES[chance.choice(sorted(GAMES))]
    seats = chance.randint(game.min_seats, game.max_seats)
    kept = chance.sample(range(12), seats)
    opening = OpenTable(
        game=game.name,
        options=SHORT[game.name],
        seats=tuple(chance.choice([NOBODY, BOT, person(it)]) for it in kept),
        host=HOST,
        clock=chance.choice([None, Clock(seconds=3, bank=5)]),
        absence=chance.choice(ABSENCES),
        autostart=chance.random() < 0.5,
        rematch_of=chance.choice([None, TableId(UUID(int=seed))]),
    )
    return Life(opening, seed=seed)


def _sit(life: Life) -> Plan:
    entropy = life.chance.choice([None, life.chance.randbytes(32).hex()])
    return plans.sit(life.anybody(), life.any_seat(), entropy)


def _seat_bot(life: Life) -> Plan:
    return plans.seat_bot(life.anybody(), life.any_seat(), "random")


def _leave(life: Life) -> Plan:
    return plans.leave(life.anybody(), life.any_seat())


def _give(life: Life) -> Plan:
    entropy = life.chance.randbytes(32).hex()
    return plans.give_entropy(life.anybody(), life.any_seat(), entropy)


def _start(life: Life) -> Plan:
    return plans.command(life.anybody(), rights.manage, StartMatch())


def _look(life: Life) -> Plan:
    caller = life.anybody()
    return plans.command(caller, rights.referee, AdmitObserver(caller.id or HOST))


def _give_up(life: Life) -> Plan:
    return plans.command(life.anybody(), rights.abandon, AbandonTable())


def _clock(command: Command) -> Plan:
    return lambda _: (By(clock=True), command)


def _outage(life: Life) -> Plan:
    until = life.now + timedelta(seconds=life.chance.uniform(-3, 3))
    gone = timedelta(seconds=life.chance.uniform(-1, 9))
    return _clock(ExtendDeadlines(until - gone, until))


def _play(life: Life) -> Plan:
    """A bot moves, or somebody whose turn it is, or their time runs out."""
    waiting = to_act(life.table)
    if not waiting:
        return _sit(life)
    seat = bot_to_act(life.table)
    if seat is not None:
        bot, act = seat, Act(seat, life.some_move(seat))
        return lambda _: (By(bot=bot), act)
    seat = life.chance.choice(waiting)
    until = due(life.table, seat)
    if until is not None and life.chance.random() < 0.3:
        life.now = max(life.now, until)
        return _clock(TimeOut(seat))
    player = life.table.seats[seat].player
    if player is UNSET:
        raise LookupError("neither a bot nor a player is to act")
    return plans.move(somebody(player), life.some_move(seat))


WISHES: Final[list[Callable[[Life], Plan]]] = [
    _sit,
    _seat_bot,
    _leave,
    _give,
    _start,
    _look,
    _give_up,
    _outage,
    _play,
]
OFTEN: Final = [30, 3, 8, 5, 3, 1, 0.1, 2, 90]
