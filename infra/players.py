"""The players in Postgres, beside the log."""

from collections.abc import Sequence
from typing import Final

import asyncpg

from domain.ids import Hash, PlayerId
from infra.database import fetch
from infra.faults import sheltered
from services.ports import Player

ADD: Final = """
    INSERT INTO misere.player (id, name, kind, admin, referee, token_hash)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING"""

WHOSE: Final = """
    SELECT id, name, kind, admin, referee FROM misere.player WHERE token_hash = $1"""

GET: Final = """
    SELECT id, name, kind, admin, referee FROM misere.player
    WHERE id = ANY($1::uuid[])"""

REPLACE: Final = "UPDATE misere.player SET token_hash = $2 WHERE id = $1"

FORGET: Final = """
    UPDATE misere.player SET name = NULL, token_hash = NULL WHERE id = $1"""


class PostgresPlayers:
    """`services.ports.Players` over a pool of connections."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        """Work with connections borrowed from `pool`."""
        self._pool = pool

    @sheltered
    async def add(self, player: Player, token_hash: Hash) -> None:
        """Remember a new player; once more changes nothing."""
        await fetch(
            self._pool,
            ADD,
            player.id,
            player.name,
            player.kind,
            player.admin,
            player.referee,
            token_hash,
        )

    @sheltered
    async def by_token(self, token_hash: Hash) -> Player | None:
        """The player whose present token has that hash."""
        rows = await fetch(self._pool, WHOSE, token_hash)
        return _player(rows[0]) if rows else None

    @sheltered
    async def get(self, ids: Sequence[PlayerId]) -> dict[PlayerId, Player]:
        """Those of `ids` that are known."""
        players = [_player(row) for row in await fetch(self._pool, GET, ids)]
        return {player.id: player for player in players}

    @sheltered
    async def replace_token(self, player: PlayerId, token_hash: Hash) -> None:
        """Give the player a new token; the old one ends."""
        await fetch(self._pool, REPLACE, player, token_hash)

    @sheltered
    async def forget(self, player: PlayerId) -> None:
        """Drop the player's name and token; the id stays known."""
        await fetch(self._pool, FORGET, player)


def _player(row: asyncpg.Record) -> Player:
    return Player(**row)
