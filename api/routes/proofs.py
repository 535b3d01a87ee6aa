"""Proofs: what somebody keeps or reads who trusts nobody's word."""

from typing import Final

from api.answers import Answer, answer
from api.calls import Call
from api.operations import Operation
from domain.proofs import DealProof
from domain.receipts import SignedReceipt
from services import rights

MOST_DEALS: Final = 999_999


async def read_receipt(call: Call) -> Answer:
    """Get a signed receipt of where the table stands.

    Signed is the canonical JSON of `receipt`: its keys in alphabetical order, no space.
    The key is among `signing_keys` of `/v1/meta`. A log that later has another head at
    that version is not the one that was played.
    """
    snapshot = await call.table(rights.watch, current=True)
    return answer(await call.house.receipts.sign(snapshot))


async def read_deal_proof(call: Call) -> Answer:
    """Read how a deal was dealt, once it is over.

    All that is needed to shuffle it again and to open its seals. The match's secret is
    there when the match is over.
    """
    snapshot = await call.table(rights.watch, current=True)
    deal = call.number("deal", most=MOST_DEALS)
    return answer(await call.house.showing.proof(snapshot, deal))


OPERATIONS = (
    Operation(
        method="GET",
        path="/v1/tables/{table}/receipt",
        handler=read_receipt,
        answer=SignedReceipt,
    ),
    Operation(
        method="GET",
        path="/v1/tables/{table}/deals/{deal}/proof",
        handler=read_deal_proof,
        answer=DealProof,
        problems=("deal-not-over",),
    ),
)
