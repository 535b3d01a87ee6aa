"""What the hosts' guide promises."""

import re
from pathlib import Path
from typing import Final

import asyncpg
import pytest

from tests.backups import connected
from tests.citus.placement import DISTRIBUTED, LOCAL, REFERENCE
from tests.e2e.running import MISERE, misere, serving
from tests.embedded import running

GUIDE: Final = Path(__file__).parents[2] / "openapi" / "hosting.md"


def block(kind: str) -> str:
    """The first block of the guide in a language."""
    found = re.search(rf"(?ms)^```{kind}\n(.*?)^```$", GUIDE.read_text("utf-8"))
    assert found
    return found[1]


@pytest.mark.slow
async def test_the_three_logins_do_what_they_are_for(tmp_path: Path) -> None:
    """The owner migrates and restores, the server backs up, whoever audits reads."""
    with running(tmp_path / "postgres") as postgres:
        async with connected(postgres.dsn(database="postgres")) as superuser:
            await superuser.execute("DROP DATABASE misere")
            for statement in filter(None, block("sql").split(";\n")):
                await superuser.execute(statement)
        server = {"MISERE_DATABASE_URL": postgres.dsn("misere_server")}
        owner = server | {"MISERE_MIGRATE_URL": postgres.dsn("misere_owner")}
        refused = misere("migrate", **server)
        assert refused.stderr.startswith("Error: This login may not change")
        made = misere("migrate", **owner)
        assert (made.returncode, made.stderr) == (0, "")
        assert "may make no roles" not in made.stdout
        with serving(tmp_path / "server", **server):
            pass
        assert misere("play", "1", **server).returncode == 0
        backup = tmp_path / "backup"
        assert misere("backup", backup, **server).returncode == 0
        async with connected(postgres.dsn("misere_reader")) as reader:
            assert await reader.fetchval("SELECT count(*) FROM misere.event")
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await reader.fetch("SELECT FROM misere.sealed")
        async with connected(postgres.dsn("misere_owner")) as emptied:
            await emptied.execute("DROP SCHEMA misere CASCADE")
        refused = misere("restore", backup, **server)
        assert refused.stderr.startswith("Error: This login may not do that")
        made = misere("restore", backup, **owner)
        assert made.returncode == 0, made.stderr
        assert "1 table with" in made.stdout


def test_the_service_runs_the_command_there_is() -> None:
    """By a name and options that the command line has."""
    found = re.search(
        r"(?m)^ExecStart=/opt/misere/\.venv/bin/(\S+) (.*)$", block("ini")
    )
    assert found
    assert found[1] == MISERE.name
    assert misere(*found[2].split(), "--help").returncode == 0


def test_every_table_is_placed_for_a_distributed_database() -> None:
    """As the tests of that place it: those of the log are named together."""
    text = GUIDE.read_text("utf-8").partition("## Distributed Postgres")[2]
    log = {"shard", "stream", "append", "event", "sealed"}
    named = {*re.findall(r"`(\w+)`", text)}
    assert (DISTRIBUTED | REFERENCE | LOCAL).keys() - log <= named
