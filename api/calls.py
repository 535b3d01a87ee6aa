"""One request as the handlers see it: who calls, at which table, asking what.

The order of its methods in a handler is the order of the errors: the caller (401), the
table and the right to it (404, 403), then what was sent (400, 413, 415).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeVar
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.datastructures import MultiDict
from litestar.types import HTTPScope, Receive
from msgspec import Struct
from msgspec.json import Decoder

from api.bodies import decode, decode_query, hand_on, media_of, read_body
from api.house import House
from api.limits import Allowance, Asking, Kind
from api.problems import BadRequest
from api.shapes import Body
from domain.chain import canonical
from domain.ids import CommandId, Seat, TableId, Version
from infra.addresses import is_loopback, site
from services import rights
from services.errors import Denied, NotFound, Unauthenticated
from services.identity import Request, derived_table, request_of
from services.ports import Player
from services.rights import Caller, Right
from services.snapshots import Snapshot

T = TypeVar("T")
Query = TypeVar("Query", bound=Struct)

LONGEST_KEY: Final = 64


_uuid = lru_cache(maxsize=65_536)(UUID)
"""Parsing an id costs more than remembering it."""


class Nothing(Body, frozen=True):
    """The body of a request that needs none."""


_nothing: Final = Decoder(Nothing)


class Call:
    """A request to an operation."""

    def __init__(self, scope: HTTPScope, receive: Receive, house: House) -> None:
        self.house = house
        self.snapshot: Snapshot | None = None
        self.caller = Caller(None)
        self.command: CommandId | None = None
        """That of the request, once it is known."""
        self.allowance: Allowance = ()
        """The fields that tell the caller how many more requests may come."""
        self._scope = scope
        self._receive = receive

    @property
    def token(self) -> str | None:
        """The bearer token that was sent."""
        header = self._header(b"authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.isascii() or not token:
            raise Unauthenticated("The Authorization header is not a bearer token.")
        return token.strip()

    async def identify(self) -> None:
        """Find out who calls.

        Raises:
            Unauthenticated: the token is not known.
        """
        token = self.token
        if token is not None:
            player = await self.house.accounts.authenticate(token)
            self.caller = Caller(player, invited=self.caller.invited)

    def player(self) -> Player:
        """The caller, who must have shown a token."""
        return rights.player(self.caller)

    @property
    def name(self) -> str:
        """What tells callers apart: the player, or the address where there is none."""
        if self.caller.player is not None:
            return str(self.caller.player.id)
        return self.address

    def text(self, name: str) -> str:
        """A part of the path."""
        return str(self._scope["path_params"][name])

    def id(self, name: str) -> UUID:
        """An id in the path; what is not an id is not found."""
        try:
            return _uuid(self.text(name))
        except ValueError:
            raise NotFound("There is no such thing.") from None

    @property
    def named_table(self) -> UUID | None:
        """The table in the path, if it is an id."""
        try:
            return _uuid(self._scope["path_params"]["table"])
        except (KeyError, ValueError):
            return None

    @property
    def address(self) -> str:
        """Where the caller is: an IPv4 address, or the site of an IPv6 address."""
        return site(self._host)

    @property
    def is_local(self) -> bool:
        """Whether the caller is on this machine, and not there for somebody else."""
        return is_loopback(self._host) and not self._values(b"x-forwarded-for")

    def asking(self, kind: Kind) -> Asking:
        """Who asks for something of that kind, for quotas to go by."""
        return Asking(
            player=self.caller.id,
            address=self.address,
            is_admin=self.caller.is_admin,
            is_resumed=kind == "stream" and self._is_resumed(),
        )

    def _is_resumed(self) -> bool:
        """Whether it takes up a stream that was cut off."""
        return bool(self._values(b"last-event-id")) or "after" in self._parameters()

    def number(self, name: str, most: int) -> int:
        """A number in the path; what is not one, or too great, is not found."""
        text = self.text(name)
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
            raise NotFound("There is no such thing.")
        return int(text)

    def seat_number(self) -> Seat:
        """The seat in the path."""
        return Seat(self.number("seat", most=99))

    def table_id(self) -> TableId:
        """The table in the path."""
        return TableId(self.id("table"))

    async def table(
        self, right: Right, *, current: bool = False, invite: str | None = None
    ) -> Snapshot:
        """The table in the path, where the caller has that right to it.

        What this process knows of the table is enough to let the caller in, but not to
        turn them away; `current` asks for all that was stored before this call.
        """
        table = self.table_id()
        tables = self.house.tables
        snapshot = await (tables.current(table) if current else tables.known(table))
        await self._invited(snapshot, invite)
        try:
            right(snapshot.table, self.caller)
        except Denied:
            snapshot = await tables.current(table)
            right(snapshot.table, self.caller)
        self.snapshot = snapshot
        return snapshot

    async def _invited(self, snapshot: Snapshot, invite: str | None) -> None:
        """See whether the caller shows a private table's invite."""
        if snapshot.table.opened.visibility != "private":
            return
        table = snapshot.table.id
        shown = invite or self._parameters().get("invite")
        notes = await self.house.notes.get([table]) if shown else {}
        real = notes[table].invite if table in notes else None
        if rights.same_invite(shown, real):
            self.caller = Caller(self.caller.player, invited=True)

    def seat(self, snapshot: Snapshot) -> Seat | None:
        """The seat through whose eyes the caller sees the table."""
        return rights.seat_of(snapshot.table, self.caller)

    def query(self, kind: type[Query]) -> Query:
        """The parameters after the question mark, but for the invite to a table."""
        sent = self._parameters()
        if "table" in self._scope["path_params"]:
            sent.popall("invite", None)
        return decode_query(list(sent.items()), kind)

    def last_event(self) -> Version | None:
        """The version up to which a client that was cut off has been told."""
        sent = self._header(b"last-event-id")
        if not sent:
            return None
        if not (sent.isascii() and sent.isdigit() and len(sent) <= len(str(2**53))):
            raise BadRequest(
                "invalid-request",
                "The Last-Event-ID is not a version.",
                field="header.Last-Event-ID",
            )
        return Version(int(sent))

    async def raw(self) -> bytes:
        """The body's bytes."""
        kind = self._header(b"content-type") or ""
        return await read_body(self._receive, kind)

    def media(self, *accepted: str) -> str:
        """Which of the accepted media types the body is said to have."""
        return media_of(self._header(b"content-type") or "", *accepted)

    async def body_into(self, take: Callable[[bytes], object], largest: int) -> None:
        """Give the parts of a body to `take` as they come, so many bytes at most."""
        await hand_on(self._receive, take, largest)

    async def body(self, kind: Decoder[T]) -> T:
        """The body as a value of that kind."""
        return decode(await self.raw(), kind)

    async def no_body(self) -> None:
        """Refuse a body that says anything."""
        await self.body(_nothing)

    def accepts(self, media: str) -> bool:
        """Whether the client asked for that media type by name."""
        return media in (self._header(b"accept") or "")

    def identity(self, contents: object = None) -> Request:
        """What makes this request the same when it is sent again with its key."""
        key = self._key()
        request = (
            self.house.outside.request()
            if key is None
            else request_of(
                self.player().id.bytes, self._route, key, contents=canonical(contents)
            )
        )
        self.command = request.command
        return request

    def check_key(self) -> None:
        """Refuse a key that is none, where the request would be the same without."""
        self._key()

    def new_table(self) -> TableId:
        """The id of a table that this request makes, the same for the same key."""
        key = self._key()
        if key is None:
            return TableId(self.house.outside.new_id())
        return derived_table(self.player().id.bytes, self._route, key)

    def _parameters(self) -> MultiDict[str]:
        return ASGIConnection[Any, Any, Any, Any](self._scope).query_params

    def _header(self, name: bytes) -> str | None:
        """A header's value; what is sent more than once is a list (RFC 9110, 5.3)."""
        values = self._values(name)
        return ", ".join(values) if values else None

    def _values(self, name: bytes) -> list[str]:
        headers = self._scope["headers"]
        return [value.decode("latin-1") for sent, value in headers if sent == name]

    @property
    def _host(self) -> str:
        client = self._scope["client"]
        return client[0] if client else ""

    @property
    def _route(self) -> str:
        return f"{self._scope['method']} {self._scope['path']}"

    def _key(self) -> str | None:
        keys = self._values(b"idempotency-key")
        if len(keys) > 1 or not all(1 <= len(key) <= LONGEST_KEY for key in keys):
            raise BadRequest(
                "invalid-request",
                f"One Idempotency-Key may be sent, of 1 to {LONGEST_KEY} characters.",
                field="header.Idempotency-Key",
            )
        return keys[0] if keys else None
