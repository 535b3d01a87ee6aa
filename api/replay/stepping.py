"""Going through scenes with the keys of a terminal."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console, Group, RenderableType
from rich.control import Control

from api.replay.drawing import drawn
from api.replay.faces import Faces
from api.replay.keys import keyboard
from domain.ids import Seat
from domain.scenes import Scene

HELP: Final = "n/p scene, t/T trick, d/D deal, 0-9 seat, o open, q quit"


class Place(Struct, frozen=True):
    """Which scene is looked at, and through whose eyes; all is open where None."""

    scene: int = 0
    eyes: Seat | None = None


def after(key: str, place: Place, scenes: Sequence[Scene]) -> Place:
    """The place that a key leads to; an unknown key, or none, leads nowhere."""
    seats = len(scenes[0].table.seats)
    if key.isascii() and key.isdigit() and int(key) < seats:
        return replace(place, eyes=Seat(int(key)))
    if key == "o":
        return replace(place, eyes=None)
    go = _GOING.get(key)
    if go is None:
        return place
    last = len(scenes) - 1
    return replace(place, scene=min(max(go(scenes, place.scene), 0), last))


def step_through(console: Console, scenes: Sequence[Scene], place: Place) -> None:
    """Show scenes as the keys ask for them, until they ask for the end."""
    faces = Faces(plain=console.options.ascii_only)

    def shown() -> RenderableType:
        head = f"Scene {place.scene + 1} of {len(scenes)}. {HELP}\n"
        scene = scenes[place.scene]
        usual = Group(head, drawn(scene, place.eyes, faces))
        if len(console.render_lines(usual, pad=False)) <= console.height:
            return usual
        # What does not fit is cut off below, where it may not be the news.
        return Group(head, drawn(scene, place.eyes, faces, news_first=True))

    def show() -> None:
        console.control(Control.home())
        screen.update(shown())

    with keyboard() as keys, console.screen() as screen, suppress(KeyboardInterrupt):
        show()
        for key in keys:
            if key == "q":
                return
            place = after(key, place, scenes)
            show()


Marker: TypeAlias = Callable[[Scene], object]


def _forward(scenes: Sequence[Scene], at: int, marker: Marker) -> int:
    """The next scene where `marker` is another, or the last."""
    here = marker(scenes[at])
    found = (n for n in range(at, len(scenes)) if marker(scenes[n]) != here)
    return next(found, len(scenes) - 1)


def _back(scenes: Sequence[Scene], at: int, marker: Marker) -> int:
    """The first scene of this stretch where `marker` is the same, or of the one before.

    The latter where this is the first already.
    """
    here = marker(scenes[max(at - 1, 0)])
    found = (n + 1 for n in range(at - 1, -1, -1) if marker(scenes[n]) != here)
    return next(found, 0)


def _trick(scene: Scene) -> object:
    return scene.deal, scene.trick


def _deal(scene: Scene) -> object:
    return scene.deal


Going: TypeAlias = Callable[[Sequence[Scene], int], int]

_GOING: Final[dict[str, Going]] = {
    **dict.fromkeys(("n", " ", "\x1b[C", "\x1bOC", "\r"), lambda _, at: at + 1),
    **dict.fromkeys(("p", "\x7f", "\x1b[D", "\x1bOD"), lambda _, at: at - 1),
    **dict.fromkeys(("t", "\x1b[B"), lambda scenes, at: _forward(scenes, at, _trick)),
    **dict.fromkeys(("T", "\x1b[A"), lambda scenes, at: _back(scenes, at, _trick)),
    "d": lambda scenes, at: _forward(scenes, at, _deal),
    "D": lambda scenes, at: _back(scenes, at, _deal),
}
"""Where keys go: arrows as terminals send them, letters, space and backspace."""
