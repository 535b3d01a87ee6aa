"""What a record reveals, held against what it committed to before."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec import Struct

from domain.events import DealRevealed, MatchRevealed
from domain.ids import Secret, TableId, Version
from domain.records.report import Findings
from domain.records.spelling import Entry, EventLine
from domain.records.tracing import Trace
from domain.records.windows import Window
from domain.seals import salt, seal
from domain.shuffle import deal_commitment, deal_secret, match_commitment
from domain.terms import Hex

K = TypeVar("K", bound=Struct)


class MatchOpened(Struct, frozen=True):
    """The match's secret, and the arrangement's text where there is one."""

    secret: Secret
    arrangement: str | None


class DealOpened(Struct, frozen=True):
    """What a deal hid: its secret, and the sealed texts by version."""

    secret: Secret
    texts: dict[Version, str]


def open_match(trace: Trace, findings: Findings) -> MatchOpened | None:
    """What the match hid; None where the record does not prove it."""
    told = _of_match(trace, findings)
    if told is None or trace.last is None:
        return None
    said, revealed = told
    at = trace.last.version
    secret = Secret(bytes.fromhex(revealed.secret))
    if match_commitment(trace.table, secret).hex() != said.commitment:
        if at <= trace.version:
            why = "This does not commit to the secret that the match's end reveals."
            findings.wrong("commitments", 1, why)
        return None
    findings.right("commitments")
    if said.arranged is None:
        return MatchOpened(secret, None)
    text = next((it.body for it in revealed.opened if it.version == 1), None)
    if text is None or not _fits(trace.table, secret, Version(1), text, said.arranged):
        if at <= trace.version:
            why = "The arrangement that is opened is not the one that was sealed."
            findings.wrong("seals", 1, why)
        return None
    findings.right("seals")
    return MatchOpened(secret, text)


def _of_match(
    trace: Trace, findings: Findings
) -> tuple["_Opening", MatchRevealed] | None:
    """What opens the table and what reveals its match; None where that is not told."""
    if trace.first is None:
        return None
    said = _data(trace.first, "table_opened", _Opening)
    if said is None and trace.version:
        findings.wrong("form", 1, "This is not what opens a table.")
    if said is None or trace.last is None:
        return None
    revealed = _data(trace.last, "match_revealed", MatchRevealed)
    if revealed is None:
        if trace.last.version <= trace.version:
            why = "What reveals the match is out of shape."
            findings.wrong("form", trace.last.version, why)
        return None
    return said, revealed


def open_deal(
    trace: Trace, match: MatchOpened, window: Window, findings: Findings
) -> DealOpened | None:
    """What the deal of a window hid; None where the record does not tell.

    Where it tells, but of another deal, or not all or more, that is enough to judge the
    play up to there.
    """
    if window.started is None:
        return None
    if window.revealed is None:
        if trace.complete or window.until <= trace.version:
            why = "The deal that is on had to be revealed before this."
            findings.wrong("reveals", window.until, why)
        return None
    started = _shaped(window.started, _Starting, findings)
    revealed = _shaped(window.revealed, DealRevealed, findings)
    if started is None or revealed is None:
        return None
    table, at = trace.table, window.revealed.event.version
    number, secret = started.deal, Secret(bytes.fromhex(revealed.secret))
    opened = DealOpened(secret, {it.version: it.body for it in revealed.opened})
    if not 0 < number < 2**32 or revealed.deal != number:
        findings.wrong("reveals", at, f"Not deal {number} is revealed, which was on.")
        return opened
    if deal_commitment(table, number, secret).hex() != started.commitment:
        why = f"This does not commit to the secret that deal {number} ends with."
        findings.wrong("commitments", window.started.event.version, why)
        return None
    findings.right("commitments")
    if not started.arranged and secret != deal_secret(table, number, match.secret):
        why = f"The secret of deal {number} does not come of the match's."
        findings.wrong("deals", window.started.event.version, why)
    sealed = [entry.event.version for entry in window.sealed]
    if [it.version for it in revealed.opened] != sealed:
        why = f"Not everything that deal {number} hid is opened, or more than that."
        findings.wrong("reveals", at, why)
    _check_seals(table, opened, window.sealed, findings)
    return opened


def _shaped(entry: Entry, shape: type[K], findings: Findings) -> K | None:
    """What the event says that begins or ends a deal; None where it is out of shape."""
    data = _data_of(entry, shape)
    if data is None:
        why = "What begins or reveals a deal is out of shape."
        findings.wrong("form", entry.event.version, why)
    return data


def _check_seals(
    table: TableId, opened: DealOpened, sealed: Iterable[Entry], findings: Findings
) -> None:
    """Whether what is opened of these events is what they sealed."""
    for entry in sealed:
        at, said = entry.event.version, _data_of(entry, _Sealed)
        text = opened.texts.get(at)
        if text is None:
            continue
        if said is not None and _fits(table, opened.secret, at, text, said.seal):
            findings.right("seals")
        else:
            why = "What the deal's end reveals here is not what was sealed."
            findings.wrong("seals", at, why)


def _fits(
    table: TableId, secret: Secret, version: Version, text: str, sealed: str
) -> bool:
    return seal(table, version, salt(secret, table, version), text.encode()).hex() == (
        sealed
    )


class _Opening(Struct):
    commitment: Hex
    arranged: Hex | None


class _Starting(Struct):
    deal: int
    commitment: Hex
    arranged: bool


class _Sealed(Struct):
    seal: Hex


class _OfData(Struct):
    data: msgspec.Raw


def _data(line: EventLine, kind: str, shape: type[K]) -> K | None:
    """What an event of that kind says; None where this is another or out of shape."""
    if line.type != kind:
        return None
    try:
        return msgspec.json.decode(
            msgspec.json.decode(line.body, type=_OfData).data, type=shape
        )
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _data_of(entry: Entry, shape: type[K]) -> K | None:
    try:
        return msgspec.json.decode(entry.event.data, type=shape)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
