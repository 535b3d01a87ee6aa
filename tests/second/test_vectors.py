"""The second verifier reproduces the published vectors."""

import hmac
import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.second.node import HERE, run

VECTORS = Path(__file__).parents[1] / "vectors"


@cache
def worked_out() -> dict[str, list[dict[str, Any]]]:
    """What it makes of each vector, by file."""
    done = run(HERE / "vectors.mjs")
    assert done.returncode == 0, done.stderr
    found: dict[str, list[dict[str, Any]]] = json.loads(done.stdout)
    return found


def test_digests_and_codes_are_those_of_another_library() -> None:
    """For messages of every length up to three blocks."""
    lines = run(HERE / "digests.mjs").stdout.splitlines()
    for length, line in enumerate(lines):
        message = bytes((length * 7 + place) % 256 for place in range(length))
        code = hmac.digest(message[:64], message, "sha256").hex()
        assert line.split() == [sha256(message).hexdigest(), code]
    assert len(lines) == 193


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.json")), ids=lambda it: it.stem)
def test_each_value_of_a_vector_is_what_it_works_out(path: Path) -> None:
    """Hashes, salts, seals, secrets, keys, orders, hands, draws."""
    content = json.loads(path.read_text("utf-8"))
    vectors = content if isinstance(content, list) else [content]
    for vector, values in zip(vectors, worked_out()[path.stem], strict=True):
        assert len(values) >= 2
        assert values == {name: vector.get(name) for name in values}
