"""Turns: in a process, one command of a table, or one table of a host, at a time."""

import asyncio
from typing import Final, Self
from uuid import UUID
from weakref import WeakValueDictionary

from services.errors import Busy

PATIENCE: Final = 5.0
"""Seconds after which a command that does not get on at its table is given up."""


class Turn:
    """A turn, which ends with the block for which it was taken."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()

    async def taken(self) -> Self:
        """Wait for it: `with await turn.taken():`.

        Raises:
            Busy: those that came before did not end in time.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self.lock.acquire()
        except TimeoutError:
            raise Busy("Too many wait for their turn.") from None
        return self

    def __enter__(self) -> None:
        """Go on."""

    def __exit__(self, *_: object) -> None:
        """Let the next one go on."""
        self.lock.release()


class Turns:
    """Turns by id, each there while somebody has it or waits for it."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[UUID, Turn] = WeakValueDictionary()

    async def take(self, of: UUID) -> Turn:
        """Wait for a turn: `with await turns.take(table):`.

        Raises:
            Busy: those that came before did not end in time.
        """
        turn = self._turns.get(of)
        if turn is None:
            turn = self._turns[of] = Turn()
            await turn.lock.acquire()  # at once, for nobody else knows of it
            return turn
        return await turn.taken()
