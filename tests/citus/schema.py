"""What Citus would refuse of a schema, as its catalogue shows it."""

from typing import Final

import asyncpg

from tests.citus.placement import DISTRIBUTED, LOCAL, REFERENCE
from tests.citus.statements import faults_of_function

TABLES: Final = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'misere'::regnamespace AND relkind IN ('r', 'p')"""

WITHOUT_KEY: Final = """
    SELECT relname FROM pg_class c
    WHERE relnamespace = 'misere'::regnamespace AND relname = ANY($1)
      AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)"""

UNIQUE_WITHOUT_SHARD: Final = """
    SELECT i.relname FROM pg_index
    JOIN pg_class t ON t.oid = indrelid
    JOIN pg_class i ON i.oid = indexrelid
    WHERE t.relnamespace = 'misere'::regnamespace AND t.relname = ANY($1)
      AND (indisunique OR indisexclusion)
      AND NOT EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = indrelid AND attname = 'shard'
          AND attnum = ANY((indkey::int2[])[0:indnkeyatts - 1]))"""

SEQUENCES: Final = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'misere'::regnamespace AND relkind = 'S'"""

REFERRING: Final = """
    SELECT conname, source.relname, target.relname, EXISTS (
      SELECT FROM unnest(conkey, confkey) AS pair(ours, theirs)
      JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = ours
      JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = theirs
      WHERE a.attname = 'shard' AND b.attname = 'shard')
    FROM pg_constraint
    JOIN pg_class source ON source.oid = conrelid
    JOIN pg_class target ON target.oid = confrelid
    WHERE contype = 'f' AND source.relnamespace = 'misere'::regnamespace"""

# The lowest bit of its type says that a trigger is for each row.
TRIGGERS: Final = """
    SELECT tgname, relname, tgtype & 1 = 1 FROM pg_trigger
    JOIN pg_class c ON c.oid = tgrelid
    WHERE relnamespace = 'misere'::regnamespace AND NOT tgisinternal"""

RULES: Final = """
    SELECT rulename FROM pg_rewrite JOIN pg_class c ON c.oid = ev_class
    WHERE relnamespace = 'misere'::regnamespace AND rulename <> '_RETURN'"""

FUNCTIONS: Final = """
    SELECT proname, pg_get_functiondef(oid) FROM pg_proc
    WHERE pronamespace = 'misere'::regnamespace"""


async def faults_of_schema(connection: asyncpg.Connection) -> list[str]:
    """What Citus would refuse: tables, keys, references, triggers, functions."""
    return [
        *await _faults_of_tables(connection),
        *await _faults_of_links(connection),
        *[
            fault
            for name, text in await connection.fetch(FUNCTIONS)
            for fault in faults_of_function(name, text)
        ],
    ]


async def _faults_of_tables(connection: asyncpg.Connection) -> list[str]:
    present = {name for (name,) in await connection.fetch(TABLES)}
    placed = {*DISTRIBUTED, *REFERENCE, *LOCAL}
    ours = list(DISTRIBUTED)
    keyless = await connection.fetch(WITHOUT_KEY, ours)
    unique = await connection.fetch(UNIQUE_WITHOUT_SHARD, ours)
    return [
        *[f"{name} has no place" for name in present - placed],
        *[f"{name} is not there" for name in placed - present],
        *[f"{name} has no primary key" for (name,) in keyless],
        *[f"{name} is unique without the shard" for (name,) in unique],
        *[f"{name} is a sequence" for (name,) in await connection.fetch(SEQUENCES)],
    ]


async def _faults_of_links(connection: asyncpg.Connection) -> list[str]:
    references = [
        f"{name} refers to rows of another shard"
        for name, source, target, by_shard in await connection.fetch(REFERRING)
        if target in DISTRIBUTED and not (source in DISTRIBUTED and by_shard)
    ]
    triggers = [
        f"{name} of {table} is a trigger, and not for the rows of a shard"
        for name, table, for_rows in await connection.fetch(TRIGGERS)
        if not for_rows or table not in DISTRIBUTED
    ]
    rules = await connection.fetch(RULES)
    return [*references, *triggers, *[f"{name} is a rule" for (name,) in rules]]
