"""A request from its arrival to its answer: its id, its count, its line in the log.

A line is written for what fails, and with `MISERE_LOG=debug` for all. It says who asked
for nothing: no token, no query (which may hold an invite), no body, no address.
"""

import re
from collections.abc import Iterable
from secrets import token_hex
from time import perf_counter
from typing import Final

import structlog
from structlog.contextvars import bind_contextvars, get_contextvars

from api.answers import Header
from api.calls import Call
from api.operations import Operation

SENT: Final = b"x-request-id"

SANE: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")

FAILED: Final = 500

_log = structlog.get_logger()


class Visit:
    """A request to an operation, noted once it is answered."""

    def __init__(
        self, operation: Operation, call: Call, sent: Iterable[Header]
    ) -> None:
        """Begin to take the time; what is logged from now on has the request's id."""
        self.id = identify(sent)
        self._operation = operation
        self._call = call
        self._began = perf_counter()

    def ends(self, status: int, code: str | None) -> None:
        """Note the answer: its status, and where it is a problem its code."""
        seconds = perf_counter() - self._began
        operation, call = self._operation, self._call
        metrics = call.house.metrics
        metrics.answered(operation.id, operation.method, status, seconds)
        if operation.keyed:
            metrics.commanded(code or "accepted")
        say = _log.error if status >= FAILED else _log.debug
        say(
            "request",
            operation=operation.id,
            status=status,
            code=code,
            duration_ms=round(1000 * seconds, 3),
            table=call.named_table,
            command=call.command,
        )


def identify(sent: Iterable[Header]) -> str:
    """The id of a request: what its client calls it, if that is sane.

    Whatever is logged until the request has ended carries it.
    """
    named = [value for name, value in sent if name == SENT]
    if len(named) == 1 and SANE.fullmatch(named[0]):
        request = named[0].decode()
    else:
        request = token_hex(8)  # a number would tell how much others ask
    bind_contextvars(request=request)
    return request


def present() -> str | None:
    """The id of the request that is being answered."""
    return get_contextvars().get("request")
