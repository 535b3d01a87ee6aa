"""What the ports' callers see of a database's faults: their kind, never their words.

A driver's message or a server's detail can quote the values of a query, and some of
them are cards. So faults are told apart by their SQLSTATE here, and what is raised is a
new exception, which carries the driver's neither as cause nor as context.
"""

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

import asyncpg

from services.ports import BrokenBatch, StoreUnavailable

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

FAULTS: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,  # among them every timeout
)

TWICE: Final = "MS002"
UNCHAINED: Final = "MS003"

VALUE_CLASSES: Final = ("22", "23")
"""SQLSTATE classes of values that do not fit a type or a constraint."""


def sheltered(
    method: Callable[Given, Awaitable[Answer]],
) -> Callable[Given, Coroutine[Any, Any, Answer]]:
    """Make a method raise the faults of `services.ports` in place of the driver's."""

    @wraps(method)
    async def call(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        try:
            return await method(*args, **kwargs)
        except FAULTS as error:
            fault = _translated(error)
        # Outside the handler, so that the driver's error is not even its context.
        raise fault

    return call


def _translated(error: Exception) -> BrokenBatch | StoreUnavailable:
    if isinstance(error, asyncpg.PostgresError):
        return _by_state(str(error.sqlstate))
    if isinstance(error, ValueError):  # the driver could not encode an argument
        return BrokenBatch("a value does not fit the store")
    if isinstance(error, TimeoutError):
        return StoreUnavailable("the store did not answer in time")
    return StoreUnavailable("the store could not be reached")


def _by_state(state: str) -> BrokenBatch | StoreUnavailable:
    if state == TWICE:
        return BrokenBatch("a table stands twice in one batch")
    if state == UNCHAINED:
        return BrokenBatch("an append does not follow its chain")
    if state.startswith(VALUE_CLASSES):
        return BrokenBatch(f"the store refused a value (SQLSTATE {state})")
    return StoreUnavailable(f"the store failed (SQLSTATE {state})")
