"""The schema of records: current, valid, and true of real records."""

import json
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from api.cli import openapi
from api.record_schema import record_schema
from tests.records.forgeries import out_of_shape
from tests.records.forging import two_deals
from tests.records.matches import MATCHES, match

COMMITTED: Final = Path(__file__).parents[2] / "openapi" / "record.schema.json"

SCHEMA: Final = json.loads(json.dumps(record_schema()))

VALIDATOR: Final = Draft202012Validator(
    SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER
)


def test_the_committed_schema_is_the_one_that_is_made() -> None:
    """`make openapi` was run after the last change."""
    printed = CliRunner().invoke(openapi, ["--record"]).output
    assert COMMITTED.read_text("utf-8") == printed, "run `make openapi`"


def test_the_schema_is_one() -> None:
    """By the rules of JSON Schema; it leans on nothing outside."""
    Draft202012Validator.check_schema(SCHEMA)
    assert "#/components" not in COMMITTED.read_text("utf-8")


@pytest.mark.parametrize("name", MATCHES)
def test_records_are_of_the_schema(name: str) -> None:
    """Of every game, with an event of each type that is in it."""
    record = match(name).record()
    some = {event["type"]: event for event in record["events"]}
    assert [*VALIDATOR.iter_errors(record | {"events": [*some.values()]})] == []


def test_what_is_out_of_shape_is_not() -> None:
    """Nor is anything that another format says."""
    record = two_deals()
    assert VALIDATOR.is_valid(record)
    assert not VALIDATOR.is_valid(record | {"format": "misere-record/2"})
    out_of_shape(record)
    assert not VALIDATOR.is_valid(record)
