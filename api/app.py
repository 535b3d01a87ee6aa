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

from api.answers import PRIVATE, Answer, Header
from api.calls import Call
from api.docs import reference
from api.house import House
from api.operations import Operation
from api.presenting import view_answer
from api.problems import CONFLICT, KINDS, BadRequest, Problem, problem
from api.routes import OPERATIONS
from domain.chain import canonical
from domain.errors import Refusal
from infra.logs import traced
from services import rights
from services.errors import Denied
from services.ports import StoreUnavailable
from services.snapshots import Snapshot

MEDIA: Final = "application/problem+json"

Obstacle: TypeAlias = Refusal | Denied | StoreUnavailable
"""What keeps a request from being carried out, and is told as a problem."""

FRAMEWORK_CODES: Final = {
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
}
"""What the framework itself refuses, by status; anything else it calls invalid."""

HEADERS: Final[dict[int, tuple[Header, ...]]] = {
    401: ((b"www-authenticate", b"Bearer"),),
    503: ((b"retry-after", b"1"),),
}
"""What the answers of a status say beside the problem."""

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
            ],
            expose_headers=["Retry-After"],
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
        call = Call(scope, receive, scope["litestar_app"].state.house)
        reply = await _reply(operations[scope["method"]], call)
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
        await call.identify()
        if operation.token:
            call.player()
        return await operation.handler(call)
    except (Refusal, Denied, StoreUnavailable) as why:
        obstacle = why
    try:
        return await _refused(call, obstacle)
    except StoreUnavailable as away:
        return _problem(problem(away))


async def _refused(call: Call, why: Obstacle) -> Answer:
    """The problem that stopped a request, with what the caller may see of the table."""
    if call.snapshot is None or isinstance(why, StoreUnavailable):
        return _problem(problem(why))
    snapshot = await call.house.tables.known(call.snapshot.table.id)
    view: Any = UNSET
    if KINDS[why.code].status == CONFLICT and _may_watch(call, snapshot):
        seen = await view_answer(call.house, snapshot, call.seat(snapshot))
        view = Raw(canonical(seen))
    return _problem(
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


def _problem(document: Problem) -> Answer:
    extra = HEADERS.get(document.status, ())
    return Answer(canonical(document), document.status, MEDIA, PRIVATE, *extra)


def _framework(_: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """What the framework refused before an operation was reached."""
    code = FRAMEWORK_CODES.get(error.status_code, "invalid-request")
    sent = {name.lower(): value for name, value in (error.headers or {}).items()}
    headers = {"Allow": sent["allow"]} if "allow" in sent else {}
    return _response(_problem(problem(BadRequest(code, KINDS[code].text))), headers)


def _unforeseen(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """A fault of ours: logged by its place and kind, for its words could name cards."""
    where = {"method": request.method, "path": request.url.path}
    _log.error("request failed", **where, **traced(error))
    return _response(
        _problem(problem(BadRequest("internal", "The server failed."))), {}
    )


def _response(answer: Answer, headers: dict[str, str]) -> Response[bytes]:
    """An answer in the form that the framework's exception handlers give it."""
    own = {name.decode(): value.decode() for name, value in answer.headers[1:]}
    body = answer.body if isinstance(answer.body, bytes) else b""
    return Response(
        body, status_code=answer.status, media_type=MEDIA, headers=own | headers
    )
