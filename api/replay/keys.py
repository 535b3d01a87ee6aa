"""Keys as they are pressed, from a terminal that does not show them."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import click

KEY: Final = re.compile(r"\x1b[\[O][A-Z]|.", re.DOTALL)
"""An arrow, or any other key that sends one character."""


@contextmanager
def keyboard() -> Iterator[Iterator[str]]:
    """The keys that are pressed while the block is on, one after another.

    The terminal is asked itself where something else is piped in.
    """
    try:
        import termios  # noqa: PLC0415 - not there on Windows
        import tty  # noqa: PLC0415 - the same
    except ImportError:
        yield iter(click.getchar, "")
        return
    with ExitStack() as stack:
        terminal = sys.stdin.fileno()
        if not sys.stdin.isatty():
            terminal = stack.enter_context(Path("/dev/tty").open("rb")).fileno()
        before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal, termios.TCSADRAIN)
        stack.callback(termios.tcsetattr, terminal, termios.TCSADRAIN, before)
        yield _pressed(terminal)


def _pressed(terminal: int) -> Iterator[str]:
    while sent := os.read(terminal, 64):
        yield from KEY.findall(sent.decode(errors="ignore"))
