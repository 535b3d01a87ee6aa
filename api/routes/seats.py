"""Seats: sitting down, bots, entropy, leaving."""

from typing import Final

from msgspec import MsgspecError
from msgspec.json import Decoder

from api.answers import Answer, answer
from api.bodies import decode
from api.calls import Call
from api.operations import Operation
from api.presenting import as_of, table_answer
from api.problems import BadRequest
from api.shapes import EntropyRequest, Invitation, SeatRequest, TableAnswer
from domain.errors import MatchHasStarted, SeatIsTaken
from services import plans, rights
from services.tables import Plan


async def take_seat(call: Call) -> Answer:
    """Sit down, or seat a bot.

    The caller sits, giving `entropy` for the shuffle or not; a private table wants its
    `invite`. With `bot`, the host seats one. Who left during the match comes back so.
    Who sits there already may say so again at any time until the table is over, and
    from the start of the match on `entropy` is of no use.
    """
    player, seat = call.player(), call.seat_number()
    try:
        raw: bytes | BadRequest = await call.raw()
    except BadRequest as why:
        raw = why  # it is told after the right to the table
    invite = None if isinstance(raw, BadRequest) else _invite(raw)
    await call.table(rights.join, invite=invite)
    if isinstance(raw, BadRequest):
        raise raw
    wanted = decode(raw, _seats)
    if wanted.bot is None:
        await call.table(rights.sit(seat))
        plan = plans.sit(call.caller, seat, wanted.entropy)
    else:
        await call.table(rights.manage)
        plan = plans.seat_bot(call.caller, seat, wanted.bot)
    try:
        return await _carry_out(call, plan, wanted)
    except (SeatIsTaken, MatchHasStarted):
        snapshot = await call.table(rights.join, current=True)
        if wanted.bot is None and snapshot.table.seat_of(player.id) == seat:
            return answer(await table_answer(call.house, snapshot, call.caller))
        raise


async def leave_seat(call: Call) -> Answer:
    """Leave a seat, or remove its occupant before the match.

    During the match the seat stays with its player, who may come back to it.
    """
    seat = call.seat_number()
    await call.table(rights.own_or_manage(seat))
    return await _carry_out(call, plans.leave(call.caller, seat))


async def give_entropy(call: Call) -> Answer:
    """Give entropy for the shuffle, until the match starts; the last given counts.

    With the entropy of one honest seat the server alone cannot have chosen the cards.
    """
    seat = call.seat_number()
    await call.table(rights.own(seat))
    wanted = await call.body(_entropy)
    plan = plans.give_entropy(call.caller, seat, wanted.entropy)
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
        return _invitations.decode(raw or b"{}").invite
    except (MsgspecError, RecursionError):
        return None


_seats: Final = Decoder(SeatRequest)
_entropy: Final = Decoder(EntropyRequest)
_invitations: Final = Decoder(Invitation)


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
            "observing",
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
