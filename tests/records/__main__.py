"""`python -m tests.records FOLDER`: write records for other verifiers to try.

`sound/` has whole matches and tables given up, `forged/` what must be found out, or
cannot be where `told.json` has null for its `check`. `told.json` says of each file what
our own verifier says.
"""

import json
import sys
from copy import deepcopy
from functools import partial
from pathlib import Path

from msgspec import to_builtins

from domain.records import verify
from tests.records.forgeries import FORGERIES
from tests.records.forging import lines, rehash
from tests.records.matches import MATCHES
from tests.records.matches import lines as lines_of


def write(folder: Path) -> None:
    """Write all of them."""
    records: dict[str, tuple[list[bytes], str | None]] = {
        f"sound/{name}.ndjson": ([*lines_of(name)], None) for name in MATCHES
    }
    for forgery in FORGERIES:
        record = deepcopy(forgery.record())
        forgery.forge(record)
        rehash(record)
        name = forgery.forge.__name__.replace("_", "-")
        records[f"forged/{name}.ndjson"] = lines(record), forgery.check
    told = {}
    for name, (its_lines, check) in records.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in its_lines))
        report = verify(partial(list, its_lines))
        told[name] = {"check": check, "report": to_builtins(report)}
    (folder / "told.json").write_text(json.dumps(told, indent=1), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
