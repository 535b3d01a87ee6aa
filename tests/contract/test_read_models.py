"""What read models promise to the projector that fills them and to those who list."""

from datetime import timedelta
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.ids import PlayerId, Position, Seat, Shard, TableId, Version
from services.read_models import (
    Generation,
    LobbyFilter,
    LobbyRow,
    OpenDecision,
    ReadModels,
    TableSummary,
    Turn,
)
from tests.fakes import NOON, table_summary

ANY = LobbyFilter()
SHARD = Shard(3)


def row(table: TableSummary) -> LobbyRow:
    """What the lobby shows of a table."""
    names = LobbyRow.__struct_fields__
    return LobbyRow(**{name: getattr(table, name) for name in names})


def decision(player: PlayerId, seat: int = 0, version: int = 1) -> OpenDecision:
    """A play that waits."""
    return OpenDecision(Seat(seat), player, Version(version), "play")


async def fill(models: ReadModels, *tables: TableSummary) -> None:
    """Store tables in the generation that is served."""
    generation = await models.serving()
    at = (await models.checkpoints(generation))[SHARD]
    assert await models.store(generation, SHARD, at, Position(at + 1), tables)


async def listed(models: ReadModels, which: LobbyFilter = ANY) -> list[TableId]:
    """The ids of the tables in the lobby."""
    return [each.table for each in (await models.lobby(which, 100)).items]


async def test_read_models_begin_at_the_start_of_each_shard(models: ReadModels) -> None:
    """There are 16 checkpoints, all before the first append."""
    assert list(await models.checkpoints(await models.serving())) == [0] * 16


async def test_a_stored_table_is_listed_as_it_was_given(models: ReadModels) -> None:
    """Times to the microsecond, nulls as nulls."""
    bare = table_summary(host=None)
    full = table_summary(
        rematch_of=bare.table, rated=True, created_at=NOON + timedelta(1)
    )
    await fill(models, bare, full)
    assert (await models.lobby(ANY, 10)).items == (row(full), row(bare))


async def test_storing_moves_one_checkpoint(models: ReadModels) -> None:
    """The others stay where they were, and no table need have changed."""
    generation = await models.serving()
    assert await models.store(generation, SHARD, Position(0), Position(7), [])
    expected = [0] * 16
    expected[SHARD] = 7
    assert list(await models.checkpoints(generation)) == expected


async def test_where_the_checkpoint_has_moved_nothing_is_stored(
    models: ReadModels,
) -> None:
    """Of two projectors that read the same appends one stores them."""
    generation = await models.serving()
    await models.store(generation, SHARD, Position(0), Position(7), [])
    tables = [table_summary()]
    assert not await models.store(generation, SHARD, Position(0), Position(9), tables)
    assert await listed(models) == []
    assert (await models.checkpoints(generation))[SHARD] == 7


async def test_a_newer_version_replaces_a_table_and_its_decisions(
    models: ReadModels,
) -> None:
    """The whole row changes, and answered decisions are gone."""
    early, late = PlayerId(uuid4()), PlayerId(uuid4())
    old = table_summary(decisions=(decision(early, 0), decision(early, 1)))
    new = replace(
        old,
        version=Version(2),
        status="finished",
        free_seats=3,
        decisions=(decision(late, 1, 2),),
    )
    await fill(models, old)
    await fill(models, new)
    assert (await models.lobby(ANY, 10)).items == (row(new),)
    assert (await models.decisions_of(early, 10)).items == ()
    assert (await models.decisions_of(late, 10)).items == (
        Turn(new.table, new.decisions[0]),
    )


async def test_an_older_version_never_replaces_a_newer_one(models: ReadModels) -> None:
    """Neither the row nor its decisions; other tables of the batch are stored."""
    player = PlayerId(uuid4())
    new = table_summary(version=Version(5), decisions=(decision(player, 0, 5),))
    old = replace(new, version=Version(4), status="open", decisions=())
    other = table_summary(created_at=NOON - timedelta(1))
    await fill(models, new)
    await fill(models, old, other)
    assert (await models.lobby(ANY, 10)).items == (row(new), row(other))
    assert len((await models.decisions_of(player, 10)).items) == 1


async def test_private_tables_are_in_no_list(models: ReadModels) -> None:
    """Not even in their host's; their decisions reach their players."""
    player = PlayerId(uuid4())
    private = table_summary(visibility="private", decisions=(decision(player),))
    await fill(models, private)
    assert await listed(models) == []
    assert await listed(models, LobbyFilter(host=private.host)) == []
    assert len((await models.decisions_of(player, 10)).items) == 1


async def test_the_lobby_is_filtered(models: ReadModels) -> None:
    """By game, status, host and free seats, alone and together."""
    host = PlayerId(uuid4())
    tetka = table_summary(game="tetka", host=host, created_at=NOON + timedelta(2))
    opened = table_summary(
        status="open", free_seats=2, host=host, created_at=NOON + timedelta(1)
    )
    plain = table_summary()
    await fill(models, tetka, opened, plain)
    assert await listed(models) == [tetka.table, opened.table, plain.table]
    assert await listed(models, LobbyFilter(game="tetka")) == [tetka.table]
    assert await listed(models, LobbyFilter(status="open")) == [opened.table]
    assert await listed(models, LobbyFilter(host=host)) == [tetka.table, opened.table]
    assert await listed(models, LobbyFilter(has_free_seat=True)) == [opened.table]
    full = LobbyFilter(has_free_seat=False)
    assert await listed(models, full) == [tetka.table, plain.table]
    together = LobbyFilter("hearts", "open", host, has_free_seat=True)
    assert await listed(models, together) == [opened.table]
    assert await listed(models, replace(together, game="tetka")) == []


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
async def test_pages_of_the_lobby_hold_each_table_once(
    models: ReadModels, size: int
) -> None:
    """The newest first, and by id where several are of one moment."""
    moments = [NOON, NOON, NOON, *(NOON - timedelta(n) for n in range(4))]
    tables = [table_summary(created_at=moment) for moment in moments]
    await fill(models, *tables)
    seen: list[LobbyRow] = []
    cursor = None
    while True:
        page = await models.lobby(LobbyFilter(game="hearts"), size, cursor)
        assert len(page.items) <= size
        seen += page.items
        if (cursor := page.next) is None:
            break
    by_age = sorted(tables, key=lambda t: (t.created_at, t.table), reverse=True)
    assert seen == [row(table) for table in by_age]


async def test_a_new_table_does_not_disturb_a_cursor(models: ReadModels) -> None:
    """What comes in at the top moves nothing into or out of the next page."""
    first, second = table_summary(), table_summary(created_at=NOON - timedelta(1))
    await fill(models, first, second)
    page = await models.lobby(ANY, 1)
    await fill(models, table_summary(created_at=NOON + timedelta(1)))
    assert (await models.lobby(ANY, 1, page.next)).items == (row(second),)


@pytest.mark.parametrize("size", [1, 2, 5, 6])
async def test_pages_of_decisions_hold_each_once(models: ReadModels, size: int) -> None:
    """By table, and by seat within a table; other players' are not among them."""
    player, other = PlayerId(uuid4()), PlayerId(uuid4())
    both = (decision(player, 0), decision(other, 1), decision(player, 2))
    tables = [table_summary(decisions=both) for _ in range(3)]
    await fill(models, *tables)
    seen: list[Turn] = []
    cursor = None
    while True:
        page = await models.decisions_of(player, size, cursor)
        seen += page.items
        if (cursor := page.next) is None:
            break
    assert seen == [
        Turn(table.table, decision(player, seat))
        for table in sorted(tables, key=lambda t: t.table)
        for seat in (0, 2)
    ]


async def test_what_is_due_comes_in_its_order(models: ReadModels) -> None:
    """The longest due first, nothing before its time, at most as many as asked for."""
    late, later, to_come = (
        table_summary(due_at=NOON + timedelta(seconds=n)) for n in (1, 2, 3)
    )
    await fill(models, to_come, later, table_summary(), late)
    now = NOON + timedelta(seconds=2)
    assert list(await models.due(now, 10)) == [late.table, later.table]
    assert list(await models.due(now, 1)) == [late.table]
    await fill(models, replace(late, version=Version(2), due_at=None))
    assert list(await models.due(now, 10)) == [later.table]


async def test_what_is_left_alone_is_found_by_its_status(models: ReadModels) -> None:
    """Tables whose last event is older, of one status, private ones among them."""
    old = {"last_at": NOON - timedelta(hours=1)}
    opened = table_summary(status="open", visibility="private", **old)
    played = table_summary(**old)
    over = table_summary(status="finished", **old)
    await fill(models, opened, played, over, table_summary(), table_summary())
    assert list(await models.idle("open", NOON, 10)) == [opened.table]
    assert list(await models.idle("playing", NOON, 10)) == [played.table]
    assert list(await models.idle("playing", NOON - timedelta(hours=1), 10)) == []


async def test_matches_with_clocks_are_found_alone(models: ReadModels) -> None:
    """All that are on, or those whose decisions have a time."""
    clocked, free = table_summary(clocked=True), table_summary()
    over = table_summary(status="finished", clocked=True)
    await fill(models, clocked, free, over)
    every = {table async for table in models.in_play()}
    assert every == {clocked.table, free.table}
    assert [table async for table in models.in_play(clocked=True)] == [clocked.table]


async def test_a_rebuild_is_unseen_until_it_is_switched_to(models: ReadModels) -> None:
    """The old rows are served meanwhile, and are gone afterwards."""
    player = PlayerId(uuid4())
    old = table_summary(decisions=(decision(player),))
    await fill(models, old)
    before = await models.serving()
    rebuilt = await models.begin_rebuild()
    assert rebuilt > before
    assert list(await models.checkpoints(rebuilt)) == [0] * 16
    new = replace(old, status="finished", decisions=())
    assert await models.store(rebuilt, SHARD, Position(0), Position(4), [new])
    assert await models.serving() == before
    assert (await models.lobby(ANY, 10)).items == (row(old),)
    assert len((await models.decisions_of(player, 10)).items) == 1

    assert await models.switch(rebuilt)
    assert await models.serving() == rebuilt
    assert (await models.lobby(ANY, 10)).items == (row(new),)
    assert (await models.decisions_of(player, 10)).items == ()
    assert (await models.checkpoints(rebuilt))[SHARD] == 4


async def test_nothing_is_stored_in_a_generation_that_is_gone(
    models: ReadModels,
) -> None:
    """A projector that missed the switch is told to look again."""
    old = await models.serving()
    await models.switch(await models.begin_rebuild())
    assert not await models.store(
        old, SHARD, Position(0), Position(1), [table_summary()]
    )
    assert list(await models.checkpoints(old)) == []
    assert await listed(models) == []


async def test_of_two_rebuilds_the_newer_is_served_in_the_end(
    models: ReadModels,
) -> None:
    """The older may be served first, but never after the newer."""
    older, newer = await models.begin_rebuild(), await models.begin_rebuild()
    assert older != newer
    assert await models.switch(newer)
    assert not await models.switch(older)
    assert await models.serving() == newer


async def test_a_rebuild_given_up_is_in_nobodys_way(models: ReadModels) -> None:
    """The next one begins empty, and its switch drops what was left."""
    given_up = await models.begin_rebuild()
    await models.store(given_up, SHARD, Position(0), Position(1), [table_summary()])
    again = await models.begin_rebuild()
    assert list(await models.checkpoints(again)) == [0] * 16
    assert await models.switch(again)
    assert await listed(models) == []
    assert list(await models.checkpoints(given_up)) == []


async def test_a_generation_that_never_was_cannot_be_served(models: ReadModels) -> None:
    """The answer is no, and what is served stays."""
    before = await models.serving()
    assert not await models.switch(Generation(before + 10))
    assert await models.serving() == before


async def test_players_tables_are_found_until_they_are_over(
    models: ReadModels,
) -> None:
    """All at which each sits, the newest first by when it was opened; up to a bound."""
    player, other, nobody = (PlayerId(uuid4()) for _ in range(3))
    mine = [
        table_summary(
            players=(player, other), created_at=NOON - timedelta(hours=n // 2)
        )
        for n in range(6)
    ]
    others = table_summary(players=(other,), created_at=NOON - timedelta(days=1))
    await fill(models, *mine, others, table_summary())
    mine.sort(key=lambda it: (it.created_at, it.table), reverse=True)
    found = [it.table for it in mine]
    everybody = {player, other, nobody}
    assert await models.tables_of(everybody, 10) == {
        player: found,
        other: [*found, others.table],
    }
    assert await models.tables_of({player}, 2) == {player: found[:2]}
    over = replace(mine[0], version=Version(2), status="finished", players=())
    assert await models.store(
        await models.serving(), SHARD, Position(1), Position(2), [over]
    )
    assert await models.tables_of({player}, 10) == {player: found[1:]}
    assert await models.tables_of((), 10) == {}


async def test_a_hosts_live_tables_are_counted(models: ReadModels) -> None:
    """Open or in play, public or private, of this host; the count has a bound."""
    host = PlayerId(uuid4())
    await fill(
        models,
        table_summary(host=host, status="open"),
        table_summary(host=host, status="playing", visibility="private"),
        table_summary(host=host, status="finished"),
        table_summary(host=host, status="abandoned"),
        table_summary(host=PlayerId(uuid4()), status="open"),
    )
    assert [await models.live_tables(host, limit) for limit in (1, 2, 10)] == [1, 2, 2]
