"""The command line, as far as it needs no database."""

import pytest
from click.testing import CliRunner

from api.cli import token
from infra.settings import Settings


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\nb", "a\n", "a\u202eb"])
def test_an_administrator_has_a_name_like_anybody(name: str) -> None:
    """One that the API would not take is refused, and nobody is made."""
    done = CliRunner().invoke(token, ["--admin", "--name", name], obj=Settings())
    assert done.exit_code != 0
    assert "Invalid value for --name" in done.output
