"""The OpenAPI document: valid, complete, and true to what the code has."""

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from litestar.routes import HTTPRoute
from msgspec import to_builtins
from openapi_spec_validator import validate

from api.app import application
from api.cli import openapi
from api.problems import KINDS
from domain.commands import MOVES
from domain.decisions import Choices
from domain.events import EVENT_TYPES
from domain.games import GAMES
from domain.ids import Seat
from domain.views import view
from tests.documented import (
    DESCRIBED,
    DOCUMENT,
    EXAMPLES,
    PROBLEM,
    SCHEMAS,
    Described,
    Json,
    empty_house,
    fault,
    ok,
    parts,
)
from tests.driver import of_bots

COMMITTED: Final = Path(__file__).parents[2] / "openapi" / "openapi.json"

UNDESCRIBED: Final = {"/openapi.json", "/docs", "/docs/{asset}"}
"""Addresses that are no part of the API."""

each_operation = pytest.mark.parametrize("operation", DESCRIBED.values(), ids=DESCRIBED)

each_union = pytest.mark.parametrize(
    "name", [name for name, schema in SCHEMAS.items() if "discriminator" in schema]
)


def test_the_committed_document_is_the_one_that_is_served() -> None:
    """`make openapi` was run after the last change."""
    printed = CliRunner().invoke(openapi).output
    assert COMMITTED.read_text("utf-8") == printed, "run `make openapi`"


def test_the_document_is_valid() -> None:
    """It is OpenAPI 3.1, its schemas are JSON Schemas, its defaults fit."""
    validate(DOCUMENT)


def test_every_reference_leads_somewhere() -> None:
    """Each `$ref` and each target of a mapping is in the document."""
    targets = [part["$ref"] for part in parts(DOCUMENT) if "$ref" in part]
    for part in parts(DOCUMENT):
        targets += part.get("discriminator", {}).get("mapping", {}).values()
    for target in targets:
        root, *names = target.split("/")
        assert root == "#"
        found: Any = DOCUMENT
        for name in names:
            assert name in found, target
            found = found[name]


def test_no_schema_is_without_use() -> None:
    """Each is referred to from somewhere."""
    used = {
        part["$ref"].rpartition("/")[2] for part in parts(DOCUMENT) if "$ref" in part
    }
    assert set(SCHEMAS) <= used


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_says_what_it_is(name: str) -> None:
    """It has a description of its own, and its name for a title."""
    assert SCHEMAS[name].get("description", "").endswith((".", "`", ":"))
    assert SCHEMAS[name]["title"] == name


@each_union
def test_a_union_is_told_apart_by_its_tag(name: str) -> None:
    """Every member is in the mapping, and each demands its own `type`."""
    union = SCHEMAS[name]
    mapping = union["discriminator"]["mapping"]
    assert union["discriminator"]["propertyName"] == "type"
    assert sorted(mapping.values()) == sorted(part["$ref"] for part in union["oneOf"])
    for tag, target in mapping.items():
        member = SCHEMAS[target.rpartition("/")[2]]
        assert "type" in member["required"]
        assert fault(member["properties"]["type"], tag) is None
        for other in mapping.keys() - {tag}:
            assert fault(member["properties"]["type"], other)


def test_the_unions_are_whole() -> None:
    """Every move, every choice and every event that the domain has is in its union."""
    tags = {
        name: set(schema["discriminator"]["mapping"])
        for name, schema in SCHEMAS.items()
        if "discriminator" in schema
    }
    choices = {str(kind.__struct_config__.tag) for kind in Choices.__subclasses__()}
    assert tags == {
        "Move": set(MOVES),
        "Choices": choices,
        "ServedEvent": set(EVENT_TYPES),
    }


def test_events_show_a_seal_for_what_they_hide() -> None:
    """What is secret has no field; what is sealed has its seal; reveals show all."""
    shown = {
        name: set(schema.get("properties", ())) for name, schema in SCHEMAS.items()
    }
    assert shown["HandDealtData"] == {"seat", "count", "seal"}
    assert shown["DealStartedData"] == {"deal", "dealer", "commitment", "arranged"}
    assert not shown["TableOpenedData"] & {"secret", "arrangement"}
    assert "arranged" in shown["TableOpenedData"]
    assert shown["DealRevealedData"] == {"deal", "secret", "opened"}
    assert shown["MatchRevealedData"] == {"secret", "opened"}


def test_a_move_is_of_one_kind() -> None:
    """What one move says does not pass for another, nor does more than it says."""
    move = {"$ref": "#/components/schemas/Move"}
    assert fault(move, {"type": "play", "card": "QS"}) is None
    assert fault(move, {"type": "pass", "card": "QS"})
    assert fault(move, {"type": "play", "card": "QS", "cards": []})
    assert fault(move, {"type": "play", "card": "1S"})
    assert fault(move, {"card": "QS"})


def test_operation_ids_are_unique() -> None:
    """Generated clients name their functions by them."""
    ids = Counter(
        operation["operationId"]
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
    )
    assert [name for name, times in ids.items() if times > 1] == []


@each_operation
def test_an_operation_is_described(operation: Described) -> None:
    """It has a summary in plain words and a tag that the document explains."""
    tags = {tag["name"]: tag["description"] for tag in DOCUMENT["tags"]}
    assert operation.text["summary"]
    assert "`" not in operation.text["summary"]
    [tag] = operation.text["tags"]
    assert tags[tag]


@each_operation
def test_parameters_are_typed(operation: Described) -> None:
    """Those of the path are all there, and each parameter says of which type it is."""
    parameters = operation.text["parameters"]
    in_path = {each["name"] for each in parameters if each["in"] == "path"}
    assert in_path == {
        part.strip("{}") for part in operation.path.split("/") if part[:1] == "{"
    }
    for parameter in parameters:
        assert parameter["schema"].keys() & {"type", "enum", "$ref"}, parameter
        assert parameter["required"] or parameter["in"] != "path"


@each_operation
def test_a_request_has_an_example_of_its_schema(operation: Described) -> None:
    """Where an operation takes a body, there is one to copy."""
    body = operation.body
    if body is None:
        return
    shown = [each["value"] for each in body.get("examples", {}).values()]
    shown += [body["example"]] if "example" in body else []
    assert shown, f"no request in api/examples/{operation.id}.json"
    for example in shown:
        assert fault(body["schema"], example) is None


@each_operation
def test_an_answer_has_an_example_of_its_schema(operation: Described) -> None:
    """Where an operation answers in JSON, its example is an answer it could give."""
    answer = operation.answer
    if answer is None:
        return
    assert "example" in answer, f"no answer in api/examples/{operation.id}.json"
    assert fault(answer["schema"], answer["example"]) is None


def test_every_move_has_an_example() -> None:
    """A client's author sees how each is sent."""
    body = DESCRIBED["sendCommand"].body
    assert body is not None
    shown = body["examples"]
    assert set(shown) == set(MOVES)
    assert all(shown[name]["value"]["type"] == name for name in shown)


def test_every_file_of_examples_is_used() -> None:
    """None is left from an operation that has gone or was renamed."""
    kept = {path.name for path in (files("api") / "examples").iterdir()}
    assert kept <= {f"{name}.json" for name in [*DESCRIBED, "problems"]}


def test_no_example_holds_a_real_token() -> None:
    """Whoever copies one is refused, and whoever scans for secrets finds none."""
    tokens = [
        part["token"]
        for each in DESCRIBED.values()
        if each.answer
        for part in parts(each.answer["example"])
        if "token" in part
    ]
    assert tokens
    assert all(token.startswith("msr_example") for token in tokens)


@pytest.mark.parametrize("code", KINDS)
def test_a_problem_has_an_example_of_its_kind(code: str) -> None:
    """It is one that the catalogue could have made."""
    example = EXAMPLES[code]["value"]
    assert fault({"$ref": "#/components/schemas/Problem"}, example) is None
    kind = KINDS[code]
    assert (example["code"], example["status"]) == (code, kind.status)
    assert (example["title"], example["retryable"]) == (kind.title, kind.retryable)
    assert ("rule" in example) == (code == "rule-violation")


@each_operation
def test_problems_stand_under_their_status(operation: Described) -> None:
    """Each is `application/problem+json`, with its codes, and an example for each."""
    assert operation.problems
    for status, response in operation.problems.items():
        assert set(response["content"]) == {PROBLEM}
        content = response["content"][PROBLEM]
        codes = content["schema"]["allOf"][1]["properties"]["code"]["enum"]
        assert {str(KINDS[code].status) for code in codes} == {status}
        assert set(content["examples"]) == set(codes)
        for code in codes:
            assert fault(content["schema"], EXAMPLES[code]["value"]) is None
        other = next(code for code in KINDS if code not in codes)
        assert fault(content["schema"], EXAMPLES[other]["value"])


@each_operation
def test_operations_name_the_problems_of_their_needs(operation: Described) -> None:
    """Who needs a token may lack it, who takes a body may get a wrong one."""
    codes = operation.codes
    assert {"unauthenticated", "store-unavailable", "internal"} <= codes
    assert "WWW-Authenticate" in operation.problems["401"]["headers"]
    if "{table}" in operation.path:
        assert {"not-found", "forbidden"} <= codes
    if operation.body is not None:
        assert {"malformed-json", "too-large", "unsupported-media-type"} <= codes
    queried = {
        each["name"] for each in operation.text["parameters"] if each["in"] == "query"
    }
    if queried - {"invite"}:
        assert "invalid-request" in codes
    if "Idempotency-Key" in {each["name"] for each in operation.text["parameters"]}:
        assert {"idempotency-key-reused", "busy", "invalid-request"} <= codes


def test_the_catalogue_and_the_operations_agree() -> None:
    """Every code comes from some operation, or from a request that meets none."""
    named = {code for operation in DESCRIBED.values() for code in operation.codes}
    assert named | {"not-found", "method-not-allowed"} == set(KINDS)


def test_the_routes_are_those_of_the_document() -> None:
    """Whatever the server answers to is described, and nothing else is."""
    served = {
        (method, route.path_format)
        for route in application(empty_house, []).routes
        if isinstance(route, HTTPRoute)
        for method in route.methods - {"OPTIONS"}
        if route.path_format not in UNDESCRIBED
    }
    described = {(each.method, each.path) for each in DESCRIBED.values()}
    assert served == described


@each_operation
def test_an_operation_succeeds_in_one_way(operation: Described) -> None:
    """One status of success, with a body unless it is 204."""
    [status] = filter(ok, operation.text["responses"])
    assert ("content" in operation.success) == (status != "204")


def test_an_example_is_one_story() -> None:
    """The table that Ada opens is the one that Ben sits down at and is recorded."""
    example: dict[str, Json] = {
        name: each.answer["example"] for name, each in DESCRIBED.items() if each.answer
    }
    table = example["createTable"]["table"]["id"]
    assert example["takeSeat"]["table"]["id"] == table
    assert example["readView"]["table"]["id"] == table
    assert example["sendCommand"]["events"][0]["prev"] == example["readView"]["head"]
    assert example["readRecord"]["table"]["id"] == table
    assert example["askForRematch"]["table"]["rematch_of"] == table
    [result] = example["listResultsOfPlayer"]["items"]
    end = example["readRecord"]["events"][-1]
    assert (result["table"], result["ended_at"]) == (table, end["at"])
    assert result["score"] == end["data"]["scores"][result["seat"]]
    assert "Ada" in json.dumps(example["startMatch"])


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_shows_is_described(game: str) -> None:
    """Each field that only this game has stands in one of the schemas of its part."""
    seats = GAMES[game].usual_seats
    deal = view(of_bots(game, seats=seats).table, Seat(0)).deal
    assert deal is not None
    names = [each["$ref"].rpartition("/")[2] for each in SCHEMAS["GameView"]["anyOf"]]
    described = [set(SCHEMAS[name]["properties"]) for name in names]
    assert set(to_builtins(deal.game)) in described
