"""What the page on proofs works out is what the vectors have."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "openapi" / "proofs.md").read_text("utf-8")
WORKED = re.findall(r"^```json (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_mechanism_has_a_worked_value() -> None:
    """All files of vectors are drawn on but deal/1's, whose keys the games' show."""
    files = {path.stem for path in (ROOT / "tests" / "vectors").glob("*.json")}
    assert {name for name, _ in WORKED} == files - {"deal-1"}


@pytest.mark.parametrize(("name", "text"), WORKED)
def test_a_worked_value_is_that_of_a_vector(name: str, text: str) -> None:
    """Each field in the page stands so in one and the same vector."""
    path = ROOT / "tests" / "vectors" / f"{name}.json"
    content = json.loads(path.read_text("utf-8"))
    vectors: list[dict[str, Any]] = content if isinstance(content, list) else [content]
    shown = json.loads(text)
    assert any(
        all(vector.get(key) == value for key, value in shown.items())
        for vector in vectors
    )
