"""What the rules forbid. A refusal leaves no trace at the table.

Refusal
├── RuleViolation       a rule of the game, named by its id
├── InvalidTable        a table that cannot be made as asked
├── StaleDecision       the decision named is not the open one
├── NotYourTurn         the seat has no open decision
├── UnknownSeat         the table has no such seat
├── SeatIsTaken         somebody else has the seat
├── SeatIsEmpty         nobody has the seat
├── AlreadySeated       the player has another seat at this table
├── Observes            the player looks at all cards of this table
├── SeatsNotFilled      the match cannot start before every seat is taken
├── MatchHasStarted     too late: the match has started
├── MatchHasNotStarted  too early: the match has not started
├── TableIsOver         the table is finished or abandoned
├── TableIsNotOver      the table is still open or in play
└── DealIsNotOver       the deal is still on
"""

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

Fact: TypeAlias = str | int | bool | list[str] | None


class Refusal(Exception):
    """A command was refused. `code` is stable; `facts` are its dynamic parts."""

    code: ClassVar[str]

    def __init__(self, text: str, **facts: Fact) -> None:
        super().__init__(text)
        self.text = text
        self.facts: Mapping[str, Fact] = facts


class RuleViolation(Refusal):
    """A move breaks a rule: `rule` is its id, `facts` what it was held against."""

    code = "rule-violation"

    def __init__(self, rule: str, text: str, **facts: Fact) -> None:
        super().__init__(text, **facts)
        self.rule = rule


class InvalidTable(Refusal):
    """The table cannot be made as asked: `facts["field"]` says where to look."""

    code = "invalid-table"


class StaleDecision(Refusal):
    """The command answers a decision that is no longer, or never was, open."""

    code = "stale-decision"


class NotYourTurn(Refusal):
    """The seat has no open decision."""

    code = "not-your-turn"


class UnknownSeat(Refusal):
    """The table has no such seat."""

    code = "unknown-seat"


class SeatIsTaken(Refusal):
    """Somebody else has the seat."""

    code = "seat-taken"


class SeatIsEmpty(Refusal):
    """Nobody has the seat."""

    code = "seat-empty"


class AlreadySeated(Refusal):
    """The player has another seat at this table."""

    code = "already-seated"


class Observes(Refusal):
    """The player looks at all cards of this table, and cannot play at it."""

    code = "observing"


class SeatsNotFilled(Refusal):
    """The match cannot start before every seat is taken."""

    code = "seats-not-filled"


class MatchHasStarted(Refusal):
    """Too late: the match has started."""

    code = "match-started"


class MatchHasNotStarted(Refusal):
    """Too early: the match has not started."""

    code = "match-not-started"


class TableIsOver(Refusal):
    """The table is over, finished or abandoned."""

    code = "table-finished"


class TableIsNotOver(Refusal):
    """The table is still open or in play."""

    code = "table-not-finished"


class DealIsNotOver(Refusal):
    """The deal is still on."""

    code = "deal-not-over"
