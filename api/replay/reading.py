"""A record's file as scenes."""

from typing import Final

from msgspec.json import Decoder

from api.record_file import Unreadable, entries
from domain.log import PublicEvent
from domain.scenes import Scene, scenes


def scenes_of(record: bytes) -> list[Scene]:
    """The scenes of a record; whether it is genuine is not asked here.

    Raises:
        Unreadable: they cannot be made from it.
    """
    events = entries(record)
    try:
        found = scenes(map(_event.decode, events))
    except Exception:  # noqa: BLE001 - the rules fold nonsense till something breaks
        found = []
    if not found:
        raise Unreadable("This is no record that can be played back.")
    return found


_event: Final = Decoder(PublicEvent)
