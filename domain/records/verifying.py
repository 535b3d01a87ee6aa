"""A record, checked without trusting whoever made it."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from domain.chain import canonical
from domain.facts import facts_of
from domain.records.judging import AFTER_THE_FIRST, JUDGED, Judge, Keep
from domain.records.opening import MatchOpened, open_deal, open_match
from domain.records.report import CHECKS, Findings, Report
from domain.records.spelling import Entry, entry_of
from domain.records.tracing import Trace, trace
from domain.records.windows import Misshapen, windows

Lines = Callable[[], Iterable[bytes]]
"""The lines of a record, from the first, each time it is called."""

PROVEN: Final = ("commitments", "seals")
"""The checks that need the match's secret, and no rules."""


def verify(
    lines: Lines, kept_head: str | None = None, keep: Keep | None = None
) -> Report:
    """What a record is worth, whatever its bytes are.

    `kept_head` is one that somebody kept of this table, at whatever version: the record
    must go through it. `keep` is given the lines of each append that is found right,
    with what they hide.

    Raises:
        NotARecord: it does not begin as one does.
    """
    findings = Findings(
        name for name in CHECKS if name != "kept_head" or kept_head is not None
    )
    traced = trace(lines(), findings, kept_head)
    match = open_match(traced, findings)
    if match is None:
        _without_the_secret(traced, findings)
    else:
        _judge_all(lines, traced, match, findings, keep)
    return findings.report(traced.version, traced.head.hex())


def _without_the_secret(traced: Trace, findings: Findings) -> None:
    """Say that nothing can be judged, and why."""
    if traced.complete and findings.first is None:
        why = "The table is not over: the match's secret is never revealed."
        findings.wrong("result", traced.version + 1, why)
    findings.unfinished("The match's secret is not known.", *PROVEN, *JUDGED)


def _judge_all(
    lines: Lines,
    traced: Trace,
    match: MatchOpened,
    findings: Findings,
    keep: Keep | None,
) -> None:
    """Open and judge the record as far as its chain holds."""
    judge = Judge(traced.table, match, findings, keep)
    going, whole = True, traced.complete
    try:
        for window in windows(_entries(lines(), traced)):
            deal = open_deal(traced, match, window, findings)
            going = going and (deal is not None or window.started is None)
            for append in window.appends:
                going = going and judge.judge(append, deal)
    except Misshapen as wrong:
        whole = False
        findings.wrong("form", wrong.version, wrong.why)
    if not whole:
        _unfinished(findings, *PROVEN, *JUDGED)
    elif not going:
        _unfinished(findings, *(JUDGED if judge.table is None else AFTER_THE_FIRST))
    else:
        _check_end(judge, traced, findings)


def _unfinished(findings: Findings, *names: str) -> None:
    if findings.first is not None:
        at, name = findings.first
        why = f"Not all of it can be checked: {name} fails at version {at}."
        findings.unfinished(why, *names)


def _entries(lines: Iterable[bytes], traced: Trace) -> Iterator[Entry]:
    """The events as far as the chain holds.

    Raises:
        Misshapen: one has not the form of any.
    """
    rest = iter(lines)
    next(rest, None)
    for version, line in enumerate(islice(rest, traced.version), start=1):
        entry = entry_of(line)
        if entry is None:
            raise Misshapen(version, "This has not the form of an event.")
        yield entry


def _check_end(judge: Judge, traced: Trace, findings: Findings) -> None:
    """The table is over, and the record says of it what its events say."""
    table = judge.table
    if table is None or not table.is_over():
        why = "The record ends before its table does."
        findings.wrong("result", traced.version + 1, why)
        _unfinished(findings, "header")
        return
    facts = facts_of(table, judge.opened_at)
    for name in facts.__struct_fields__:
        told = name in traced.said
        if told and canonical(traced.said[name]) == canonical(getattr(facts, name)):
            findings.right("header")
        else:
            why = f"The table's {name} is not what its events say."
            findings.wrong("header", 1, why)
    if traced.said.keys() - set(facts.__struct_fields__):
        why = "The record says more of the table than its events."
        findings.wrong("header", 1, why)
