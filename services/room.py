"""How many tables a host may have open or in play at once."""

from contextlib import AbstractContextManager, nullcontext

from domain.ids import PlayerId
from services.errors import TooManyTables
from services.projections import Projector
from services.turns import Turns


class Room:
    """Room for a host's tables: for `most` at once, for any number where it is None.

    In a process a host opens one table at a time. Where several processes are asked at
    once, each may let one in more.
    """

    def __init__(self, most: int | None, projector: Projector) -> None:
        self._most = most
        self._projector = projector
        self._turns = Turns()

    async def turn(self, host: PlayerId) -> AbstractContextManager[None]:
        """Wait for the host's turn to open a table: `with await room.turn(host):`.

        Raises:
            Busy: those that came before did not end in time.
        """
        return nullcontext() if self._most is None else await self._turns.take(host)

    async def check(self, host: PlayerId) -> None:
        """See whether there is room for one more table.

        Raises:
            TooManyTables: there is not.
        """
        if self._most is None:
            return
        await self._projector.catch_up()
        live = await self._projector.models.live_tables(host, self._most)
        if live >= self._most:
            raise TooManyTables(
                f"The host has as many tables as may be on at once: {self._most}.",
                most=self._most,
            )
