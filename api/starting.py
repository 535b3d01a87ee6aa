"""The program `misere`, from its first moment on."""

import signal


def main() -> None:
    """Run the command line.

    Who is told to stop before it is there is ended by the kernel: what is imported may
    swallow an exception that an interrupt raises, and go on.
    """
    usual = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from api.cli import main as command_line  # noqa: PLC0415 - that is what takes long

    signal.signal(signal.SIGINT, usual)
    command_line()
