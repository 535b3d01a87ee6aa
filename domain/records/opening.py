"""What a record reveals, held against what it committed to before."""

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
    if trace.first is None:
        return None
    said = _data(trace.first, "table_opened", _Opening)
    if said is None:
        if trace.version:
            findings.wrong("form", 1, "This is not what opens a table.")
        return None
    if trace.last is None:
        return None
    at = trace.last.version
    revealed = _data(trace.last, "match_revealed", MatchRevealed)
    if revealed is None:
        if at <= trace.version:
            findings.wrong("form", at, "What reveals the match is out of shape.")
        return None
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


def open_deal(
    trace: Trace, match: MatchOpened, window: Window, findings: Findings
) -> DealOpened | None:
    """What the deal of a window hid; None where the record does not tell.

    Where it tells, but not all or more, what it tells is enough to judge the play up to
    there.
    """
    if window.started is None:
        return None
    if window.revealed is None:
        if trace.complete or window.until <= trace.version:
            why = "The deal that is on had to be revealed before this."
            findings.wrong("reveals", window.until, why)
        return None
    table = trace.table
    started = _data_of(window.started, _Starting)
    revealed = _data_of(window.revealed, DealRevealed)
    at = window.revealed.event.version
    if started is None or revealed is None:
        findings.wrong("form", at, "What begins or reveals the deal is out of shape.")
        return None
    number, secret = started.deal, Secret(bytes.fromhex(revealed.secret))
    if not 0 < number < 2**32 or revealed.deal != number:
        findings.wrong("reveals", at, f"Not deal {number} is revealed, which was on.")
        return None
    if deal_commitment(table, number, secret).hex() != started.commitment:
        why = f"This does not commit to the secret that deal {number} ends with."
        findings.wrong("commitments", window.started.event.version, why)
        return None
    findings.right("commitments")
    if not started.arranged and secret != deal_secret(table, number, match.secret):
        why = f"The secret of deal {number} does not come of the match's."
        findings.wrong("deals", window.started.event.version, why)
    opened = [it.version for it in revealed.opened]
    if opened != [entry.event.version for entry in window.sealed]:
        why = f"Not everything that deal {number} hid is opened, or more than that."
        findings.wrong("reveals", at, why)
    texts = {it.version: it.body for it in revealed.opened}
    for entry in window.sealed:
        if entry.event.version in texts:
            _check_seal(table, secret, entry, texts, findings)
    return DealOpened(secret, texts)


def _check_seal(
    table: TableId,
    secret: Secret,
    entry: Entry,
    texts: dict[Version, str],
    findings: Findings,
) -> None:
    at = entry.event.version
    sealed = _data_of(entry, _Sealed)
    if sealed is None or not _fits(table, secret, at, texts[at], sealed.seal):
        why = "What the deal's end reveals here is not what was sealed."
        findings.wrong("seals", at, why)
    else:
        findings.right("seals")


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
