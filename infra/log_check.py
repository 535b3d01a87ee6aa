"""A whole log, checked where it lies: no gap, no fork, every chain holds.

It is read a little at a time, so that its size does not matter.
"""

from typing import Final

import asyncpg

from domain.chain import link, origin, shard_of
from domain.ids import Hash, TableId

EVENTS: Final = """
    SELECT e.shard, e.table_id, e.version, e.hash, e.body, s.version AS last, s.head
    FROM misere.event e LEFT JOIN misere.stream s USING (shard, table_id)
    ORDER BY e.shard, e.table_id, e.version"""

AT_ONCE: Final = 500

# Each answers with a table of which something is amiss.
AMISS: Final = {
    "it is said to have events that are not there": """
        SELECT table_id FROM misere.stream s WHERE NOT EXISTS (
          SELECT FROM misere.event e WHERE e.shard = s.shard
            AND e.table_id = s.table_id AND e.version = s.version) LIMIT 1""",
    "its appends do not follow one another": """
        SELECT table_id FROM (
          SELECT table_id, first_version,
            lag(last_version, 1, 0::bigint) OVER (
              PARTITION BY shard, table_id ORDER BY first_version) AS before
          FROM misere.append) a
        WHERE first_version <> before + 1 LIMIT 1""",
    "its appends are not all of its events": """
        SELECT table_id FROM misere.stream s WHERE version IS DISTINCT FROM (
          SELECT max(last_version) FROM misere.append a
          WHERE a.shard = s.shard AND a.table_id = s.table_id) LIMIT 1""",
    "an append does not lead to the head it names": """
        SELECT table_id FROM misere.append a WHERE NOT EXISTS (
          SELECT FROM misere.event e WHERE e.shard = a.shard
            AND e.table_id = a.table_id AND e.version = a.last_version
            AND e.hash = a.head) LIMIT 1""",
    "its place in the order of its shard is amiss": """
        SELECT table_id FROM (
          SELECT shard, table_id, position,
            row_number() OVER (PARTITION BY shard ORDER BY position) AS place
          FROM misere.append) a
        WHERE position <> place LIMIT 1""",
    "something is sealed in an event that is not there": """
        SELECT table_id FROM misere.sealed s WHERE NOT EXISTS (
          SELECT FROM misere.event e WHERE e.shard = s.shard
            AND e.table_id = s.table_id AND e.version = s.version) LIMIT 1""",
}


async def fault_of_log(connection: asyncpg.Connection) -> str | None:
    """The first thing amiss in a log, in words; None where it keeps its promises.

    To be called in a transaction, whose snapshot it looks at.
    """
    if fault := await _fault_of_chains(connection):
        return fault
    for words, query in AMISS.items():
        if table := await connection.fetchval(query):
            return f"table {table}: {words}"
    return None


async def _fault_of_chains(connection: asyncpg.Connection) -> str | None:
    at: TableId | None = None
    version, head = 0, Hash(b"")
    async for row in connection.cursor(EVENTS, prefetch=AT_ONCE):
        if row["table_id"] != at:
            at, version = row["table_id"], 0
            head = origin(at)
        version += 1
        head = link(head, row["body"])
        if (row["version"], row["hash"]) != (version, head):
            return f"table {at}: the chain is broken at version {version}"
        if row["shard"] != shard_of(at):
            return f"table {at}: it is not in its shard"
        if row["last"] is None or row["last"] < version:
            return f"table {at}: there are events after its last"
        if row["last"] == version and row["head"] != head:
            return f"table {at}: its head is not that of its last event"
    return None
