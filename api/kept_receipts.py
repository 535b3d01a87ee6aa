"""The receipts that a client kept, from files, held against a record."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Final, TypeVar

from msgspec import MsgspecError, Struct
from msgspec.json import Decoder

from api.record_file import Lines
from domain.chain import link, origin
from domain.ids import TableId, Version
from domain.receipts import Finding, SignedReceipt, SigningKey, checked
from domain.records.spelling import EventLine, event_of, table_of
from infra.signing import verify

T = TypeVar("T")


class NotReceipts(Exception):
    """A file has no receipts, or no keys."""


class _Meta(Struct):
    """What `/v1/meta` says, as far as it is asked here."""

    signing_keys: list[SigningKey]


def findings(receipts: IO[bytes], keys: IO[bytes], record: Lines) -> list[Finding]:
    """What becomes of each receipt, one a line, by the keys that `/v1/meta` answered.

    Whether the record is right is not asked here.

    Raises:
        NotReceipts: a file is not what it should be.
    """
    signed = _read(_signed, receipts.read())
    known = [key for meta in _read(_keys, keys.read()) for key in meta.signing_keys]
    table, heads = heads_of(record())
    return list(checked(signed, known, table, heads, verify))


def told(finding: Finding) -> str:
    """A line for people."""
    receipt = finding.receipt
    fault = finding.fault or "holds"
    return f"{fault:17}  version {receipt.version}, {receipt.at}, key {receipt.key}"


def heads_of(lines: Iterable[bytes]) -> tuple[TableId | None, dict[Version, str]]:
    """The table of a record, and its head at each version, worked out anew.

    That goes as far as its lines are events: what was cut or changed is to show.
    """
    events = [*_readable(lines)]
    table = table_of(events[0]) if events else None
    if table is None:
        return None, {}
    head, heads = origin(table), {}
    for version, event in enumerate(events, 1):
        head = link(head, event.body)
        heads[Version(version)] = head.hex()
    return table, heads


def _readable(lines: Iterable[bytes]) -> Iterator[EventLine]:
    """The events up to the first line that is none."""
    for line in islice(lines, 1, None):
        event = event_of(line)
        if event is None:
            return
        yield event


_signed: Final = Decoder(SignedReceipt)
_keys: Final = Decoder(_Meta)


def _read(kind: Decoder[T], text: bytes) -> list[T]:
    try:
        return kind.decode_lines(text)
    except (MsgspecError, ValueError, RecursionError):
        raise NotReceipts("These are no receipts, or no keys.") from None
