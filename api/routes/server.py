"""The server itself: what it knows, whether it is well, what its problems mean."""

import asyncio
from contextlib import suppress
from importlib.metadata import version
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import asdict

from api.answers import PRIVATE, Answer, answer, lasting, refusal
from api.bodies import LARGEST_BODY
from api.calls import LONGEST_KEY, Call
from api.operations import Operation
from api.problems import KINDS, Problem, ProblemKind, problem
from domain.chain import timestamp
from domain.events import EVENT_TYPES
from domain.games import GAMES
from domain.receipts import FORMAT as RECEIPT
from domain.receipts import SigningKey
from infra.metrics import MEDIA
from services.errors import Forbidden, NotFound
from services.ports import StoreUnavailable

LONGEST_LOOK: Final = 1.0
"""Seconds that looking at what the server stands on may take."""


class Limits(Struct, frozen=True):
    """Bounds on what clients send: bytes of a body, characters of a key.

    `requests` are those a minute of a token or an address, `live_tables` the tables of
    a host that are not over; null is any number.
    """

    body: int
    idempotency_key: int
    requests: int | None
    live_tables: int | None


class MetaAnswer(Struct, frozen=True):
    """What this server is. `proofs` are the versions of what can be checked.

    `signing_keys` are those that receipts are signed with, of all times.
    """

    product: str
    version: str
    server_time: str
    games: dict[str, int]
    proofs: tuple[str, ...]
    signing_keys: tuple[SigningKey, ...]
    event_types: tuple[str, ...]
    problem_codes: tuple[str, ...]
    limits: Limits
    registration: Literal["open", "closed"]


class LiveAnswer(Struct, frozen=True):
    """That the process answers."""

    status: Literal["ok"]


State = Literal["ok", "away"]


class ReadyAnswer(Struct, frozen=True):
    """That the server can do its work. Without Redis it can, only a second later."""

    ready: Literal[True]
    postgres: State
    redis: State


class NotReady(Problem, frozen=True, kw_only=True, omit_defaults=True):
    """The problem of a server that cannot do its work, and what of it is away."""

    ready: Literal[False]
    postgres: State
    redis: State


async def read_meta(call: Call) -> Answer:
    """Read what this server is: versions, limits, time, event types, problem codes."""
    settings = call.house.settings
    return answer(
        MetaAnswer(
            product="misere",
            version=version("misere"),
            server_time=timestamp(call.house.outside.now()),
            games={game.name: game.rules_version for game in GAMES.values()},
            proofs=("chain/1", "seal/1", "match/1", "deal/1", RECEIPT),
            signing_keys=await call.house.receipts.keys(),
            event_types=tuple(EVENT_TYPES),
            problem_codes=tuple(KINDS),
            limits=Limits(
                body=LARGEST_BODY,
                idempotency_key=LONGEST_KEY,
                requests=settings.requests_a_minute(),
                live_tables=settings.most_live_tables(),
            ),
            registration=settings.registration,
        )
    )


async def read_problem(call: Call) -> Answer:
    """Read what a kind of problem means: where a problem's type leads."""
    kind = KINDS.get(call.text("code"))
    if kind is None:
        raise NotFound("There is no such problem.")
    return lasting(kind)


async def check_live(_call: Call) -> Answer:
    """Check that the process answers."""
    return answer(LiveAnswer("ok"))


async def check_ready(call: Call) -> Answer:
    """Check that the server can do its work.

    Without its database it cannot, and the problem has the same fields. Without Redis
    it can, only that followers at other processes are told a second later. The look may
    be a second old.
    """
    seen = await call.house.readiness.look()
    postgres, redis = _state(seen["postgres"]), _state(seen["redis"])
    if seen["postgres"]:
        return answer(ReadyAnswer(ready=True, postgres=postgres, redis=redis))
    away = asdict(problem(StoreUnavailable()))
    return refusal(NotReady(**away, ready=False, postgres=postgres, redis=redis))


def _state(answers: bool) -> State:  # noqa: FBT001 - what was seen of a part
    return "ok" if answers else "away"


async def read_metrics(call: Call) -> Answer:
    """Read the server's counts, in the text format of Prometheus.

    For callers on the server's own machine, and for administrators from elsewhere.
    """
    if not (call.is_local or call.player().admin):
        raise Forbidden("The server's counts are for administrators.")
    house = call.house
    lag = float("nan")
    with suppress(StoreUnavailable, TimeoutError):
        async with asyncio.timeout(LONGEST_LOOK):
            lag = await house.projector.behind()
    house.metrics.behind(lag)
    counts = await asyncio.to_thread(house.metrics.text)
    return Answer(counts, 200, MEDIA, PRIVATE)


OPERATIONS = (
    Operation(method="GET", path="/v1/meta", handler=read_meta, answer=MetaAnswer),
    Operation(
        method="GET",
        path="/v1/problems/{code}",
        handler=read_problem,
        answer=ProblemKind,
        problems=("not-found",),
    ),
    Operation(
        method="GET",
        path="/health/live",
        handler=check_live,
        answer=LiveAnswer,
        quota="none",
    ),
    Operation(
        method="GET",
        path="/health/ready",
        handler=check_ready,
        answer=ReadyAnswer,
        quota="none",
    ),
    Operation(
        method="GET",
        path="/metrics",
        handler=read_metrics,
        answer=str,
        problems=("forbidden",),
        media=(MEDIA,),
        quota="none",
    ),
)
