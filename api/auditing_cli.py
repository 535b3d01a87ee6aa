"""What an auditor does on the command line: records out, checked, and in again."""

import asyncio
import re
import sys
from pathlib import Path
from typing import IO, Final
from uuid import UUID

import click
from msgspec import to_builtins

from api.databases import database
from api.house import opened
from api.kept_receipts import NotReceipts, findings, told
from api.options import data_option, plainly
from api.record_file import Lines, lines_of
from api.wording import counted
from domain.chain import canonical
from domain.errors import TableIsNotOver
from domain.ids import TableId
from domain.receipts import Finding
from domain.records import (
    CHECKS,
    Check,
    NotARecord,
    Report,
    verify,
)
from infra.settings import Settings

WRONG: Final = 1
NO_RECORD: Final = 2
"""What `misere verify` ends with where something is wrong, and where there is none."""


def _hex(_context: click.Context, _option: click.Parameter, text: str | None) -> object:
    if text is not None and not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise click.BadParameter("A head is 64 hexadecimal digits.")
    return text and text.lower()


@click.command("verify")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--head", callback=_hex, help="One that you kept; the record must go through it."
)
@click.option(
    "--receipts", type=click.File("rb"), help="Receipts that you kept, one a line."
)
@click.option(
    "--keys", type=click.File("rb"), help="Their keys: what /v1/meta answered."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def verify_command(
    file: IO[bytes],
    head: str | None,
    receipts: IO[bytes] | None,
    keys: IO[bytes] | None,
    *,
    as_json: bool,
) -> None:
    """Check a record, from a file or from `-`, without a server.

    It ends with 0 where all is right, with 1 where something is wrong or a receipt does
    not hold, with 2 where a file is not what it should be.
    """
    if (receipts is None) != (keys is None):
        raise click.UsageError("Receipts are checked with keys: name both files.")
    found: list[Finding] = []
    try:
        with lines_of(file) as lines:
            report = verify(lines, head)
            if receipts is not None and keys is not None:
                found = findings(receipts, keys, lines)
    except NotARecord as why:
        click.echo(f"Not a record: {why}", err=True)
        sys.exit(NO_RECORD)
    except NotReceipts as why:
        click.echo(f"Error: {why}", err=True)
        sys.exit(NO_RECORD)
    if as_json:
        more = {} if receipts is None else {"receipts": found}
        click.echo(canonical(to_builtins(report) | more))
    else:
        click.echo("\n".join([*map(_line, report.checks), *map(told, found)]))
        if not report.ok:
            click.echo(f"first bad version: {report.first_bad_version}")
    if not report.ok or any(finding.fault for finding in found):
        sys.exit(WRONG)


@click.command()
@click.argument("table", type=click.UUID)
@data_option
@click.pass_obj
def record(settings: Settings, table: UUID, data: Path | None) -> None:
    """Print the record of a table that is over, line by line."""

    async def run(url: str) -> None:
        async with opened(settings, url, bots_play=False) as house:
            snapshot = await house.tables.current(TableId(table))
            if not snapshot.table.is_over():
                raise TableIsNotOver("The table is not over yet.")
            async for portion in house.showing.record(snapshot):
                click.echo(portion, nl=False)

    with plainly(), database(settings, data) as url:
        asyncio.run(run(url))


@click.command("import")
@click.argument("file", type=click.File("rb"))
@data_option
@click.pass_obj
def import_command(settings: Settings, file: IO[bytes], data: Path | None) -> None:
    """Make the table of a record one of this database, to be read and never played.

    The record is checked first. It comes with its own hashes; where its table is here
    already, nothing is done.
    """

    async def run(url: str, lines: Lines) -> Report:
        async with opened(settings, url, bots_play=False) as house:
            report = await house.importing.take(lines)
            await house.projector.catch_up()
            return report

    with plainly(), lines_of(file) as lines, database(settings, data) as url:
        report = asyncio.run(run(url, lines))
    click.echo(f"The table is here, with {counted(report.version, 'event')}.")


def _line(check: Check) -> str:
    if check.ok:
        mark, text = "ok", CHECKS[check.name]
    elif isinstance(check.first_bad_version, int):
        mark, text = "WRONG", f"version {check.first_bad_version}: {check.why}"
    else:
        mark, text = "-", str(check.why)
    # It may quote the record, and a terminal obeys more characters than it shows.
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    return f"{mark:5}  {check.name:11}  {check.checked:6}  {shown}"


COMMANDS: Final = (verify_command, record, import_command)
