"""The command line: `misere`."""

import asyncio
import json
import os
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final

import click
import structlog
from msgspec import ValidationError, convert
from msgspec.structs import replace

from api.auditing_cli import COMMANDS
from api.databases import backing, bring_up_to_date, database
from api.document import document
from api.exhibition import Exhibition, exhibit
from api.house import opened
from api.options import data_option, plainly
from api.record_schema import record_schema
from api.replay.command import replay
from api.routes import OPERATIONS
from api.serving import die_when_told
from api.serving import serve as serve_until_stopped
from api.shapes import Name
from api.wording import counted
from api.workers import serve_with_workers
from domain.bots import BOTS
from domain.games import GAMES
from domain.people import BotName
from domain.receipts import SigningKey
from infra import logs
from infra.addresses import check_listening
from infra.archive import Manifest, new_archive
from infra.archive import archive as opened_archive
from infra.backup import back_up, restore
from infra.settings import Settings, from_environment, unknown

READ_MODELS: Final = ("lobby", "turns", "results", "standings")


@click.group()
@click.version_option(package_name="misere")
@click.pass_context
def main(context: click.Context) -> None:
    """Host card games in which you try not to win."""
    with plainly():
        context.obj = from_environment(os.environ)
    logs.configure(context.obj.log)
    for name in unknown(os.environ):
        structlog.get_logger().warning("there is no such setting", name=name)


@main.command()
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on.")
@click.option("--workers", type=click.IntRange(1, 64), help="How many processes.")
@data_option
@click.pass_obj
def serve(settings: Settings, /, **given: Any) -> None:  # noqa: ANN401 - of each its own
    """Serve the API, with database and Redis of our own unless they are named."""
    settings = replace(settings, **{k: v for k, v in given.items() if v is not None})
    die_when_told()
    with plainly():
        check_listening(settings.host, settings.port)
        with backing(settings) as standing:
            if settings.workers == 1:
                serve_until_stopped(settings, standing)
            else:
                serve_with_workers(settings, standing)


@main.command("migrate")
@data_option
@click.pass_obj
def migrate_command(settings: Settings, data: Path | None) -> None:
    """Bring the database to the shape this version needs."""
    with plainly(), database(settings, data, checked=False) as url:
        asyncio.run(bring_up_to_date(settings.migrate_url or url, say=click.echo))


@main.command()
@click.argument("name", required=False, type=click.Choice(READ_MODELS))
@data_option
@click.pass_obj
def rebuild(settings: Settings, name: str | None, data: Path | None) -> None:
    """Make the read models anew from the log, while they are served.

    They come of one reading of the log, so to NAME one makes all of them anew.
    """
    del name

    async def run(url: str) -> bool:
        async with opened(settings, url, bots_play=False) as house:
            return await house.projector.rebuild()

    with plainly(), database(settings, data) as url:
        served = asyncio.run(run(url))
    if not served:
        raise click.ClickException("A later rebuild was served first.")
    click.echo(f"The read models are rebuilt: {', '.join(READ_MODELS)}.")


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@click.pass_obj
def backup(settings: Settings, file: Path, data: Path | None) -> None:
    """Write the whole database to a file, while it is served or not.

    The file holds hidden cards: keep it as you keep the database.
    """
    with (
        plainly(),
        database(settings, data) as url,
        new_archive(file) as archive,
    ):
        made = asyncio.run(back_up(url, archive))
    click.echo(f"{file} holds {_told(made)}.")


@main.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@click.pass_obj
def restore_command(settings: Settings, file: Path, data: Path | None) -> None:
    """Fill an empty database with what a backup holds, all of it or nothing.

    The backup may be one of an older version. No server may run on the database.
    """

    async def run(url: str) -> None:
        owner = settings.migrate_url or url
        await restore(owner, archive)
        await bring_up_to_date(owner, say=click.echo)
        async with opened(settings, url, bots_play=False) as house:
            await house.projector.catch_up()

    with (
        plainly(),
        opened_archive(file) as archive,
        database(settings, data, checked=False, shared=False) as url,
    ):
        asyncio.run(run(url))
    click.echo(f"The database holds {_told(archive.manifest)}.")


def _told(manifest: Manifest) -> str:
    tables, events, players = map(manifest.rows, ("stream", "event", "player"))
    return (
        f"{counted(tables, 'table')} with {counted(events, 'event')}, and "
        f"{counted(players, 'player')}, as of {manifest.made_at}"
    )


@main.command()
@click.option("--admin", is_flag=True, required=True, help="Of an administrator.")
@click.option("--referee", is_flag=True, help="Who may look at hidden cards.")
@click.option("--name", default="admin", show_default=True)
@data_option
@click.pass_obj
def token(
    settings: Settings, name: str, data: Path | None, *, admin: bool, referee: bool
) -> None:
    """Make an administrator and print the token, this once."""
    try:
        convert(name, Name)
    except ValidationError:
        raise click.BadParameter(
            "Expected 1 to 40 characters that can be seen", param_hint="--name"
        ) from None

    async def run(url: str) -> str:
        async with opened(settings, url, bots_play=False) as house:
            _, made = await house.accounts.register(
                name, "human", admin=admin, referee=referee
            )
            return made

    with plainly(), database(settings, data) as url:
        click.echo(asyncio.run(run(url)))


@main.command("rotate-key")
@data_option
@click.pass_obj
def rotate_key(settings: Settings, data: Path | None) -> None:
    """Have another key sign the receipts, from a minute on."""

    async def run(url: str) -> SigningKey:
        async with opened(settings, url, bots_play=False) as house:
            return await house.receipts.rotate()

    with plainly(), database(settings, data) as url:
        key = asyncio.run(run(url))
    click.echo(f"The key {key.id} signs from {key.valid_from} on.")


@main.command()
@click.option("--record", is_flag=True, help="Print the JSON Schema of a record.")
def openapi(*, record: bool) -> None:
    """Print the OpenAPI document."""
    printed = record_schema() if record else document(OPERATIONS)
    click.echo(json.dumps(printed, indent=2, ensure_ascii=False))


@main.command()
@click.argument("tables", type=click.IntRange(1, 1_000_000))
@click.option("--game", type=click.Choice(list(GAMES)), default="hearts")
@click.option("--seats", type=click.IntRange(1, 100), help="The game's usual number.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    default=["steady"],
    type=click.Choice(list(BOTS)),
    help="Who sits, by seat and then again from the first; to be repeated.",
)
@click.option(
    "--seed",
    type=int,
    help="Play the very same matches again; their secrets can be guessed.",
)
@data_option
@click.pass_obj
def play(  # noqa: PLR0913, PLR0917 - an option each
    settings: Settings,
    tables: int,
    game: str,
    seats: int | None,
    bots: tuple[BotName, ...],
    seed: int | None,
    data: Path | None,
) -> None:
    """Let bots play whole matches through the real store."""
    chance = SystemRandom() if seed is None else Random(seed)  # noqa: S311 - repeatable
    wanted = Exhibition(tables, game, seats, bots, 64 if seed is None else 1)

    async def run(url: str) -> None:
        async with opened(settings, url, chance=chance) as house:
            await exhibit(house, wanted)

    # A running server would move the bots of its tables by other chances.
    with plainly(), database(settings, data, shared=seed is None) as url:
        asyncio.run(run(url))


for command in (*COMMANDS, replay):
    main.add_command(command)
