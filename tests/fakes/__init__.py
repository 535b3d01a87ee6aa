"""The ports of `services` in memory: each passes the contract that Postgres passes."""

from tests.fakes.appends import Chain
from tests.fakes.hints import MemoryHints, MemoryLine
from tests.fakes.key_ring import MemoryKeyRing
from tests.fakes.lease import MemoryLease
from tests.fakes.memory import MemoryEventLog, MemoryNotes, MemoryPlayers
from tests.fakes.read_models import MemoryReadModels
from tests.fakes.standings import MemoryStandings
from tests.fakes.summaries import NOON, ended_match, table_summary

__all__ = [
    "NOON",
    "Chain",
    "MemoryEventLog",
    "MemoryHints",
    "MemoryKeyRing",
    "MemoryLease",
    "MemoryLine",
    "MemoryNotes",
    "MemoryPlayers",
    "MemoryReadModels",
    "MemoryStandings",
    "ended_match",
    "table_summary",
]
