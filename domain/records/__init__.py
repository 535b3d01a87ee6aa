"""Records: a whole table as a document, and the proof that it is what happened.

A record is lines: what it is and of which table, an event each, its end. `verify`
takes them twice, for what must be known from the start (the match's secret, an
arrangement) is revealed in the last events: the first pass follows the chain to it,
the second judges deal by deal, holding the lines of one until its reveal. So memory
depends on the longest deal, not on the match, and no server is needed.
"""

from domain.records.report import CHECKS, Check, Report
from domain.records.spelling import (
    FORMAT,
    LONGEST_LINE,
    NotARecord,
    RecordDocument,
    Unreadable,
    begin,
    end,
    is_first_line,
    lines_of_document,
)
from domain.records.verifying import verify

__all__ = [
    "CHECKS",
    "FORMAT",
    "LONGEST_LINE",
    "Check",
    "NotARecord",
    "RecordDocument",
    "Report",
    "Unreadable",
    "begin",
    "end",
    "is_first_line",
    "lines_of_document",
    "verify",
]
