"""The server itself: what it knows, whether it is well, what its problems mean."""

from importlib.metadata import version
from typing import Literal

from msgspec import Struct

from api.answers import Answer, answer, lasting
from api.bodies import LARGEST_BODY
from api.calls import LONGEST_KEY, Call
from api.operations import Operation
from api.problems import KINDS, ProblemKind
from domain.chain import timestamp
from domain.events import EVENT_TYPES
from domain.games import GAMES
from services.errors import NotFound


class Limits(Struct, frozen=True):
    """Bounds on what clients send: bytes of a body, characters of a key."""

    body: int
    idempotency_key: int


class MetaAnswer(Struct, frozen=True):
    """What this server is. `proofs` are the versions of what can be checked."""

    product: str
    version: str
    server_time: str
    games: dict[str, int]
    proofs: tuple[str, ...]
    event_types: tuple[str, ...]
    problem_codes: tuple[str, ...]
    limits: Limits
    registration: Literal["open", "closed"]


class HealthAnswer(Struct, frozen=True):
    """That all is well."""

    status: Literal["ok"]


async def read_meta(call: Call) -> Answer:
    """Read what this server is: versions, limits, time, event types, problem codes."""
    return answer(
        MetaAnswer(
            product="misere",
            version=version("misere"),
            server_time=timestamp(call.house.outside.now()),
            games={game.name: game.rules_version for game in GAMES.values()},
            proofs=("chain/1", "seal/1", "match/1", "deal/1"),
            event_types=tuple(EVENT_TYPES),
            problem_codes=tuple(KINDS),
            limits=Limits(body=LARGEST_BODY, idempotency_key=LONGEST_KEY),
            registration=call.house.settings.registration,
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
    return answer(HealthAnswer("ok"))


async def check_ready(call: Call) -> Answer:
    """Check that the server can do its work: its database answers."""
    await call.house.log.positions()
    return answer(HealthAnswer("ok"))


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
        method="GET", path="/health/live", handler=check_live, answer=HealthAnswer
    ),
    Operation(
        method="GET",
        path="/health/ready",
        handler=check_ready,
        answer=HealthAnswer,
    ),
)
