"""Why a use case does not go on, where it is not a refusal of the rules.

Denied
├── Unauthenticated     no token, or one that is not known
├── NotFound            there is no such thing, or the caller may not know of it
├── Forbidden           the caller may know of it, but not do this
├── SeatReserved        the seat is kept for somebody else
├── TooManyTables       the host has as many as may be on
├── KeyReused           the idempotency key stands for another request
└── Busy                too much at once; the same request may succeed later
"""

from collections.abc import Mapping

from domain.errors import Fact


class Denied(Exception):
    """A request is not carried out. `code` is stable, the text is for people.

    `facts` are the dynamic parts of the text.
    """

    code: str

    def __init__(self, text: str, **facts: Fact) -> None:
        super().__init__(text)
        self.text = text
        self.facts: Mapping[str, Fact] = facts


class Unauthenticated(Denied):
    """No token, or one that is not known."""

    code = "unauthenticated"


class NotFound(Denied):
    """There is no such thing, or the caller may not know of it."""

    code = "not-found"


class Forbidden(Denied):
    """The caller may know of it, but not do this."""

    code = "forbidden"


class SeatReserved(Denied):
    """The seat is kept for somebody else."""

    code = "seat-reserved"


class TooManyTables(Denied):
    """The host has as many tables open or in play as are allowed."""

    code = "too-many-tables"


class KeyReused(Denied):
    """The idempotency key was used before, for a request with other contents."""

    code = "idempotency-key-reused"


class Busy(Denied):
    """Too much at once; the same request may succeed later."""

    code = "busy"
