"""Keys as they are pressed, from a terminal that does not show them."""

import os
import re
import select
import signal
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

    No key, `""`, says that the terminal has another size now. The terminal is asked
    itself where something else is piped in. Call it from the main thread.
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
        yield _pressed(terminal, stack.enter_context(_resizes()))


def _pressed(terminal: int, resizes: int) -> Iterator[str]:
    while True:
        ready, _, _ = select.select([terminal, resizes], [], [])
        if resizes in ready:
            os.read(resizes, 64)
            yield ""
        if terminal in ready:
            sent = os.read(terminal, 64)
            if not sent:
                return
            yield from KEY.findall(sent.decode(errors="ignore"))


@contextmanager
def _resizes() -> Iterator[int]:
    """What there is something to read from once the terminal has another size."""
    reading, writing = os.pipe()
    before = signal.signal(signal.SIGWINCH, lambda *_: os.write(writing, b"\0"))
    try:
        yield reading
    finally:
        signal.signal(signal.SIGWINCH, before)
        os.close(reading)
        os.close(writing)
