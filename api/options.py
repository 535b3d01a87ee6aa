"""What the commands of the command line have in common."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from domain.errors import Refusal
from domain.records import NotARecord
from infra.addresses import CannotListen
from infra.archive import BackupFault
from infra.embedded import EmbeddedServerError
from infra.migrate import SchemaFault
from infra.settings import SettingsError
from services.errors import Denied
from services.importing import NotImported
from services.ports import StoreUnavailable


@contextmanager
def plainly() -> Iterator[None]:
    """Turn what an operator can mend into one clear line."""
    try:
        yield
    except (
        SettingsError,
        CannotListen,
        EmbeddedServerError,
        SchemaFault,
        BackupFault,
        StoreUnavailable,
        Refusal,
        Denied,
        NotARecord,
        NotImported,
    ) as why:
        raise click.ClickException(str(why)) from None


data_option = click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Folder of the server's own database.",
)
