"""What is promised of players and of notes on tables."""

from uuid import uuid4

from domain.ids import Hash, PlayerId, TableId
from services.ports import Player, Players, TableNote, TableNotes

TOKEN, NEW_TOKEN = Hash(b"\x01" * 32), Hash(b"\x02" * 32)


def ada() -> Player:
    """A player."""
    return Player(id=PlayerId(uuid4()), name="Ada", kind="human")


async def test_a_player_is_known_by_token_and_by_id(players: Players) -> None:
    """Both ways lead to the same player."""
    player = Player(
        id=PlayerId(uuid4()), name="Eve", kind="bot", admin=True, referee=True
    )
    await players.add(player, TOKEN)
    assert await players.by_token(TOKEN) == player
    assert await players.get([player.id, PlayerId(uuid4())]) == {player.id: player}


async def test_an_unknown_token_is_nobodys(players: Players) -> None:
    """No player, and no error."""
    await players.add(ada(), TOKEN)
    assert await players.by_token(NEW_TOKEN) is None


async def test_adding_a_player_again_changes_nothing(players: Players) -> None:
    """A retried registration is harmless."""
    player = ada()
    await players.add(player, TOKEN)
    await players.add(Player(id=player.id, name="Bob", kind="bot"), NEW_TOKEN)
    assert await players.by_token(TOKEN) == player
    assert await players.by_token(NEW_TOKEN) is None


async def test_a_new_token_ends_the_old_one(players: Players) -> None:
    """There is one token a player."""
    player = ada()
    await players.add(player, TOKEN)
    await players.replace_token(player.id, NEW_TOKEN)
    assert await players.by_token(TOKEN) is None
    assert await players.by_token(NEW_TOKEN) == player


async def test_a_token_for_nobody_is_nobodys(players: Players) -> None:
    """A token does not make a player."""
    await players.replace_token(PlayerId(uuid4()), TOKEN)
    assert await players.by_token(TOKEN) is None


async def test_a_forgotten_player_has_neither_name_nor_token(players: Players) -> None:
    """The id stays known, for events name it; several may be forgotten."""
    for token in (TOKEN, NEW_TOKEN):
        player = ada()
        await players.add(player, token)
        await players.forget(player.id)
        assert await players.by_token(token) is None
        [left] = (await players.get([player.id])).values()
        assert left == Player(id=player.id, name=None, kind="human")


async def test_asked_for_nobody_players_answer_nobody(players: Players) -> None:
    """An empty question has an empty answer."""
    assert await players.get([]) == {}


async def test_a_note_is_kept_with_its_table(notes: TableNotes) -> None:
    """Title and invite may each be missing; a table without a note has no entry."""
    titled, private = TableId(uuid4()), TableId(uuid4())
    await notes.put(titled, "Friday ♥", None)
    await notes.put(private, None, "open sesame")
    assert await notes.get([titled, private, TableId(uuid4())]) == {
        titled: TableNote(title="Friday ♥", invite=None),
        private: TableNote(title=None, invite="open sesame"),
    }


async def test_the_first_note_stays(notes: TableNotes) -> None:
    """A retried creation cannot change a table's title."""
    table = TableId(uuid4())
    await notes.put(table, "first", "a")
    await notes.put(table, "second", "b")
    assert await notes.get([table]) == {table: TableNote("first", "a")}
