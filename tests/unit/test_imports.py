"""What the inner rooms of the house may use."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALLOWED = {
    "domain": {"domain", "msgspec"},
    "services": {"domain", "services", "msgspec"},
}


@pytest.mark.parametrize("room", ALLOWED)
def test_an_inner_room_uses_the_standard_library_and_msgspec_only(room: str) -> None:
    """No other library is imported, whether or not anybody thought to forbid it."""
    used = {
        name.partition(".")[0]
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in _imported(node)
    }
    assert used - ALLOWED[room] <= sys.stdlib_module_names


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return []
