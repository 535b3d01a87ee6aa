"""Connections: what is written together leaves together, in order, and is not lost."""

import asyncio
from typing import cast

import pytest

from api import connections
from api.connections import MOST_GATHERED, Gathering


class Line:
    """A transport that notes what it is given to send."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = self.aborted = False
        self.untaken = 0

    def write(self, data: bytes) -> None:
        """Note it."""
        self.sent.append(data)

    def close(self) -> None:
        """Hang up."""
        self.closed = True

    def abort(self) -> None:
        """Throw away what nobody took."""
        self.aborted = True

    def get_write_buffer_size(self) -> int:
        """How many bytes the client has yet to take."""
        return self.untaken

    def is_closing(self) -> bool:
        """Whether somebody hung up."""
        return self.closed


def gathering(line: Line) -> Gathering:
    """A transport over that line."""
    return Gathering(cast("asyncio.Transport", line))


async def test_head_and_body_leave_together() -> None:
    """What is written in one turn of the loop is one write, in order."""
    line = Line()
    transport = gathering(line)
    transport.write(b"head ")
    transport.write(b"body")
    assert line.sent == []
    await asyncio.sleep(0)
    assert line.sent == [b"head body"]
    transport.write(b"next")
    await asyncio.sleep(0)
    assert line.sent == [b"head body", b"next"]


async def test_much_is_not_held_back() -> None:
    """A long stream leaves part by part, however its writer hurries."""
    line = Line()
    transport = gathering(line)
    part = bytes(MOST_GATHERED // 2)
    for _ in range(6):
        transport.write(part)
    assert b"".join(line.sent) == part * 6
    await asyncio.sleep(0)
    assert len(line.sent) == 2


async def test_closing_sends_what_is_gathered() -> None:
    """The last words of a connection are said before it ends."""
    line = Line()
    transport = gathering(line)
    transport.write(b"goodbye")
    transport.close()
    assert (line.sent, line.closed) == ([b"goodbye"], True)
    await asyncio.sleep(0)
    assert line.sent == [b"goodbye"]


@pytest.mark.parametrize("untaken", [0, 5])
async def test_who_reads_no_more_is_left(
    untaken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closed connection waits for its client a while, and no longer."""
    monkeypatch.setattr(connections, "LINGER", 0.02)
    line = Line()
    line.untaken = untaken
    gathering(line).close()
    assert not line.aborted
    await asyncio.sleep(0.1)
    assert line.aborted == bool(untaken)


async def test_a_lost_line_is_left_alone() -> None:
    """Where the client has gone meanwhile nothing is written, and nothing raised."""
    line = Line()
    transport = gathering(line)
    transport.write(b"too late")
    line.closed = True
    await asyncio.sleep(0)
    assert line.sent == []


async def test_all_else_is_the_transports_own() -> None:
    """Whatever is not a write is asked of the transport itself."""
    line = Line()
    assert not gathering(line).is_closing()
    line.closed = True
    assert gathering(line).is_closing()
