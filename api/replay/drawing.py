"""Scenes drawn for a terminal of 80 columns, with colours or without."""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table as Grid

from api.replay.faces import Faces, coloured, name
from api.replay.marks import Marks, marks
from api.replay.telling import told
from api.wording import counted
from domain.events import CardPlayed, DealStarted, TrickCancelled, TrickTaken
from domain.ids import Seat
from domain.scenes import Picture, Scene
from domain.sight import DealView, SeatedCard, View


def drawn(
    scene: Scene, eyes: Seat | None, faces: Faces, *, news_first: bool = False
) -> RenderableType:
    """A scene as a seat sees it, or open where `eyes` is None.

    What happened stands last, or above the seats with `news_first`.
    """
    picture = scene.open() if eyes is None else scene.seen_by(eyes)
    news = [*map(coloured, told(picture.happened, faces))]
    above, below = (news, []) if news_first else ([], news)
    situation = _situation(scene, picture, faces)
    return Group(coloured(heading(scene, eyes)), *above, "", *situation, *below)


def heading(scene: Scene, eyes: Seat | None) -> str:
    """Where in the game a scene is, and whose eyes see it."""
    where = f"deal {scene.deal}, trick {scene.trick}" if scene.deal else "before play"
    whose = "all cards open" if eyes is None else f"as seat {eyes} sees it"
    title = scene.table.game.title
    return f"{title}: {where}, version {scene.version}, {whose}"


def transcript(
    scenes: Iterable[Scene], eyes: Seat | None, faces: Faces
) -> Iterator[RenderableType]:
    """A whole game to read from top to bottom: pictures of deals, lines of tricks."""
    for scene in scenes:
        picture = scene.open() if eyes is None else scene.seen_by(eyes)
        begins = any(isinstance(event, DealStarted) for event in scene.events)
        played = [it for it in picture.happened if not isinstance(it, _IN_TRICKS)]
        if begins:
            yield ""
            yield coloured(heading(scene, eyes))
        yield from map(coloured, _tricks(scene, faces))
        yield from map(coloured, told(played, faces))
        if begins:
            yield from _situation(scene, picture, faces)


def _tricks(scene: Scene, faces: Faces) -> Iterator[str]:
    """The tricks that were completed in a scene."""
    for event in scene.events:
        if isinstance(event, TrickTaken | TrickCancelled) and scene.table.play:
            trick = scene.table.play.tricks[event.trick - 1]
            whose = "nobody" if trick.winner is None else f"seat {trick.winner}"
            yield (
                f"Trick {trick.number:>2}: seat {trick.leader} leads "
                f"{faces.cards(trick.cards)}, {whose} takes it."
            )


_IN_TRICKS = CardPlayed | TrickTaken | TrickCancelled
"""What a line for each trick tells."""


def _situation(
    scene: Scene, picture: Picture, faces: Faces
) -> Iterator[RenderableType]:
    """The seats with what they hold and have, the trick, and what the game marks."""
    deal = picture.view.deal
    own = marks(deal.game, faces) if deal else Marks({}, ())
    yield _seats(scene, picture.view, own, faces)
    yield ""
    if deal:
        yield from map(coloured, _tricks_of(deal, faces))
        yield from map(coloured, own.lines)
    if picture.view.open and picture.view.open.kitty:
        kitty = faces.cards(picture.view.open.kitty)
        yield coloured(f"The kitty was dealt {kitty}.")
    if picture.view.result:
        yield f"Winners: {', '.join(map(str, picture.view.result.winners))}."
    yield ""


def _seats(scene: Scene, view: View, own: Marks, faces: Faces) -> Grid:
    grid = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("", "seat", ""):
        grid.add_column(title)
    for title in ("score", "tricks", *own.columns):
        grid.add_column(title, justify="right")
    grid.add_column("hand")
    for seat, occupant in enumerate(scene.table.seats):
        turn = ">" if seat in view.to_act else ""
        dealer = " (deals)" if view.deal and view.deal.dealer == seat else ""
        grid.add_row(
            turn,
            f"{seat}{dealer}",
            name(occupant),
            str(view.scores[seat]),
            str(view.deal.tricks_taken[seat]) if view.deal else "",
            *(column[seat] for column in own.columns.values()),
            coloured(_hand(view, Seat(seat), faces)),
        )
    return grid


def _hand(view: View, seat: Seat, faces: Faces) -> str:
    """What a seat holds, or how many cards where they may not be seen."""
    if view.open and view.open.hands:
        return faces.hand(view.open.hands[seat])
    if view.deal is None:
        return ""
    if view.seat == seat and view.deal.hand is not None:
        return faces.hand(view.deal.hand)
    return counted(view.deal.hand_sizes[seat], "card")


def _tricks_of(deal: DealView, faces: Faces) -> Iterator[str]:
    for trick in deal.last_tricks:
        whose = "nobody" if trick.winner is None else f"seat {trick.winner}"
        yield f"Trick {trick.number}: {_plays(trick.plays, faces)}, {whose} took it."
    if deal.trick.plays:
        yield f"Trick {deal.trick.number}: {_plays(deal.trick.plays, faces)}."


def _plays(plays: Iterable[SeatedCard], faces: Faces) -> str:
    return "  ".join(f"{play.seat} {faces.card(play.card)}" for play in plays)
