"""Where players sit is looked up for all at once."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from uuid import UUID

import pytest

from domain.ids import PlayerId, TableId
from services import attendance
from services.attendance import Attendance
from services.ports import StoreUnavailable
from tests.fakes import MemoryReadModels

ADA, BEN, CLEO = (PlayerId(UUID(int=n)) for n in range(3))


class Looked(MemoryReadModels):
    """Read models in which each player sits at the tables that they are told of."""

    def __init__(self) -> None:
        """Nobody has looked yet."""
        super().__init__()
        self.sits: dict[PlayerId, Sequence[TableId]] = {}
        self.looks: list[set[PlayerId]] = []
        self.is_away = False

    async def tables_of(
        self, players: Collection[PlayerId], limit: int
    ) -> Mapping[PlayerId, Sequence[TableId]]:
        """What is told at this moment, in a while."""
        self.looks.append({*players})
        assert limit == attendance.MOST_TABLES
        found = {it: self.sits[it] for it in players if it in self.sits}
        await asyncio.sleep(0.01)
        if self.is_away:
            raise StoreUnavailable
        return found


async def test_one_look_is_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is good nobody looks again; then whoever asks first looks for all."""
    models = Looked()
    models.sits[ADA] = [TableId(UUID(int=7))]
    here = Attendance(models)
    players = (ADA, BEN, CLEO)
    async with AsyncExitStack() as stack:
        for player in players:
            await stack.enter_async_context(here.kept(player))
        found = await asyncio.gather(*map(here.tables, players * 5))
        assert found == [models.sits[ADA], (), ()] * 5
        assert models.looks == [{*players}]
        models.sits[BEN] = [TableId(UUID(int=8))]
        monkeypatch.setattr(here, "_good_until", 0.0)
        assert await here.tables(CLEO) == ()
        assert await here.tables(BEN) == models.sits[BEN]
        assert models.looks == [{*players}] * 2


async def test_who_comes_is_looked_for_at_once() -> None:
    """However fresh the last look is: what was there before they came is found."""
    models = Looked()
    here = Attendance(models)
    async with here.kept(ADA):
        assert await here.tables(ADA) == ()
        models.sits[ADA] = [TableId(UUID(int=7))]
        async with here.kept(ADA):
            assert await here.tables(ADA) == models.sits[ADA]
        async with here.kept(BEN):
            assert await here.tables(BEN) == ()
            assert models.looks[-1] == {ADA, BEN}


async def test_who_comes_during_a_look_is_looked_for_once_more() -> None:
    """A look that had begun by then may have missed what was there before they came."""
    models = Looked()
    here = Attendance(models)
    async with here.kept(ADA):
        before = asyncio.create_task(here.tables(ADA))
        while not models.looks:  # noqa: ASYNC110
            await asyncio.sleep(0)
        models.sits[ADA] = [TableId(UUID(int=7))]
        async with here.kept(ADA):
            assert await here.tables(ADA) == models.sits[ADA]
            assert await before == models.sits[ADA]
        assert models.looks == [{ADA}] * 2


async def test_who_left_is_not_looked_for() -> None:
    """Once nobody keeps them any more."""
    models = Looked()
    here = Attendance(models)
    async with here.kept(ADA):
        async with here.kept(ADA), here.kept(BEN):
            await here.tables(BEN)
        async with here.kept(CLEO):
            await here.tables(CLEO)
    assert models.looks == [{ADA, BEN}, {ADA, CLEO}]


async def test_a_look_that_fails_fails_for_those_who_wait() -> None:
    """And the next one is made anew."""
    models = Looked()
    models.is_away = True
    here = Attendance(models)
    async with here.kept(ADA), here.kept(BEN):
        told = await asyncio.gather(
            here.tables(ADA), here.tables(BEN), return_exceptions=True
        )
        assert [type(it) for it in told] == [StoreUnavailable] * 2
        assert len(models.looks) == 1
        models.is_away = False
        assert await here.tables(ADA) == ()
