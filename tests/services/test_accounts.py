"""Players, tokens, and being forgotten."""

from uuid import UUID

import pytest

from domain.ids import PlayerId
from services.accounts import Accounts, token_hash
from services.errors import Unauthenticated
from tests.fakes.memory import MemoryPlayers
from tests.services.processes import outside


async def test_a_token_is_known_until_it_is_replaced() -> None:
    """The new token is the player's, the old one is nobody's from that moment on."""
    accounts = Accounts(MemoryPlayers(), outside())
    player, old = await accounts.register("Ada", "human")
    assert await accounts.authenticate(old) == player
    new = await accounts.replace_token(player.id, old)
    assert await accounts.authenticate(new) == player
    with pytest.raises(Unauthenticated):
        await accounts.authenticate(old)


async def test_a_token_is_stored_as_a_hash_only() -> None:
    """The store never sees a token, so it cannot lose one."""
    players = MemoryPlayers()
    player, token = await Accounts(players, outside()).register("Ada", "human")
    assert await players.by_token(token_hash(token)) == player
    assert token.startswith("msr_")
    assert len(token) == 47


async def test_a_player_is_forgotten() -> None:
    """Name and token go; the id stays known, for the logs name it."""
    accounts = Accounts(MemoryPlayers(), outside())
    player, token = await accounts.register("Ada", "human")
    assert (await accounts.people([player.id]))[player.id].name == "Ada"
    await accounts.forget(player.id, token)
    with pytest.raises(Unauthenticated):
        await accounts.authenticate(token)
    assert (await accounts.people([player.id]))[player.id].name is None


async def test_strangers_are_nobody() -> None:
    """An unknown token and an unknown id are not found."""
    accounts = Accounts(MemoryPlayers(), outside())
    with pytest.raises(Unauthenticated):
        await accounts.authenticate("msr_unknown")
    assert await accounts.people([PlayerId(UUID(int=9))]) == {}
