"""Events as a viewer may have them: stored bytes, links, and what they open."""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain import log as lines
from domain.chain import origin
from domain.ids import Seat, TableId, Version
from domain.views import OPENING, opens
from services.ports import EventLog, StoredEvent

_kept: Final = msgspec.json.Decoder(lines.Kept)


class Showing:
    """Reads the log for viewers."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def events(
        self, table: TableId, after: Version, limit: int, seat: Seat | None
    ) -> list[bytes]:
        """The events above a version as the seat, or the public, may have them."""
        stored = await self._log.read(table, Version(max(after - 1, 0)), limit + 1)
        previous = origin(table)
        if after > 0:
            if not stored:
                return []
            previous, stored = stored[0].hash, stored[1:]
        opened = {} if seat is None else await self._opened(table, stored, seat)
        shown = []
        for event in stored[:limit]:
            mine = opened.get(event.version, ())
            shown.append(lines.served(event.body, previous, event.hash, mine))
            previous = event.hash
        return shown

    async def _opened(
        self, table: TableId, stored: Sequence[StoredEvent], seat: Seat
    ) -> dict[Version, tuple[lines.Opens, ...]]:
        """What each event opens for the seat."""
        wanted = {
            event.version: opens(lines.public_event(event.body), seat)
            for event in stored
            if event.type in OPENING
        }
        versions = [version for some in wanted.values() for version in some]
        if not versions:
            return {}
        kept = await self._log.secrets(table, min(versions), max(versions))
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
