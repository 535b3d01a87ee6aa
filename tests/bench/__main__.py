"""`python -m tests.bench [PART …]`: measure all parts, or those named."""

import sys

from rich.console import Console

from tests.bench import domain, http, records, standing, tables

PARTS = {
    "domain": domain.measure,
    "http": http.measure,
    "standing": standing.measure,
    "tables": tables.measure,
    "records": records.measure,
}


def main() -> None:
    """Measure and print."""
    for name in sys.argv[1:] or PARTS:
        PARTS[name](Console())


main()
