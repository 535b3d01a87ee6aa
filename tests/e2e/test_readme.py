"""What the README promises."""

import re
import subprocess
from pathlib import Path

from tests.e2e.running import Server

README = Path(__file__).parents[2] / "README.md"


def test_the_first_game_can_be_pasted(server: Server) -> None:
    """The README's lines, pasted into a shell, play a match to its end."""
    found = re.search(r"(?ms)^```sh\n(.*?)^```$", README.read_text("utf-8"))
    assert found
    lines = found[1].replace("http://127.0.0.1:8000", server.address)
    ran = subprocess.run(  # noqa: S603 - the project's own text
        ["bash", "-euc", lines],  # noqa: S607 - whichever shell a reader has
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    *_, result, record_end = ran.stdout.splitlines()
    assert result.startswith("{'scores': [")
    assert "winners" in result
    assert '"version":' in record_end
