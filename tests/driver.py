"""Tables driven through the domain without a server, their logs beside them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final, TypeAlias, TypeVar
from uuid import UUID

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import chain, log, views
from domain.absence import due
from domain.cards import Card
from domain.commands import (
    AbandonTable,
    Act,
    AdmitObserver,
    Command,
    ExtendDeadlines,
    GiveEntropy,
    LeaveSeat,
    Move,
    OpenTable,
    Pass,
    Play,
    Resume,
    TakeSeat,
    TimeOut,
)
from domain.deciding import Given, decide, open_table
from domain.decisions import PassChoices
from domain.errors import Refusal
from domain.events import Event
from domain.facts import TableFacts, facts_of
from domain.game import State
from domain.ids import CommandId, PlayerId, Seat, Secret, TableId
from domain.people import NOBODY, By, Occupant
from domain.records import begin, end
from domain.table import Table, fold
from domain.terms import Absence, ArrangedDeal, Arrangement, Clock, Options

HOST: Final = PlayerId(UUID(int=1000))
BOT: Final = Occupant(bot="random")
BEGINNING: Final = datetime(2026, 11, 30, 2, 45, 0, 123456, tzinfo=UTC)

BOLDNESS: Final = 0.7
"""How likely a seat does what is bold, where it may also do something else."""

Record = dict[str, Any]

E = TypeVar("E", bound=Event)

Law: TypeAlias = Callable[["Driver"], None]
"""Asserts what must hold of a table, which it may play on."""


def _height(card: Card) -> int:
    return card.index % 13


def person(number: int) -> Occupant:
    """Somebody who sits; the same number is the same person."""
    return Occupant(player=PlayerId(UUID(int=number + 1)))


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text like `2C TH QS`."""
    return tuple(map(Card, text.split()))


def of_kind(events: Iterable[Event], *kinds: type[E]) -> list[E]:
    """The events of these kinds."""
    return [event for event in events if isinstance(event, kinds)]


def arranged(
    *deals: Sequence[str],
    first_dealer: int = 0,
    scores: Sequence[int] | None = None,
) -> Arrangement:
    """Chosen deals, each given as the texts of its hands."""
    return Arrangement(
        first_dealer=Seat(first_dealer),
        scores=None if scores is None else tuple(scores),
        deals=tuple(ArrangedDeal(hands=tuple(map(cards, hands))) for hands in deals),
    )


def hearts(
    options: Options | None = None,
    *,
    seats: int = 4,
    seed: int = 0,
    arrangement: Arrangement | None = None,
) -> "Driver":
    """A table of Hearts with a bot in every seat, so that the match is on."""
    return of_bots("hearts", options, seats=seats, seed=seed, arrangement=arrangement)


def of_bots(
    game: str,
    options: Options | None = None,
    *,
    seats: int = 4,
    seed: int = 0,
    arrangement: Arrangement | None = None,
) -> "Driver":
    """A table with a bot in every seat, so that the match is on."""
    opening = OpenTable(
        game=game,
        options=options or {},
        seats=(BOT,) * seats,
        host=HOST,
        arrangement=arrangement,
    )
    return Driver(opening, seed=seed)


def hearts_to_come(
    options: Options | None = None,
    *,
    seats: int = 4,
    seed: int = 0,
    autostart: bool = True,
) -> "Driver":
    """A table of Hearts at which every seat is free."""
    opening = OpenTable(
        game="hearts",
        options=options or {},
        seats=(NOBODY,) * seats,
        host=HOST,
        autostart=autostart,
    )
    return Driver(opening, seed=seed)


def hearts_of_people(
    options: Options | None = None, *, seats: int = 4, seed: int = 0
) -> "Driver":
    """A match of Hearts between people, of whom every other one gave entropy."""
    driver = hearts_to_come(options, seats=seats, seed=seed)
    for seat in range(seats):
        entropy = None if seat % 2 else driver.chance.randbytes(32).hex()
        driver.do(TakeSeat(Seat(seat), person(seat), entropy))
    return driver


def of_people(
    like: "Driver", clock: Clock | None, absence: Absence, *, rated: bool = False
) -> "Driver":
    """A table of the same terms but for these, with people in its seats."""
    opening = like.commands[0]
    if not isinstance(opening, OpenTable):
        raise TypeError("a table begins when it is opened")
    seats = (NOBODY,) * len(opening.seats)
    driver = Driver(
        replace(opening, seats=seats, clock=clock, absence=absence, rated=rated),
        seed=like.chance.getrandbits(32),
    )
    for seat in range(len(seats)):
        driver.do(TakeSeat(Seat(seat), person(seat)))
    return driver


class Driver:
    """A table to which commands are put; each that is accepted is one append.

    `commands`, `appends`, `moments` and `tables` tell of each append what brought it
    about, its events, when it was made, and the table after it; `lines` are all events
    as they are stored. A second goes by between two commands.
    `grasping` names a seat that plays for tricks, so that a moon is likely; where the
    table is `pairing`, seats like to play a card that lies on the table already. All
    other moves of the machine's choosing are any legal ones.
    """

    def __init__(self, opening: OpenTable, *, seed: int = 0) -> None:
        """Open the table. All chance in it comes from the seed."""
        self.chance = Random(seed)
        self.now = BEGINNING
        self.id = TableId(UUID(int=self.chance.getrandbits(128)))
        self.grasping: Seat | None = None
        self.pairing = False
        self.lines: list[log.Line] = []
        self.appends: list[list[Event]] = []
        self.moments: list[datetime] = []
        self.commands: list[Command] = [opening]
        events = open_table(self.id, opening, self.given())
        who = person(0).player if opening.rematch_of else opening.host
        self._write(None, events, By(player=who))
        self.table: Table = log.follow(self.id, None, events, self.now)
        self.tables = [self.table]

    def play_state(self) -> State:
        """The state of the game, once the match is on."""
        if self.table.play is None:
            msg = "the match has not begun"
            raise LookupError(msg)
        return self.table.play

    def given(self) -> Given:
        """A fresh secret for a decision."""
        secrets = (Secret(self.chance.randbytes(32)) for _ in range(2))
        return Given(self.now, *secrets)

    def do(self, command: Command) -> list[Event]:
        """Put a command to the table; a refusal leaves the table as it was."""
        self.wait(1)
        events = decide(self.table, command, self.given())
        return self._carry_out(self._by(command), command, events)

    def put(self, by: By, command: Command) -> list[Event]:
        """The same at once, and by whom one likes."""
        events = decide(self.table, command, self.given())
        return self._carry_out(by, command, events)

    def _carry_out(self, by: By, command: Command, events: list[Event]) -> list[Event]:
        self._write(self.table, events, by)
        self.table = fold(self.table, events, self.now)
        self.tables.append(self.table)
        self.commands.append(command)
        return events

    def move(self, seat: int, move: Move) -> list[Event]:
        """A seat makes this move."""
        return self.do(Act(Seat(seat), move))

    def play(self, text: str) -> list[Event]:
        """The seats to act play these cards, one after another."""
        events: list[Event] = []
        for card in cards(text):
            [seat] = views.to_act(self.table)
            events += self.move(seat, Play(card=card))
        return events

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.now += timedelta(seconds=seconds)

    def passes(self, *texts: str) -> list[Event]:
        """The seats pass these cards, from seat 0 on."""
        events: list[Event] = []
        for seat, text in enumerate(texts):
            events += self.move(seat, Pass(cards=cards(text)))
        return events

    def step(self) -> list[Event]:
        """A seat whose decision is open makes a legal move.

        Or else its time runs out, where the table then acts for it.
        """
        seat = self.chance.choice(views.to_act(self.table))
        until = due(self.table, seat)
        if until is not None and self.chance.random() > BOLDNESS:
            self.now = max(self.now, until)
            return self.do(TimeOut(seat))
        move = self.some_move(seat)
        is_left = seat in self.table.away and self.table.is_played(seat)
        is_proxied = seat in self.table.proxied
        if is_left or (is_proxied and self.chance.random() > BOLDNESS):
            return self.do(Resume(seat, move))
        return self.move(seat, move)

    def some_move(self, seat: Seat) -> Move:
        """A legal move of a seat whose decision is open."""
        decision = views.decision(self.table, seat)
        if decision is None:
            msg = f"no decision of seat {seat} is open"
            raise LookupError(msg)
        choices = decision.choices
        if isinstance(choices, PassChoices) and seat == self.grasping:
            lowest = sorted(choices.from_, key=_height)
            return Pass(cards=tuple(lowest[: choices.choose]))
        if choices and (not decision.legal or self.chance.random() < BOLDNESS):
            return choices.at_random(self.chance)
        plays = [move for move in decision.legal if isinstance(move, Play)]
        if seat == self.grasping and plays:
            return max(plays, key=lambda move: _height(move.card))
        pairs = [move for move in plays if move.card in self.play_state().trick]
        if self.pairing and pairs and self.chance.random() < BOLDNESS:
            return self.chance.choice(pairs)
        return self.chance.choice(decision.legal)

    def events(self) -> Iterator[Event]:
        """Everything that has happened at the table."""
        return (event for append in self.appends for event in append)

    def prefixes(self, most: int = 100_000) -> Iterator[Table]:
        """The table now and after each of up to so many moves of the machine's."""
        yield self.table
        for _ in range(most):
            if self.table.status != "playing":
                return
            self.step()
            yield self.table

    def finish(self) -> "Driver":
        """Play on to the end of the match."""
        while self.table.status == "playing":
            self.step()
        return self

    def abandon(self) -> "Driver":
        """Give the table up."""
        self.do(AbandonTable())
        return self

    def served(self) -> list[bytes]:
        """The log as clients get it who may see nothing hidden."""
        previous = chain.origin(self.id)
        texts = []
        for line in self.lines:
            texts.append(log.served(line.body, previous, line.hash))
            previous = line.hash
        return texts

    def record(self) -> Record:
        """The table as a document to check."""
        return {
            "format": "misere-record/1",
            "table": json.loads(chain.canonical(self.facts())),
            "events": [json.loads(text) for text in self.served()],
            "head": self.lines[-1].hash.hex(),
            "version": self.table.version,
        }

    def record_lines(self) -> list[bytes]:
        """The same, line by line."""
        last = end(self.lines[-1].hash, self.table.version)
        return [begin(self.facts()), *self.served(), last]

    def facts(self) -> TableFacts:
        """What the table's log tells of it."""
        return facts_of(self.table, chain.timestamp(self.moments[0]))

    def _write(self, before: Table | None, events: list[Event], by: By) -> None:
        command = CommandId(UUID(int=self.chance.getrandbits(128)))
        around = log.Circumstances(chain.timestamp(self.now), by, command)
        head = self.lines[-1].hash if self.lines else chain.origin(self.id)
        self.lines += log.write(self.id, before, head, events, around)
        self.appends.append(events)
        self.moments.append(self.now)

    def _by(self, command: Command) -> By:
        if isinstance(command, Act):
            seat = command.seat
            return By(seat=seat) if self.table.is_played(seat) else By(bot=seat)
        if isinstance(command, Resume):
            return By(seat=command.seat)
        if isinstance(command, TimeOut | ExtendDeadlines):
            return By(clock=True)
        if isinstance(command, AdmitObserver):
            return By(player=command.player)
        if isinstance(command, TakeSeat) and command.occupant.bot is UNSET:
            return By(player=command.occupant.player)
        is_in_play = self.table.status == "playing"
        if isinstance(command, GiveEntropy) or (
            isinstance(command, LeaveSeat) and is_in_play
        ):
            return By(player=self.table.seats[command.seat].player)
        return By(player=HOST)


def refusal(driver: Driver, command: Command) -> Refusal:
    """Why the command is refused; that it changes nothing is seen to."""
    before, lines = driver.table, len(driver.lines)
    with pytest.raises(Refusal) as caught:
        driver.do(command)
    assert driver.table == before
    assert len(driver.lines) == lines
    return caught.value
