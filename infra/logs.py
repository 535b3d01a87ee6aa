"""Logs: one JSON object a line, to standard error."""

import logging
import re
import sys
from typing import Final

import structlog

BEFORE_VALUES: Final = re.compile(r"[\n(<]")
"""What comes before the values in a line of asyncio, which uses no templates."""


def configure(level: str) -> None:
    """Log from `level` on: debug, info, warning or error."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(
        handlers=[_Relay()], level=max(number, logging.INFO), force=True
    )


class _Relay(logging.Handler):
    """Passes on what libraries log: who said it and as what template, no values.

    Their words could hold the arguments of a statement, and some of those are cards.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Log a library's line in our own form."""
        kind = record.exc_info[0] if record.exc_info else None
        text = str(record.msg)
        if record.name == "asyncio":
            text = BEFORE_VALUES.split(text, 1)[0]
        structlog.get_logger(record.name).log(
            record.levelno,
            text,
            logger=record.name,
            error=kind.__name__ if kind else None,
        )
