"""Makes a worker die at a chosen place, now and then: `MISERE_TEST_DIES_AT` names it.

Python runs this at its start where the folder is on its path. `committed` is between
the commit of a flight and its answers, `unpublished` between commit and publishing.
`MISERE_TEST_OFTEN` says how likely it dies each time that it gets there. Each death is
noted as a line in the file `MISERE_TEST_DEATHS`; before that is there, none dies.
"""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from typing import Final

_chance: Final = SystemRandom()


def die_perhaps() -> None:
    """Note it, and be gone."""
    deaths = Path(os.environ["MISERE_TEST_DEATHS"])
    if deaths.exists() and _chance.random() < float(os.environ["MISERE_TEST_OFTEN"]):
        with deaths.open("a") as file:
            file.write(f"{os.getpid()}\n")
        os.kill(os.getpid(), signal.SIGKILL)


def die_when_committed() -> None:
    """Between the commit of a flight and its answers."""
    from infra.event_log import PostgresEventLog  # noqa: PLC0415
    from services.ports import NewAppend, Outcome  # noqa: PLC0415

    append = PostgresEventLog.append

    async def dying(
        self: PostgresEventLog, batch: Sequence[NewAppend]
    ) -> Sequence[Outcome]:
        outcomes = await append(self, batch)
        die_perhaps()
        return outcomes

    PostgresEventLog.append = dying  # type: ignore[method-assign]


def die_before_publishing() -> None:
    """Once followers here were told, and before others are."""
    from services.following import Following  # noqa: PLC0415
    from services.ports import Slice  # noqa: PLC0415

    tell = Following.tell

    def dying(self: Following, news: Slice) -> None:
        die_perhaps()
        tell(self, news)

    Following.tell = dying  # type: ignore[method-assign]


PLACES: Final = {
    "committed": die_when_committed,
    "unpublished": die_before_publishing,
}

if "spawn_main" in " ".join(sys.orig_argv):
    PLACES[os.environ["MISERE_TEST_DIES_AT"]]()
