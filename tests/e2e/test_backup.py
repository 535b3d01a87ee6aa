"""A host backs up while the server plays, and goes on elsewhere from there."""

import json
import zipfile
from pathlib import Path
from random import Random

import httpx
import pytest

from infra.archive import MANIFEST
from tests.e2e.client import Client, Json, chosen, people_to_act
from tests.e2e.running import Server, misere, serving

README = Path(__file__).parents[2] / "README.md"


class Evening:
    """A private table of two people and a bot, whose match is on."""

    def __init__(self, table: str, people: list[Client]) -> None:
        """Know them."""
        self.table = table
        self.people = people

    @classmethod
    async def begin(cls, http: httpx.AsyncClient) -> "Evening":
        """Sit down and play into the first deal."""
        people = [await Client.register(http, name) for name in ("Ada", "Eve")]
        terms = {
            "game": "hearts",
            "seats": [{}, {"player": people[1].id}, {"bot": "steady"}],
            "visibility": "private",
            "title": "Friday",
            "options": {"target": 1},
        }
        made = (await people[0].ask("POST", "/tables", terms)).json()
        evening = cls(made["table"]["id"], people)
        await people[0].sit(evening.table, 0)
        await people[1].sit(evening.table, 1, invite=made["invite"])
        for _ in range(5):
            await evening.one_move()
        return evening

    def elsewhere(self, http: httpx.AsyncClient) -> "Evening":
        """The same people with their tokens, at another server."""
        people = [Client(http, it.token, it.id) for it in self.people]
        return Evening(self.table, people)

    async def one_move(self) -> bool:
        """Whoever is to act does so; false once the match is over."""
        seats = await people_to_act(self.people[0], self.table)
        for seat in seats[:1]:
            decision = await self.people[seat].decision(self.table)
            move = chosen(decision, Random(seat))
            await self.people[seat].command(self.table, move)
        return bool(seats)

    async def known(self) -> list[Json]:
        """All that each of them may know while it is their turn."""
        await people_to_act(self.people[0], self.table)
        return [
            {
                "view": await player.view(self.table),
                "events": await player.events(self.table),
                "turns": await player.get("/me/turns"),
            }
            for player in self.people
        ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the data folders and backups of this module are."""
    return tmp_path_factory.mktemp("backup")


def calling(server: Server) -> httpx.AsyncClient:
    """Connections to a server."""
    return httpx.AsyncClient(base_url=server.address, timeout=30)


@pytest.mark.slow
async def test_play_goes_on_where_a_backup_is_restored(
    folder: Path, empty_database: str
) -> None:
    """With the same tokens, cards, decisions and titles; bots move again.

    The backup is made while bots play at other tables; what is restored from it backs
    up to the same.
    """
    data, backup = folder / "one", folder / "backup"
    with serving(data) as server:
        async with calling(server) as http:
            evening = await Evening.begin(http)
            for _ in range(4):
                bots = [{"bot": "random"}] * 4
                await evening.people[0].open_table(seats=bots)
            known = await evening.known()
            made = misere("backup", backup, "--data", data)
    assert (made.returncode, made.stderr) == (0, "")
    assert "5 tables" in made.stdout
    assert "2 players" in made.stdout

    made = misere("restore", backup, "--data", folder / "two")
    assert made.returncode == 0, made.stderr
    assert "5 tables" in made.stdout
    with serving(folder / "two") as server:
        async with calling(server) as http:
            again = evening.elsewhere(http)
            assert await again.known() == known
            while await again.one_move():
                pass
            view = await again.people[0].view(evening.table)
            assert view["table"]["status"] == "finished"
            assert view["table"]["title"] == "Friday"

    named = {"MISERE_DATABASE_URL": empty_database}
    made = misere("restore", backup, **named)
    assert made.returncode == 0, made.stderr
    made = misere("backup", folder / "again", **named)
    assert made.returncode == 0, made.stderr
    assert members(folder / "again") == members(backup)


def test_what_cannot_be_restored_is_told_in_a_line(folder: Path) -> None:
    """Before any database is made for it."""
    made = misere("restore", README, "--data", folder / "three")
    assert made.returncode == 1
    assert made.stderr.startswith(f"Error: {README} is no backup")
    assert len(made.stderr.splitlines()) == 1
    assert not (folder / "three").exists()


@pytest.mark.slow
def test_a_served_database_is_not_restored_into(folder: Path) -> None:
    """Nor is a file written where there is one."""
    data, backup = folder / "four", folder / "of four"
    with serving(data):
        assert misere("backup", backup, "--data", data).returncode == 0
        made = misere("restore", backup, "--data", data)
        assert "is in use by another misere server" in made.stderr
        made = misere("backup", backup, "--data", data)
        assert "is there already" in made.stderr


def members(path: Path) -> Json:
    """What a backup says of its contents."""
    with zipfile.ZipFile(path) as file:
        found: Json = json.loads(file.read(MANIFEST))["members"]
        return found
