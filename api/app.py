"""The HTTP face: every operation under its address, every fault as a problem."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import starmap
from typing import Any, Final, TypeAlias, cast

import structlog
from litestar import Litestar, Request, Response
from litestar.config.cors import CORSConfig
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, HTTPScope, Receive, Send
from msgspec import UNSET, Raw

from api.answers import PROBLEM, Answer, refusal
from api.calls import Call
from api.docs import reference
from api.house import House
from api.limits import Kind, RateLimited
from api.operations import Operation
from api.presenting import view_answer
from api.problems import CONFLICT, KINDS, BadRequest, problem
from api.routes import OPERATIONS
from api.visits import FAILED, SENT, Visit, identify, present
from domain.chain import canonical
from domain.errors import Refusal
from infra.logs import traced
from services import rights
from services.errors import Denied, Unauthenticated
from services.ports import StoreUnavailable
from services.snapshots import Snapshot

Obstacle: TypeAlias = Refusal | Denied | StoreUnavailable
"""What keeps a request from being carried out, and is told as a problem."""

FRAMEWORK_CODES: Final = {
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
}
"""What the framework itself refuses, by status; anything else it calls invalid."""

_log = structlog.get_logger()


def application(
    house: Callable[[], AbstractAsyncContextManager[House]], origins: list[str]
) -> Litestar:
    """The server over a house that is opened when it starts, closed when it stops."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        try:
            async with house() as app.state.house:
                yield
        except Exception as fault:
            _log.error("the server does not go on", **traced(fault))
            raise

    return Litestar(
        route_handlers=[*_routes(OPERATIONS), *reference(OPERATIONS)],
        lifespan=[lifespan],
        cors_config=CORSConfig(
            allow_origins=origins,
            allow_headers=[
                "Authorization",
                "Content-Type",
                "Idempotency-Key",
                "Last-Event-ID",
                "X-Request-Id",
            ],
            expose_headers=[
                "RateLimit",
                "RateLimit-Policy",
                "Retry-After",
                "X-Request-Id",
            ],
        )
        if origins
        else None,
        exception_handlers={HTTPException: _framework, Exception: _unforeseen},
        openapi_config=None,
        logging_config=None,
    )


def _routes(operations: Iterable[Operation]) -> Iterator[HTTPRouteHandler]:
    """A handler for each address: OPTIONS then tells all methods that it takes."""
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    return starmap(_route, by_path.items())


def _route(path: str, operations: Mapping[str, Operation]) -> HTTPRouteHandler:
    """The operations at an address, where the framework finds them.

    They answer before the framework handles the request itself, as a middleware may:
    what it would do for a request costs more than a play, and nothing of it is used.
    """

    async def answering(scope: HTTPScope, receive: Receive, send: Send) -> None:
        operation = operations[scope["method"]]
        call = Call(scope, receive, scope["litestar_app"].state.house)
        visit = Visit(operation, call, scope["headers"])
        try:
            reply = await _reply(operation, call)
        except Exception:
            visit.ends(FAILED, "internal")
            raise
        visit.ends(reply.status, reply.code)
        reply.headers += (SENT, visit.id.encode()), *call.allowance
        try:
            await reply(scope, receive, send)
        except Exception as fault:  # noqa: BLE001 - too late to tell it as a problem
            _log.error("an answer was cut short", path=scope["path"], **traced(fault))

    def instead(app: ASGIApp) -> ASGIApp:  # noqa: ARG001 - nothing gets past
        return cast("ASGIApp", answering)

    @HTTPRouteHandler(
        path=path.replace("}", ":str}"),
        http_method=[operation.method for operation in operations.values()],
        status_code=200,  # each answer brings its own
        middleware=[instead],
    )
    async def unreached() -> None: ...

    return unreached


async def _reply(operation: Operation, call: Call) -> Answer:
    """What an operation answers, or the problem that it met."""
    try:
        await _admit(operation, call)
        if operation.token:
            call.player()
        return await operation.handler(call)
    except (Refusal, Denied, StoreUnavailable) as why:
        obstacle = why
    try:
        return await _refused(call, obstacle)
    except StoreUnavailable as away:
        return refusal(problem(away))


async def _admit(operation: Operation, call: Call) -> None:
    """Find out who calls, and whether they may ask for more.

    A token that is not known counts against the address it is sent from.
    """
    try:
        await call.identify()
    except Unauthenticated:
        _charge(operation.quota, call)
        raise
    _charge(operation.quota, call)


def _charge(kind: Kind, call: Call) -> None:
    """Take a request off its quota; the answer tells what is left of it.

    Raises:
        RateLimited: it is one too many.
    """
    limits = call.house.limits
    if limits is None:
        return
    try:
        call.allowance = limits.charge(kind, call.asking(kind))
    except RateLimited as limited:
        call.allowance = limited.allowance
        raise


async def _refused(call: Call, why: Obstacle) -> Answer:
    """The problem that stopped a request, with what the caller may see of the table."""
    if call.snapshot is None or isinstance(why, StoreUnavailable):
        return refusal(problem(why))
    snapshot = await call.house.tables.known(call.snapshot.table.id)
    view: Any = UNSET
    if KINDS[why.code].status == CONFLICT and _may_watch(call, snapshot):
        seen = await view_answer(call.house, snapshot, call.seat(snapshot))
        view = Raw(canonical(seen))
    return refusal(
        problem(
            why,
            table=snapshot.table.id,
            version=snapshot.table.version,
            head=snapshot.head.hex(),
            view=view,
        )
    )


def _may_watch(call: Call, snapshot: Snapshot) -> bool:
    try:
        rights.watch(snapshot.table, call.caller)
    except Denied:
        return False
    return True


def _framework(
    request: Request[Any, Any, Any], error: HTTPException
) -> Response[bytes]:
    """What the framework refused before an operation was reached."""
    identify(request.scope["headers"])
    house: House = request.app.state.house
    house.metrics.unmatched.inc()
    call = Call(request.scope, request.receive, house)
    code = FRAMEWORK_CODES.get(error.status_code, "invalid-request")
    why: Denied = BadRequest(code, KINDS[code].text)
    try:
        _charge("requests", call)
    except RateLimited as limited:
        why = limited
    sent = {name.lower(): value for name, value in (error.headers or {}).items()}
    headers = {"Allow": sent["allow"]} if "allow" in sent else {}
    headers |= {name.decode(): value.decode() for name, value in call.allowance}
    return _response(refusal(problem(why)), headers)


def _unforeseen(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """A fault of ours: logged by its place and kind, for its words could name cards."""
    where = {"method": request.method, "path": request.url.path}
    _log.error("request failed", **where, **traced(error))
    return _response(refusal(problem(BadRequest("internal", "The server failed."))), {})


def _response(answer: Answer, headers: dict[str, str]) -> Response[bytes]:
    """An answer in the form that the framework's exception handlers give it."""
    own = {name.decode(): value.decode() for name, value in answer.headers[1:]}
    own["X-Request-Id"] = present() or ""
    body = answer.body if isinstance(answer.body, bytes) else b""
    return Response(
        body, status_code=answer.status, media_type=PROBLEM, headers=own | headers
    )
