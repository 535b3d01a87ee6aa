"""The closed catalogue of problems (RFC 9457), and the documents made from it."""

from typing import Final

from msgspec import UNSET, Raw, Struct, UnsetType

from domain.errors import Fact, Refusal, RuleViolation
from domain.ids import TableId, Version
from services.errors import Denied
from services.ports import StoreUnavailable

CONFLICT: Final = 409


class ProblemKind(Struct, frozen=True):
    """A kind of problem. `retryable`: the same request may succeed later."""

    code: str
    status: int
    title: str
    text: str
    retryable: bool = False


class BrokenRule(Struct, frozen=True):
    """The rule that refused a move, and what it was held against."""

    id: str
    params: dict[str, Fact]


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong. `params` are the dynamic parts of `detail` as data.

    `table`, `version` and `head` say what the request met; a conflict (409) at a table
    that the caller may see has its present `view`.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    retryable: bool
    params: dict[str, Fact] | UnsetType = UNSET
    rule: BrokenRule | UnsetType = UNSET
    table: TableId | UnsetType = UNSET
    version: Version | UnsetType = UNSET
    head: str | UnsetType = UNSET
    view: Raw | UnsetType = UNSET


class BadRequest(Denied):
    """The request itself is wrong; `code` says how, `facts` where."""

    def __init__(self, code: str, text: str, **facts: Fact) -> None:
        super().__init__(text, **facts)
        self.code = code


KINDS: Final = {
    kind.code: kind
    for kind in (
        ProblemKind(
            "unauthenticated",
            401,
            "A token is needed",
            "The request needs a bearer token that is known here.",
        ),
        ProblemKind(
            "forbidden",
            403,
            "Not allowed",
            "The caller may know of this, but not do it.",
        ),
        ProblemKind(
            "registration-closed",
            403,
            "Registration is closed",
            "This server takes no new players.",
        ),
        ProblemKind(
            "not-found",
            404,
            "Not found",
            "There is no such thing, or the caller may not know of it.",
        ),
        ProblemKind(
            "method-not-allowed",
            405,
            "Method not allowed",
            "What is at this address does not take this method.",
        ),
        ProblemKind(
            "malformed-json",
            400,
            "Malformed JSON",
            "The body is not one JSON value, or repeats a key in an object.",
        ),
        ProblemKind(
            "invalid-request",
            400,
            "Invalid request",
            "A part of the request is not of the documented form.",
        ),
        ProblemKind(
            "too-large", 413, "Too large", "The body is larger than is taken here."
        ),
        ProblemKind(
            "unsupported-media-type",
            415,
            "Unsupported media type",
            "The body must be application/json.",
        ),
        ProblemKind(
            "stale-decision",
            409,
            "Stale decision",
            "The decision that the command names is not open.",
        ),
        ProblemKind(
            "not-your-turn", 409, "Not your turn", "The seat has no open decision."
        ),
        ProblemKind("seat-taken", 409, "Seat taken", "Somebody else has the seat."),
        ProblemKind("seat-empty", 409, "Seat empty", "Nobody has the seat."),
        ProblemKind(
            "already-seated",
            409,
            "Already seated",
            "The player has another seat at this table.",
        ),
        ProblemKind(
            "observing",
            409,
            "Observing",
            "The player looks at all cards of this table.",
        ),
        ProblemKind(
            "seats-not-filled",
            409,
            "Seats not filled",
            "The match cannot start while a seat is free.",
        ),
        ProblemKind(
            "match-started", 409, "Match started", "It is too late: the match is on."
        ),
        ProblemKind(
            "match-not-started",
            409,
            "Match not started",
            "It is too early: the match is not on.",
        ),
        ProblemKind("table-finished", 409, "Table finished", "The table is over."),
        ProblemKind(
            "table-not-finished",
            409,
            "Table not finished",
            "The table is not over yet.",
        ),
        ProblemKind("deal-not-over", 409, "Deal not over", "The deal is still on."),
        ProblemKind(
            "too-many-tables",
            409,
            "Too many tables",
            "The host has as many tables open or in play as are allowed.",
        ),
        ProblemKind(
            "seat-reserved", 403, "Seat reserved", "The seat is kept for somebody else."
        ),
        ProblemKind("unknown-seat", 404, "Unknown seat", "The table has no such seat."),
        ProblemKind(
            "rule-violation",
            422,
            "Against the rules",
            "A rule of the game forbids the move; `rule` says which.",
        ),
        ProblemKind(
            "invalid-table",
            422,
            "Invalid table",
            "The table cannot be made as asked; `params.field` says why not.",
        ),
        ProblemKind(
            "idempotency-key-reused",
            422,
            "Idempotency key reused",
            "The key was used before, for a request with other contents.",
        ),
        ProblemKind(
            "rate-limited",
            429,
            "Too many requests",
            "The caller asks for more than is allowed; `Retry-After` says when again.",
            retryable=True,
        ),
        ProblemKind(
            "busy",
            503,
            "Busy",
            "Too much at once; try the same request again.",
            retryable=True,
        ),
        ProblemKind(
            "store-unavailable",
            503,
            "Store unavailable",
            "The database did not answer; a keyed request may be sent again.",
            retryable=True,
        ),
        ProblemKind(
            "internal",
            500,
            "Internal error",
            "The server failed; it has noted where.",
            retryable=True,
        ),
    )
}
"""Every kind of problem, by its code."""


def address(code: str) -> str:
    """Where a kind of problem is described: its `type`."""
    return f"/v1/problems/{code}"


def problem(
    why: Refusal | Denied | StoreUnavailable,
    *,
    table: TableId | UnsetType = UNSET,
    version: Version | UnsetType = UNSET,
    head: str | UnsetType = UNSET,
    view: Raw | UnsetType = UNSET,
) -> Problem:
    """The document for what stopped a request."""
    code, text = "store-unavailable", "The database did not answer."
    params: dict[str, Fact] | UnsetType = UNSET
    rule: BrokenRule | UnsetType = UNSET
    if isinstance(why, RuleViolation):
        code, text = why.code, why.text
        rule = BrokenRule(why.rule, dict(why.facts))
    elif isinstance(why, Refusal | Denied):
        code, text = why.code, why.text
        params = dict(why.facts) or UNSET
    kind = KINDS[code]
    return Problem(
        type=address(code),
        title=kind.title,
        status=kind.status,
        detail=text,
        code=code,
        retryable=kind.retryable,
        params=params,
        rule=rule,
        table=table,
        version=version,
        head=head,
        view=view,
    )
