"""The log as it lies in Postgres, read past the server and held against what it said.

Chains are worked out anew with `hashlib`, by the description of the log alone.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import asyncpg

from infra.embedded import address_of_running
from tests.e2e.lasting import Sent, said
from tests.independent.record_check import canonical

BESIDE = ("prev", "hash", "opens")
"""What an event is served with and not hashed with."""

APPENDS = """
    SELECT shard, position, table_id, first_version, last_version, command_id, head
    FROM misere.append ORDER BY shard, position"""
EVENTS = """
    SELECT table_id, version, body, hash FROM misere.event
    ORDER BY table_id, version"""
STREAMS = "SELECT table_id, version, head FROM misere.stream"
SHARDS = "SELECT shard, position FROM misere.shard ORDER BY shard"


@dataclass
class Log:
    """All rows of a log."""

    appends: list[asyncpg.Record]
    events: dict[UUID, list[asyncpg.Record]]
    streams: dict[UUID, tuple[int, bytes]]
    shards: list[asyncpg.Record]

    @classmethod
    async def of(cls, folder: Path) -> "Log":
        """The log of the server that runs over a folder."""
        address = address_of_running(folder)
        assert address is not None
        connection = await asyncpg.connect(address)
        try:
            async with connection.transaction(isolation="repeatable_read"):
                events: dict[UUID, list[asyncpg.Record]] = {}
                for row in await connection.fetch(EVENTS):
                    events.setdefault(row["table_id"], []).append(row)
                return cls(
                    appends=await connection.fetch(APPENDS),
                    events=events,
                    streams={
                        row["table_id"]: (row["version"], row["head"])
                        for row in await connection.fetch(STREAMS)
                    },
                    shards=await connection.fetch(SHARDS),
                )
        finally:
            await connection.close()

    def check(self) -> None:
        """See that it has no gap and no fork, and that every chain holds."""
        assert self.streams.keys() == self.events.keys()
        for table, events in self.events.items():
            check_chain(table, events)
            assert self.streams[table] == (events[-1]["version"], events[-1]["hash"])
        reached = {row["shard"]: 0 for row in self.shards}
        versions = dict.fromkeys(self.events, 0)
        for append in self.appends:
            reached[append["shard"]] += 1
            assert append["position"] == reached[append["shard"]]
            table = append["table_id"]
            assert append["first_version"] == versions[table] + 1
            versions[table] = append["last_version"]
            assert append["head"] == self.events[table][versions[table] - 1]["hash"]
        assert reached == {row["shard"]: row["position"] for row in self.shards}
        assert versions == {table: len(it) for table, it in self.events.items()}

    def check_answers(self, sent: Iterable[Sent]) -> None:
        """See that all who were answered were told the truth.

        What was accepted is stored, once, as it was answered; what was refused is not
        stored; and nothing is stored that nobody sent, but for the moves of bots.
        """
        stored = {append["command_id"]: append for append in self.appends}
        assert len(stored) == len(self.appends)
        asked = set()
        for request in sent:
            append = stored.get(request.command)
            assert (append is not None) == request.accepted, request
            if append is not None:
                asked.add(request.command)
                self._check_answer(request, append)
        for append in self.appends:
            if append["command_id"] not in asked:
                body = json.loads(self._bodies(append)[0])
                assert "bot" in body["by"], body

    def _check_answer(self, request: Sent, append: asyncpg.Record) -> None:
        answer = said(request)
        assert answer["version"] == append["last_version"]
        assert answer["head"] == append["head"].hex()
        if "events" in answer:
            bodies = [
                canonical({k: v for k, v in event.items() if k not in BESIDE})
                for event in answer["events"]
            ]
            assert bodies == self._bodies(append)
            assert answer["events"][-1]["hash"] == answer["head"]
            for body in bodies:
                assert json.loads(body)["command"] == str(request.command)

    def _bodies(self, append: asyncpg.Record) -> list[bytes]:
        events = self.events[append["table_id"]]
        chosen = events[append["first_version"] - 1 : append["last_version"]]
        return [event["body"] for event in chosen]


def check_chain(table: UUID, events: Iterable[asyncpg.Record]) -> None:
    """See that versions are dense and that each hash is that of the chain."""
    head = hashlib.sha256(b"chain/1\0" + table.bytes).digest()
    for version, event in enumerate(events, start=1):
        assert event["version"] == version
        leaf = hashlib.sha256(b"\0" + event["body"]).digest()
        head = hashlib.sha256(b"\x01" + head + leaf).digest()
        assert event["hash"] == head
