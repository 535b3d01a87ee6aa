"""Small names for the numbers and identifiers that the whole house passes around."""

from typing import NewType
from uuid import UUID

Seat = NewType("Seat", int)
"""A place at the table, counted clockwise from 0."""

Version = NewType("Version", int)
"""How many events a table has had; the first event is version 1."""

Position = NewType("Position", int)
"""The place of an append in the order of its shard, without gaps, from 1."""

Shard = NewType("Shard", int)
"""One of 16 units of order and placement, 0 to 15."""

TableId = NewType("TableId", UUID)
PlayerId = NewType("PlayerId", UUID)
CommandId = NewType("CommandId", UUID)

Hash = NewType("Hash", bytes)
"""A SHA-256 digest, 32 bytes."""

Secret = NewType("Secret", bytes)
"""32 random bytes that nobody may see before they are revealed."""
