"""What the integrators' guide promises."""

import re
import subprocess
from pathlib import Path
from typing import Final

from tests.e2e.running import Server

GUIDE: Final = Path(__file__).parents[2] / "openapi" / "guide.md"


def test_the_guide_can_be_pasted(server: Server, tmp_path: Path) -> None:
    """Its programs and lines, in order, play a match and check its record."""
    text = GUIDE.read_text("utf-8")
    for name, program in re.findall(
        r"(?ms)`(\w+\.py)`:\n\n```python\n(.*?)^```$", text
    ):
        (tmp_path / name).write_text(program, "utf-8")
    lines = "".join(re.findall(r"(?ms)^```sh\n(.*?)^```$", text))
    ran = subprocess.run(  # noqa: S603 - the project's own text
        ["bash", "-euo", "pipefail", "-c", f"API={server.address}/v1\n{lines}"],  # noqa: S607 - whichever shell a reader has
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    said = ran.stdout.splitlines()
    assert said[1:3] == ["open", "playing"]
    assert said[3] == said[4]
    assert "winners" in said[3]
    assert said[5] == "match_ended caught_up end"
    assert said[6] == "idempotency-key-reused"
    assert any("hand_dealt [{'body'" in line for line in said)
    assert said[-2].startswith("good:")
    assert said[-1].endswith('"ok":true,"version":' + said[-2].split()[1] + "}")
