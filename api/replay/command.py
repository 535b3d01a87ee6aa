"""`misere replay`: a recorded game in the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click
from rich.console import Console

from api.record_file import lines_of
from api.replay.drawing import transcript
from api.replay.faces import Faces
from api.replay.reading import scenes_of
from api.replay.stepping import Place, step_through
from domain.ids import Seat
from domain.records import NotARecord

COLUMNS = 80


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--seat", type=click.IntRange(0), help="Through this seat's eyes.")
@click.option("--deal", type=click.IntRange(1), help="From this deal; or it alone.")
def replay(file: BinaryIO, seat: int | None, deal: int | None) -> None:
    """Step through a recorded game, or print it where there is no terminal.

    All cards lie open, unless it is seen through a seat's eyes. Whether the record is
    genuine is not asked here.
    """
    try:
        with lines_of(file) as lines:
            scenes = scenes_of(lines())
    except NotARecord as why:
        raise click.ClickException(f"This is not a record: {why}") from None
    if seat is not None and seat >= len(scenes[0].table.seats):
        raise click.ClickException("The table has no such seat.")
    first = next((n for n, it in enumerate(scenes) if it.deal == deal), None)
    if deal is not None and first is None:
        raise click.ClickException("The table had no such deal.")
    eyes = None if seat is None else Seat(seat)
    console = Console(highlight=False)
    with _drawn_or_said():
        if console.is_terminal and not console.is_dumb_terminal:
            step_through(console, scenes, Place(first or 0, eyes))
            return
        plain = Console(width=COLUMNS, highlight=False, soft_wrap=False)
        wanted = [it for it in scenes if deal is None or it.deal == deal]
        for part in transcript(wanted, eyes, Faces(plain=plain.options.ascii_only)):
            plain.print(part)


@contextmanager
def _drawn_or_said() -> Iterator[None]:
    """Say in a line where a game that is no game cannot be drawn further."""
    try:
        yield
    except OSError:
        raise
    except Exception as fault:  # noqa: BLE001 - what nonsense breaks, nobody knows
        kind = type(fault).__name__
        raise click.ClickException(
            f"What comes next cannot be drawn ({kind}): see misere verify."
        ) from None
