"""Events as a viewer may have them: stored bytes, links, and what they open."""

from collections.abc import AsyncGenerator
from typing import Final

import msgspec

from domain import log as lines
from domain.ids import Seat, Version
from domain.proofs import TELLING, DealProof, deal_proof
from domain.records import begin, end
from domain.views import OPENING, opens
from services.errors import NotFound
from services.facts import facts
from services.ports import EventLog, Slice
from services.slices import read_slice
from services.snapshots import PAGE, Snapshot

_kept: Final = msgspec.json.Decoder(lines.Kept)


class Showing:
    """Shows the log to viewers."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def events(
        self, snapshot: Snapshot, after: Version, limit: int, seat: Seat | None
    ) -> list[bytes]:
        """The events above a version as the seat, or the public, may have them.

        They end where the snapshot does: further on the seat may be somebody else's.
        """
        limit = min(limit, snapshot.table.version - after)
        if limit <= 0:
            return []
        run = await read_slice(self._log, snapshot.table.id, after, limit)
        return await self.shown(run, seat)

    async def record(self, snapshot: Snapshot) -> AsyncGenerator[bytes]:
        """The record of a table that is over, in portions of whole lines."""
        lines = begin(facts(snapshot)) + b"\n"
        async for events in self.all(snapshot):
            yield lines + b"\n".join(events) + b"\n"
            lines = b""
        yield end(snapshot.head, snapshot.table.version) + b"\n"

    async def all(self, snapshot: Snapshot) -> AsyncGenerator[list[bytes]]:
        """All events of a table as the public may have them, a page at a time."""
        for after in range(0, snapshot.table.version, PAGE):
            yield await self.events(snapshot, Version(after), PAGE, None)

    async def shown(self, run: Slice, seat: Seat | None) -> list[bytes]:
        """A run of events as the seat, or the public where it is None, may have it."""
        opened = {} if seat is None else await self._opened(run, seat)
        shown, previous = [], run.before
        for event in run.events:
            mine = opened.get(event.version, ())
            shown.append(lines.served(event.body, previous, event.hash, mine))
            previous = event.hash
        return shown

    async def proof(self, snapshot: Snapshot, deal: int) -> DealProof:
        """How a deal was dealt, once it is over.

        Raises:
            NotFound: the table has had no such deal.
            DealIsNotOver: the deal is on.
        """
        table = snapshot.table
        if table.started is None or not 1 <= deal <= table.started.deal:
            raise NotFound("The table has had no such deal.")
        telling: list[lines.PublicEvent] = []
        for after in range(0, table.version, PAGE):
            limit = min(PAGE, table.version - after)
            page = await self._log.read(table.id, Version(after), limit)
            told = (line.body for line in page if line.type in TELLING)
            telling.extend(map(lines.public_event, told))
        return deal_proof(telling, deal)

    async def _opened(
        self, run: Slice, seat: Seat
    ) -> dict[Version, tuple[lines.Opens, ...]]:
        """What each event opens for the seat."""
        wanted = {
            event.version: opens(lines.public_event(event.body), seat)
            for event in run.events
            if event.type in OPENING
        }
        versions = [version for some in wanted.values() for version in some]
        if not versions:
            return {}
        kept = await self._log.secrets(run.table, min(versions), max(versions))
        return {
            at: tuple(_opens(version, kept[version]) for version in some)
            for at, some in wanted.items()
        }


def _opens(version: Version, kept: bytes) -> lines.Opens:
    hidden = _kept.decode(kept)
    if hidden.salt is None or hidden.body is None:
        msg = "nothing is sealed at that version"
        raise LookupError(msg)
    return lines.Opens(version, hidden.salt, hidden.body)
