"""Logs: one JSON object a line, to standard error."""

import logging
import re
import sys
import traceback
from typing import Final

import structlog

BEFORE_VALUES: Final = re.compile(r"[(<]")
"""What comes before the values in a line of asyncio, which uses no templates."""

PLACEHOLDER: Final = re.compile(r"%[-#0 +]?[0-9.]*[a-z]")
"""Where a value goes into a template."""

DEEPEST: Final = 8
"""How many places of a fault are told, from where it was raised outwards."""


def configure(level: str) -> None:
    """Log from `level` on: debug, info, warning or error."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(default=str),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(
        handlers=[_Relay()], level=max(number, logging.INFO), force=True
    )


def traced(fault: BaseException | None) -> dict[str, object]:
    """What is logged of a fault: its kind and its place.

    Its words could name cards, or parts of a password. Of several faults that came
    together it is the first.
    """
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    if fault is None:
        return {"error": None}
    frames = traceback.extract_tb(fault.__traceback__)[-DEEPEST:]
    at = [f"{frame.filename}:{frame.lineno}" for frame in frames]
    return {"error": type(fault).__name__, "at": at}


class _Relay(logging.Handler):
    """Passes on what libraries log: who said it and in what words, but no values.

    Those could be the arguments of a statement, and some of them are cards: `...`
    stands for each. Further lines are the words of a fault, and are left out.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Log a library's line in our own form."""
        kind = record.exc_info[0] if record.exc_info else None
        fault = {"error": kind.__name__} if kind else {}
        text = str(record.msg).split("\n", 1)[0]
        if record.name == "asyncio":
            text = BEFORE_VALUES.split(text, 1)[0]
        if record.args:
            text = PLACEHOLDER.sub("...", text)
        structlog.get_logger(record.name).log(
            record.levelno, text, logger=record.name, **fault
        )
