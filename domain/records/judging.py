"""The second pass: each append is decided again, written again, and compared.

From its first event comes the command, from what was revealed what that hid. What had
to follow is put into the very bytes that had to be stored: where they are the recorded
ones, everything about the append is right, its seals and its spelling included.
"""

from collections.abc import Callable, Sequence
from typing import Final

from domain.adjudication import adjudicated, command_of
from domain.chain import moment, origin, timestamp
from domain.errors import Refusal
from domain.events import Event
from domain.ids import TableId
from domain.log import Circumstances, Kept, Line, follow, whole, write
from domain.records import telling
from domain.records.authority import may
from domain.records.opening import DealOpened, MatchOpened
from domain.records.report import Findings
from domain.records.spelling import Entry
from domain.table import Table

AFTER_THE_FIRST: Final = (
    "appends",
    "reveals",
    "deals",
    "rules",
    "scores",
    "result",
    "header",
)
JUDGED: Final = ("options", *AFTER_THE_FIRST)
"""The checks that cannot go on once an append is not what it had to be."""

COUNTED: Final = {
    "table_opened",
    "deal_started",
    "deal_scored",
    "deal_revealed",
    "match_revealed",
    "match_ended",
    "table_abandoned",
}
"""The events by which it is told how much was checked, beside the appends."""

WITH_A_SECOND: Final = {"seat_taken", "seat_resumed"}
"""First events of which the next one tells the rest of the command."""

Keep = Callable[[Sequence[Line]], None]
"""Takes the lines of an append, with what they hide, once they are found right."""


class Misjudged(Exception):
    """An append is not what it had to be: which check says so, where, and why."""

    def __init__(self, check: str, version: int, why: str) -> None:
        super().__init__(why)
        self.check = check
        self.version = version
        self.why = why


class Judge:
    """A table that is played again from its record, append by append."""

    def __init__(
        self, table: TableId, match: MatchOpened, findings: Findings, keep: Keep | None
    ) -> None:
        self.table: Table | None = None
        self.opened_at = ""
        self._id = table
        self._match = match
        self._head = origin(table)
        self._commands: set[int] = set()
        """Those that were seen, as numbers: as ids they would take twice the memory."""
        self._findings = findings
        self._keep = keep

    def judge(self, append: Sequence[Entry], deal: DealOpened | None) -> bool:
        """Play one more append, in which what `deal` tells was hidden.

        False where it is not what it had to be; then nothing more can be judged.
        """
        at = append[0].event.version
        try:
            self._play(append, deal)
        except Misjudged as wrong:
            self._findings.wrong(wrong.check, wrong.version, wrong.why)
        except Refusal as refusal:
            check, why = telling.refused(refusal)
            self._findings.wrong(check, at, why)
        except Exception:  # noqa: BLE001 - whatever a forger thought of, it is no play
            self._findings.wrong("rules", at, "This cannot happen at a table.")
        else:
            return True
        return False

    def _play(self, append: Sequence[Entry], deal: DealOpened | None) -> None:
        first = append[0].event
        at = moment(first.at)
        if timestamp(at) != first.at:
            raise Misjudged("appends", first.version, "This is no time.")
        if first.command.int in self._commands:
            why = "What this command brought about stood before."
            raise Misjudged("appends", first.version, why)
        self._commands.add(first.command.int)
        told = [self._whole(entry, deal) for entry in _telling(append)]
        if not may(first.by, command_of(told), self.table):
            raise Misjudged("appends", first.version, "Somebody else had to do this.")
        due = adjudicated(self._id, self.table, told, at)
        around = Circumstances(first.at, first.by, first.command)
        lines = write(self._id, self.table, self._head, due, around)
        self._compare(append, lines, deal)
        self.table = follow(self._id, self.table, due, at)
        self._head = lines[-1].hash
        self.opened_at = self.opened_at or first.at
        for line in lines:
            if line.type in COUNTED:
                self._findings.right(telling.check_of(line.type))
        self._findings.right("appends")
        self._findings.right("rules")
        if self._keep is not None:
            self._keep(lines)

    def _whole(self, entry: Entry, deal: DealOpened | None) -> Event:
        """The event with what it hides, as far as the command hangs on it."""
        event = entry.event
        hidden: Kept | None = None
        if event.type == "table_opened":
            secret, text = self._match.secret.hex(), self._match.arrangement
            hidden = Kept(secret=secret, body=text)
        elif event.type == "deal_started" and deal is not None:
            hidden = Kept(secret=deal.secret.hex())
        elif event.type == "cards_passed" and deal is not None:
            hidden = Kept(body=deal.texts[event.version])
        return whole(event, hidden)

    @staticmethod
    def _compare(
        append: Sequence[Entry], lines: Sequence[Line], deal: DealOpened | None
    ) -> None:
        for entry, line in zip(append, lines, strict=False):
            if entry.body != line.body:
                raise Misjudged(
                    *telling.difference(entry, line, deal.texts if deal else {})
                )
        if len(append) > len(lines):
            raise Misjudged(*telling.surplus(append[len(lines)]))
        if len(lines) > len(append):
            raise Misjudged(*telling.missing(lines[len(append)]))


def _telling(append: Sequence[Entry]) -> list[Entry]:
    """The events that tell the command, and what was given to it."""
    count = 2 if append[0].event.type in WITH_A_SECOND else 1
    begun = [it for it in append[count:] if it.event.type == "deal_started"]
    return [*append[:count], *begun]
