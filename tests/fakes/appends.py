"""Appends for tests that do not care what their events say."""

from collections.abc import Mapping
from uuid import UUID, uuid4

from domain.chain import link, origin
from domain.ids import CommandId, Hash, TableId, Version
from domain.log import Line
from services.ports import NewAppend

REQUEST = Hash(bytes(32))


class Chain:
    """A table as its writer knows it: version and head, and how to go on from there."""

    def __init__(self, table: UUID | None = None) -> None:
        """Begin a table that has no event yet."""
        self.table = TableId(table or uuid4())
        self.version = Version(0)
        self.head = origin(self.table)

    def propose(
        self,
        *bodies: bytes,
        command: UUID | None = None,
        request: Hash = REQUEST,
        secrets: Mapping[int, bytes] | None = None,
    ) -> NewAppend:
        """An append of events with these bodies; `secrets` by place in it, from 0."""
        events, at = [], self.head
        for place, body in enumerate(bodies or (b"{}",)):
            at = link(at, body)
            version = Version(self.version + place + 1)
            events.append(Line(version, "noted", body, at, (secrets or {}).get(place)))
        return NewAppend(
            table=self.table,
            expected=self.version,
            prev=self.head,
            head=at,
            command=CommandId(command or uuid4()),
            request=request,
            events=tuple(events),
        )

    def follow(self, append: NewAppend) -> None:
        """Move on past an append that was stored."""
        self.version = Version(append.expected + len(append.events))
        self.head = append.head
