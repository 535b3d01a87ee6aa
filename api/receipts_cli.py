"""`misere receipts`: what a server signed, held against a record."""

import sys
from collections.abc import Iterable
from typing import BinaryIO, Final, TypeVar
from uuid import UUID

import click
from msgspec import MsgspecError, Struct
from msgspec.json import Decoder

from api.record_file import events_in, lines_of
from domain.chain import link, origin
from domain.ids import TableId, Version
from domain.receipts import Finding, SignedReceipt, SigningKey, checked
from domain.records import NotARecord
from infra.signing import verify

WRONG: Final = 1
UNREADABLE: Final = 2
"""What the command ends with where a receipt does not hold, and where a file is bad."""

T = TypeVar("T")


class _Unreadable(Exception):
    """A file is not what it should be."""


class _Meta(Struct):
    """What `/v1/meta` says, as far as it is asked here."""

    signing_keys: list[SigningKey]


@click.group()
def receipts() -> None:
    """Hold receipts against records."""


@receipts.command()
@click.argument("file", type=click.File("rb"))
@click.option("--record", type=click.File("rb"), required=True)
@click.option(
    "--keys",
    type=click.File("rb"),
    required=True,
    help="The server's keys: what /v1/meta answered.",
)
def check(file: BinaryIO, record: BinaryIO, keys: BinaryIO) -> None:
    """Check the receipts in FILE, one after another, against a record.

    It ends with 0 where all of them hold, with 1 where one does not, with 2 where a
    file is not what it should be. Whether the record is right is not asked here.
    """
    try:
        with lines_of(record) as lines:
            table, heads = heads_of(lines())
        signed = _read(_signed, file.read())
        known = _read(_keys, keys.read())
    except (NotARecord, _Unreadable) as why:
        click.echo(f"Error: {why}", err=True)
        sys.exit(UNREADABLE)
    published = [key for meta in known for key in meta.signing_keys]
    findings = checked(signed, published, table, heads, verify)
    for finding in findings:
        click.echo(_told(finding))
    sys.exit(WRONG if any(finding.fault for finding in findings) else 0)


def heads_of(lines: Iterable[bytes]) -> tuple[TableId, dict[Version, str]]:
    """The table of a record, and its head at each version, worked out anew.

    Raises:
        NotARecord: it is none.
    """
    events = [*events_in(lines)]
    if not events:
        raise NotARecord("The record has no event.")
    table = TableId(UUID(events[0].table.decode()))
    head, heads = origin(table), {}
    for version, event in enumerate(events, 1):
        head = link(head, event.body)
        heads[Version(version)] = head.hex()
    return table, heads


_signed: Final = Decoder(SignedReceipt)
_keys: Final = Decoder(_Meta)


def _read(kind: Decoder[T], text: bytes) -> list[T]:
    try:
        return kind.decode_lines(text)
    except (MsgspecError, ValueError, RecursionError):
        raise _Unreadable("These are no receipts, or no keys.") from None


def _told(finding: Finding) -> str:
    receipt = finding.receipt
    fault = finding.fault or "holds"
    return f"{fault:17}  version {receipt.version}, {receipt.at}, key {receipt.key}"
