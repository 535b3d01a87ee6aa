"""Tables and views as clients get them: the log's facts, with the names beside them."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, UnsetType

from api.house import House
from api.shapes import (
    OccupantShape,
    PlayerShape,
    ResultShape,
    SeatShape,
    StandingShape,
    TableAnswer,
    TableShape,
    ViewAnswer,
    Viewer,
)
from domain.chain import timestamp
from domain.facts import SeatFacts, TableFacts
from domain.ids import PlayerId, Seat, TableId
from domain.people import Occupant
from domain.sight import View
from domain.views import open_view, view
from services.facts import facts
from services.identity import successor
from services.ports import Player
from services.rights import Caller
from services.snapshots import Snapshot
from services.standings import Result, Standing
from services.tables import Done


def player_shape(player: Player) -> PlayerShape:
    """A player without what is nobody else's business."""
    return PlayerShape(player.id, player.name, player.kind)


async def table_shapes(house: House, tables: Sequence[TableFacts]) -> list[TableShape]:
    """Tables with the names of their players and their titles."""
    sitting = (seat.occupant for table in tables for seat in table.seats)
    ids = [who.player for who in sitting if who and who.player is not UNSET]
    people = await house.accounts.people(ids)
    notes = await house.notes.get([table.id for table in tables])
    rematches = await _rematches(house, tables)
    return [
        TableShape(
            **{
                field: getattr(table, field)
                for field in TableFacts.__struct_fields__
                if field != "seats"
            },
            seats=tuple(_seat(seat, people) for seat in table.seats),
            title=notes[table.id].title if table.id in notes else None,
            rematch=rematches.get(table.id),
        )
        for table in tables
    ]


async def table_answer(house: House, snapshot: Snapshot, caller: Caller) -> TableAnswer:
    """A table, with the invite where its host asks."""
    (shape,) = await table_shapes(house, [facts(snapshot)])
    invite: str | UnsetType = UNSET
    if shape.visibility == "private" and caller.id == shape.host:
        notes = await house.notes.get([shape.id])
        invite = notes[shape.id].invite or UNSET if shape.id in notes else UNSET
    return TableAnswer(shape, snapshot.table.version, snapshot.head.hex(), invite)


async def view_answer(
    house: House, snapshot: Snapshot, seat: Seat | None
) -> ViewAnswer:
    """The table as that seat, or the public, may see it."""
    viewer = Viewer(public=True) if seat is None else Viewer(seat=seat)
    return await _view_answer(house, snapshot, viewer, view(snapshot.table, seat))


async def open_view_answer(house: House, snapshot: Snapshot) -> ViewAnswer:
    """The table with all of its cards."""
    seen = open_view(snapshot.table)
    return await _view_answer(house, snapshot, Viewer(open=True), seen)


async def _view_answer(
    house: House, snapshot: Snapshot, viewer: Viewer, seen: View
) -> ViewAnswer:
    (shape,) = await table_shapes(house, [facts(snapshot)])
    return ViewAnswer(
        table=shape,
        version=snapshot.table.version,
        head=snapshot.head.hex(),
        viewer=viewer,
        deal=seen.deal,
        scores=seen.scores,
        result=seen.result,
        to_act=seen.to_act,
        decision=seen.decision,
        clocks=seen.clocks,
        server_time=timestamp(house.outside.now()) if seen.clocks else None,
        open=UNSET if seen.open is None else seen.open,
    )


async def standing_shapes(
    house: House, standings: Sequence[Standing]
) -> list[StandingShape]:
    """Where players stand, with their names."""
    people = await house.accounts.people([each.player for each in standings])
    return [
        StandingShape(
            player=player_shape(people[each.player]),
            game=each.game,
            games=each.games,
            wins=each.wins,
            shared_wins=each.shared_wins,
            average_score=round(each.scores / each.games, 2),
            average_place=round(each.places / each.games, 2),
            rated_games=each.rated_games,
            rating=each.worth,
        )
        for each in standings
    ]


def result_shape(result: Result) -> ResultShape:
    """A result as clients get it."""
    return ResultShape(
        table=result.table,
        game=result.game,
        ended_at=timestamp(result.ended_at),
        seats=result.seats,
        seat=result.seat,
        score=result.score,
        place=result.place,
        won=result.won,
        shared=result.shared,
        rated=result.rated,
        rating=result.rating.worth if result.rating else None,
    )


async def as_of(house: House, snapshot: Snapshot, done: Done) -> Snapshot:
    """The table right after an append: what a repeated command's answer shows."""
    if snapshot.table.version == done.version:
        return snapshot
    return await house.tables.at(snapshot.table.id, done.version)


async def _rematches(
    house: House, tables: Sequence[TableFacts]
) -> Mapping[TableId, TableId]:
    """The successors of those that are over and have one, if anybody asked for it."""
    over = {
        table.id: successor(table.id)
        for table in tables
        if table.status in {"finished", "abandoned"}
    }
    made = await house.log.heads([*over.values()]) if over else {}
    return {table: following for table, following in over.items() if following in made}


def _seat(seat: SeatFacts, people: Mapping[PlayerId, Player]) -> SeatShape:
    occupant = _occupant(seat.occupant, people) if seat.occupant else None
    return SeatShape(seat.seat, occupant, seat.reserved, seat.away, seat.proxied)


def _occupant(who: Occupant, people: Mapping[PlayerId, Player]) -> OccupantShape:
    if who.player is UNSET:
        return OccupantShape(bot=who.bot)
    player = people.get(who.player)
    if player is None:  # of a table that was played elsewhere
        return OccupantShape(player=who.player, name=None)
    return OccupantShape(player=player.id, name=player.name, kind=player.kind)
