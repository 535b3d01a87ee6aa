"""What can be asked, by subject."""

from typing import Final

from api.operations import Operation
from api.routes import (
    games,
    play,
    players,
    proofs,
    records,
    seats,
    server,
    standings,
    streams,
    tables,
)

OPERATIONS: Final[tuple[Operation, ...]] = (
    *server.OPERATIONS,
    *players.OPERATIONS,
    *games.OPERATIONS,
    *tables.OPERATIONS,
    *seats.OPERATIONS,
    *play.OPERATIONS,
    *streams.OPERATIONS,
    *records.OPERATIONS,
    *proofs.OPERATIONS,
    *standings.OPERATIONS,
)
