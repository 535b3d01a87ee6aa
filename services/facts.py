"""What is known of a table as a process has followed it."""

from domain.facts import TableFacts, facts_of
from services.snapshots import Snapshot


def facts(snapshot: Snapshot) -> TableFacts:
    """What the table's log tells of it."""
    return facts_of(snapshot.table, snapshot.opened_at)
