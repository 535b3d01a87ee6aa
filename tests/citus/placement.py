"""Where each table would lie on a Postgres distributed by Citus, and why.

A table is distributed by `shard`, all of them alike so that the rows of a shard lie
together, or it is a reference table, of which each node has a whole copy, or it stays
where it is, at the node that servers talk to.
"""

from typing import Final

SHARD: Final = "shard"
"""The column that tables are distributed by."""

DISTRIBUTED: Final = {
    "shard": "the counter of a shard, locked with what it counts",
    "stream": "a table's place is its shard",
    "append": "the log, ordered in each shard",
    "event": "the log",
    "sealed": "the log",
    "checkpoint": "moves in one transaction with the rows of its shard",
    "lobby": "a row for each table, stored a shard at a time",
    "open_decision": "rows for each table, stored a shard at a time",
    "result": "a row for each player of a table, stored a shard at a time",
    "standing": "as many rows as players; its shard is that of the player",
}

REFERENCE: Final = {
    "player": "belongs to no shard, and is looked up by token as well as by id",
    "table_note": "written once; a list reads those of tables of all shards",
    "projection": "one row, which every read of a list refers to",
    "ladder": "a row for each game, locked before what it stands for",
}

LOCAL: Final = {
    "migration": "read and written by itself",
    "signing_key": "a few rows, by which servers agree, beside the tables",
    "timekeeper": "one row, by which processes agree, beside the tables",
    "outage": "a few rows that belong to that one",
}

BATCHED: Final = {
    "append_batch": "MISERE_ONE_SHARD_FLIGHTS gives it entries of one shard at a time",
}
"""Functions whose statements write at the shards of their batch."""

SPANNING: Final = {
    "read_models.BEGIN": "a rebuild adds its 16 checkpoints; new rows need no lock",
    "read_models.RETIRE": "a rebuild deletes 16 checkpoints each, in two phases",
    "matches.COUNT": "a match's players are of any shard; the rows are values",
    "matches.TAKE_BACK": "one condition for all shards, in two phases",
    "standings.RATE": "the rows are values, joined by the shard; in two phases",
    "standings.RANK": "the same",
}
"""Statements that write in several shards, each in a way that Citus carries out."""

AT_THE_COORDINATOR: Final = {
    "migrate": "an operator's command, whose lock keeps off other migrators there",
    "roles": "part of the same command",
    "backup": "an operator's commands, which read and fill whole tables",
    "log_check": "part of the same commands",
}
"""Modules of which a running server sends nothing."""
