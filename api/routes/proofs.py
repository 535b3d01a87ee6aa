"""Proofs: what somebody keeps or reads who trusts nobody's word."""

from api.answers import Answer, answer
from api.calls import Call
from api.operations import Operation
from domain.receipts import SignedReceipt
from services import rights


async def read_receipt(call: Call) -> Answer:
    """Get a signed receipt of where the table stands.

    Signed is the canonical JSON of `receipt`: its keys in alphabetical order, no space.
    The key is among `signing_keys` of `/v1/meta`. A log that later has another head at
    that version is not the one that was played.
    """
    snapshot = await call.table(rights.watch, current=True)
    return answer(await call.house.receipts.sign(snapshot))


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/receipt",
        handler=read_receipt,
        answer=SignedReceipt,
    ),
)
