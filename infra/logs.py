"""Logs: one JSON object a line, to standard error."""

import logging
import sys

import structlog


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
        structlog.get_logger(record.name).log(
            record.levelno,
            str(record.msg),
            logger=record.name,
            error=kind.__name__ if kind else None,
        )
