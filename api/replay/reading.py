"""A record as scenes."""

from collections.abc import Iterable

from api.record_file import events_in
from domain.log import public_event
from domain.records import NotARecord
from domain.scenes import Scene, scenes


def scenes_of(lines: Iterable[bytes]) -> list[Scene]:
    """The scenes of a record; whether it is genuine is not asked here.

    Raises:
        NotARecord: they cannot be made from it.
    """
    bodies = [event.body for event in events_in(lines)]
    try:
        found = scenes(map(public_event, bodies))
    except Exception:  # noqa: BLE001 - the rules fold nonsense till something breaks
        found = []
    if not found:
        raise NotARecord("It cannot be played back.")
    return found
