"""Receipts: what is signed, and what they prove of a record."""

import json
from importlib.resources import files
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.ids import TableId, Version
from domain.receipts import (
    FORMAT,
    Fault,
    Receipt,
    SignedReceipt,
    SigningKey,
    checked,
    key_id,
    signed_bytes,
)
from infra.signing import Ed25519, verify

TABLE: Final = TableId(UUID(int=7))
HEADS: Final = {Version(version): f"{version:064x}" for version in range(1, 11)}
PRIVATE: Final = bytes(range(32))
PUBLIC: Final = Ed25519().public(PRIVATE)
KEY: Final = SigningKey(
    id=key_id(PUBLIC),
    algorithm="Ed25519",
    key=PUBLIC.hex(),
    valid_from="2026-11-30T12:00:00.000000Z",
    valid_until="2026-12-01T12:00:00.000000Z",
)
RECEIPT: Final = Receipt(
    format=FORMAT,
    table=TABLE,
    version=Version(4),
    head=HEADS[Version(4)],
    at="2026-11-30T12:00:00.000000Z",
    key=KEY.id,
)


def signed(receipt: Receipt) -> SignedReceipt:
    """The receipt with its signature."""
    signature = Ed25519().sign(PRIVATE, signed_bytes(receipt))
    return SignedReceipt(receipt, signature.hex())


def fault_of(receipt: SignedReceipt) -> Fault | None:
    """What is wrong with a receipt."""
    [finding] = checked([receipt], [KEY], TABLE, HEADS, verify)
    assert finding.receipt == receipt.receipt
    return finding.fault


def test_what_is_signed_is_canonical_json() -> None:
    """Spelled out here, so that others can make the same bytes."""
    assert signed_bytes(RECEIPT) == (
        b'{"at":"2026-11-30T12:00:00.000000Z","format":"misere-receipt/1",'
        b'"head":"0000000000000000000000000000000000000000000000000000000000000004",'
        b'"key":"' + KEY.id.encode() + b'",'
        b'"table":"00000000-0000-0000-0000-000000000007","version":4}'
    )


def test_a_receipt_of_the_record_holds() -> None:
    """The log still has the head that the server signed."""
    assert fault_of(signed(RECEIPT)) is None


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"key": "00" * 8}, "unknown-key"),
        ({"at": "2026-11-30T11:59:59.999999Z"}, "key-not-in-use"),
        ({"at": "2026-12-01T12:00:00.000000Z"}, "key-not-in-use"),
        ({"table": TableId(UUID(int=8))}, "another-table"),
        ({"version": Version(11)}, "beyond-the-record"),
        ({"version": Version(5)}, "another-head"),
        ({"head": "ab" * 32}, "another-head"),
    ],
)
def test_a_receipt_that_does_not_hold_says_why(
    changes: dict[str, Any], fault: Fault
) -> None:
    """Each of these is signed as it is."""
    assert fault_of(signed(replace(RECEIPT, **changes))) == fault


@pytest.mark.parametrize(
    "changes",
    [
        {"head": "ab" * 32},
        {"version": Version(5)},
        {"at": "2026-11-30T12:00:00.000001Z"},
        {"table": TableId(UUID(int=8))},
    ],
)
def test_a_receipt_that_was_changed_is_nobodys(changes: dict[str, Any]) -> None:
    """Whatever was changed after it was signed."""
    forged = replace(signed(RECEIPT), receipt=replace(RECEIPT, **changes))
    assert fault_of(forged) == "wrong-signature"


def test_a_signature_that_is_none_is_wrong() -> None:
    """It raises nothing."""
    assert fault_of(SignedReceipt(RECEIPT, "00" * 64)) == "wrong-signature"
    assert not verify(b"\xff" * 32, b"", bytes(64))
    assert not verify(b"short", b"", bytes(64))


def test_signatures_are_those_of_rfc_8032() -> None:
    """Its third test vector."""
    private = "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"
    public = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
    signature = (
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    )
    key, message = bytes.fromhex(private), bytes.fromhex("af82")
    assert Ed25519().public(key).hex() == public
    assert Ed25519().sign(key, message).hex() == signature
    assert verify(bytes.fromhex(public), message, bytes.fromhex(signature))


def test_the_documented_receipt_holds() -> None:
    """The examples of the API can be checked: receipt, key and record fit together."""
    receipt, meta, record = (
        json.loads((files("api") / "examples" / f"{name}.json").read_text("utf-8"))
        for name in ("readReceipt", "readMeta", "readRecord")
    )
    answer = msgspec.convert(receipt["answer"], SignedReceipt)
    keys = msgspec.convert(meta["answer"]["signing_keys"], list[SigningKey])
    heads = {
        Version(event["version"]): event["hash"] for event in record["answer"]["events"]
    }
    [finding] = checked([answer], keys, answer.receipt.table, heads, verify)
    assert finding.fault is None
