"""`misere receipts`: what a server signed, held against a record."""

import sys
from typing import BinaryIO, Final, TypeVar

import click
from msgspec import MsgspecError, Struct
from msgspec.json import Decoder, decode

from api.record_file import Unreadable, entries
from domain.chain import canonical, link, origin
from domain.ids import TableId, Version
from domain.receipts import Finding, SignedReceipt, SigningKey, checked
from infra.signing import verify

WRONG: Final = 1
UNREADABLE: Final = 2
"""What the command ends with where a receipt does not hold, and where a file is bad."""

T = TypeVar("T")


class _Meta(Struct):
    """What `/v1/meta` says, as far as it is asked here."""

    signing_keys: list[SigningKey]


class _OfTable(Struct):
    """Whose an event is."""

    table: TableId


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
        table, heads = heads_of(record.read())
        signed = _read(_signed, file.read())
        known = _read(_keys, keys.read())
    except Unreadable as why:
        click.echo(f"Error: {why}", err=True)
        sys.exit(UNREADABLE)
    published = [key for meta in known for key in meta.signing_keys]
    findings = checked(signed, published, table, heads, verify)
    for finding in findings:
        click.echo(_told(finding))
    sys.exit(WRONG if any(finding.fault for finding in findings) else 0)


def heads_of(record: bytes) -> tuple[TableId, dict[Version, str]]:
    """The table of a record, and its head at each version, worked out anew.

    Raises:
        Unreadable: it is no record.
    """
    try:
        events = [decode(entry) for entry in entries(record)]
        table = decode(canonical(events[0]), type=_OfTable).table
        bodies = [
            canonical({name: each[name] for name in each if name not in _BESIDE})
            for each in events
        ]
    except (MsgspecError, LookupError, TypeError, ValueError):
        raise Unreadable("This is no record.") from None
    head, heads = origin(table), {}
    for version, body in enumerate(bodies, 1):
        head = link(head, body)
        heads[Version(version)] = head.hex()
    return table, heads


_BESIDE: Final = {"prev", "hash", "opens"}
"""What an event is served with and not hashed with."""


_signed: Final = Decoder(SignedReceipt)
_keys: Final = Decoder(_Meta)


def _read(kind: Decoder[T], text: bytes) -> list[T]:
    try:
        return kind.decode_lines(text)
    except (MsgspecError, ValueError, RecursionError):
        raise Unreadable("These are no receipts, or no keys.") from None


def _told(finding: Finding) -> str:
    receipt = finding.receipt
    fault = finding.fault or "holds"
    return f"{fault:17}  version {receipt.version}, {receipt.at}, key {receipt.key}"
