"""Seats: sitting down, bots, entropy, leaving."""

import msgspec

from api.answers import Answer, answer
from api.bodies import decode
from api.calls import Call
from api.operations import Operation
from api.presenting import as_of, table_answer
from api.problems import BadRequest
from api.shapes import EntropyRequest, Invitation, SeatRequest, TableAnswer
from domain.commands import Command, GiveEntropy, LeaveSeat, TakeSeat
from domain.errors import MatchHasStarted, SeatIsTaken
from domain.people import By, Occupant
from domain.table import Table
from services import rights
from services.tables import Plan


async def take_seat(call: Call) -> Answer:
    """Sit down, or seat a bot.

    The caller sits, giving `entropy` for the shuffle or not; a private table wants its
    `invite`. With `bot`, the host seats one. Who left during the match comes back so.
    """
    player, seat = call.player(), call.seat_number()
    try:
        raw: bytes | BadRequest = await call.raw()
    except BadRequest as why:
        raw = why  # it is told after the right to the table
    invite = None if isinstance(raw, BadRequest) else _invite(raw)
    snapshot = await call.table(rights.join, invite=invite)
    if isinstance(raw, BadRequest):
        raise raw
    wanted: SeatRequest = decode(raw, SeatRequest)
    right = rights.sit(seat) if wanted.bot is None else rights.manage
    await call.table(right)

    def plan(table: Table) -> tuple[By, Command]:
        right(table, call.caller)
        by = By(player=player.id)
        if wanted.bot is not None:
            return by, TakeSeat(seat, Occupant(bot=wanted.bot))
        if table.seat_of(player.id) == seat and wanted.entropy is not None:
            return by, GiveEntropy(seat, wanted.entropy)
        return by, TakeSeat(seat, Occupant(player=player.id), wanted.entropy)

    try:
        return await _carry_out(call, plan, wanted)
    except SeatIsTaken:
        snapshot = await call.table(rights.join, current=True)
        if wanted.bot is None and snapshot.table.seat_of(player.id) == seat:
            return answer(await table_answer(call.house, snapshot, call.caller))
        raise


async def leave_seat(call: Call) -> Answer:
    """Leave a seat, or remove its occupant before the match.

    During the match the seat stays with its player, who may come back to it.
    """
    player, seat = call.player(), call.seat_number()
    await call.table(rights.own_or_manage(seat))

    def plan(table: Table) -> tuple[By, Command]:
        rights.own_or_manage(seat)(table, call.caller)
        if table.status == "playing" and table.seat_of(player.id) != seat:
            raise MatchHasStarted("Nobody is removed during a match.")
        return By(player=player.id), LeaveSeat(seat)

    return await _carry_out(call, plan)


async def give_entropy(call: Call) -> Answer:
    """Give entropy for the shuffle, until the match starts; the last given counts.

    With the entropy of one honest seat the server alone cannot have chosen the cards.
    """
    player, seat = call.player(), call.seat_number()
    await call.table(rights.own(seat))
    wanted: EntropyRequest = await call.body(EntropyRequest)

    def plan(table: Table) -> tuple[By, Command]:
        rights.own(seat)(table, call.caller)
        return By(player=player.id), GiveEntropy(seat, wanted.entropy)

    return await _carry_out(call, plan, wanted)


async def _carry_out(call: Call, plan: Plan, contents: object = None) -> Answer:
    snapshot, done = await call.house.tables.execute(
        call.table_id(), plan, call.identity(contents)
    )
    shown = await as_of(call.house, snapshot, done)
    return answer(await table_answer(call.house, shown, call.caller))


def _invite(raw: bytes) -> str | None:
    """The invite that a body shows, even one that is wrong in other parts.

    A stranger to a private table must not learn from an error that it is there.
    """
    try:
        return msgspec.json.decode(raw or b"{}", type=Invitation).invite
    except (msgspec.MsgspecError, RecursionError):
        return None


OPERATIONS = (
    Operation(
        method="PUT",
        path="/v1/tables/{table}/seats/{seat}",
        handler=take_seat,
        body=SeatRequest,
        answer=TableAnswer,
        token=True,
        keyed=True,
        problems=(
            "unknown-seat",
            "seat-taken",
            "seat-reserved",
            "already-seated",
            "match-started",
            "table-finished",
        ),
    ),
    Operation(
        method="DELETE",
        path="/v1/tables/{table}/seats/{seat}",
        handler=leave_seat,
        answer=TableAnswer,
        token=True,
        problems=(
            "unknown-seat",
            "seat-empty",
            "match-started",
            "table-finished",
            "busy",
        ),
    ),
    Operation(
        method="PUT",
        path="/v1/tables/{table}/seats/{seat}/entropy",
        handler=give_entropy,
        body=EntropyRequest,
        answer=TableAnswer,
        token=True,
        keyed=True,
        problems=("match-started", "table-finished"),
    ),
)
