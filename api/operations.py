"""An operation of the API: declared once, for the router and for the document."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct

from api.limits import Kind

if TYPE_CHECKING:
    from api.answers import Answer
    from api.calls import Call

Handler: TypeAlias = "Callable[[Call], Awaitable[Answer]]"


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What can be asked at an address, and what comes back.

    `answer` is the type of a success's body, `body` that of the request's, `query` a
    struct of the parameters. `token` says that a token is needed, `keyed` that an
    Idempotency-Key is taken. `problems` are the codes that this operation adds to those
    which follow from the rest. `takes` are the media types that a body may have,
    `media` those of the answer. `quota` is the one that its requests are taken off.
    """

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    handler: Handler
    answer: Any = None
    status: int = 200
    query: type[Struct] | None = None
    body: Any = None
    token: bool = False
    keyed: bool = False
    problems: tuple[str, ...] = ()
    takes: tuple[str, ...] = ("application/json",)
    media: tuple[str, ...] = ("application/json",)
    quota: Kind = "requests"

    @cached_property
    def id(self) -> str:
        """The operation's id, from the handler's name: `sendCommand`."""
        first, *rest = self.handler.__name__.split("_")
        return first + "".join(word.capitalize() for word in rest)

    @property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return self._documented[0].removesuffix(".")

    @property
    def text(self) -> str:
        """The rest of the handler's docstring, each paragraph on a line."""
        paragraphs = self._documented[2].strip().split("\n\n")
        return "\n\n".join(" ".join(part.split()) for part in paragraphs)

    @property
    def parameters(self) -> list[str]:
        """The names in the path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def _documented(self) -> tuple[str, str, str]:
        return (self.handler.__doc__ or "").partition("\n\n")
