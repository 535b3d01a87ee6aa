"""What finished matches leave: results, and where players stand in each game.

Matches of a game have one order whatever shard they are in: by the time they ended,
then by their table. Ratings follow it, so that they come of the log alone. A match that
comes late and sorts earlier takes back the ratings after it, to be made anew.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Protocol

from msgspec import Meta, Struct

from domain.ids import PlayerId, Seat, TableId
from services.ports import Rating
from services.read_models import Generation, MomentCursor, Page


class Result(Struct, frozen=True):
    """How a match went for a player, who sat at `seat` when it ended.

    `shared` says that others won too. `rating` is the player's after the match, where
    that moved it.
    """

    table: TableId
    game: str
    ended_at: datetime
    seats: int
    seat: Seat
    score: int
    place: int
    won: bool
    shared: bool
    rated: bool
    rating: Rating | None


class Standing(Struct, frozen=True):
    """What a player's matches of a game sum up to; joint wins are among the `wins`."""

    player: PlayerId
    game: str
    games: int
    wins: int
    shared_wins: int
    scores: int
    places: int
    rated_games: int
    worth: int


class StandingCursor(Struct, frozen=True):
    """Where a game's standings go on: after this one."""

    worth: Annotated[int, Meta(ge=-(2**31), lt=2**31)]
    player: PlayerId


class Contest(Struct, frozen=True):
    """A rated match: its players, best first, and their places."""

    table: TableId
    players: tuple[PlayerId, ...]
    places: tuple[int, ...]


class Unrated(Struct, frozen=True):
    """The next matches of a game to be rated, in order; all before them are.

    `before` has the rating of each of their players who had one by then. `revision`
    tells whether the game's matches are still these.
    """

    game: str
    revision: int
    before: Mapping[PlayerId, Rating]
    contests: tuple[Contest, ...]


class Rated(Struct, frozen=True):
    """A player's rating after a match."""

    table: TableId
    player: PlayerId
    rating: Rating


class Standings(Protocol):
    """Results and standings, in the generations of the read models."""

    async def unrated(self, generation: Generation, limit: int) -> Unrated | None:
        """Some game's matches that wait to be rated, at most `limit`, at least one.

        None where none waits, or the generation is gone.
        """

    async def rate(
        self, generation: Generation, work: Unrated, rated: Sequence[Rated]
    ) -> bool:
        """Store what came of `work`, whole or not at all.

        False, and nothing is stored, where the game's matches have changed since it was
        given out, or the generation is gone.
        """

    async def standings(
        self, game: str, limit: int, cursor: StandingCursor | None = None
    ) -> Page[Standing, StandingCursor]:
        """Who has finished a match of the game: the best rating first, then by id."""

    async def standings_of(self, player: PlayerId) -> Sequence[Standing]:
        """Where a player stands in each game that he has played, by its name."""

    async def results_of(
        self,
        player: PlayerId,
        game: str | None,
        limit: int,
        cursor: MomentCursor | None = None,
    ) -> Page[Result, MomentCursor]:
        """A player's results, the newest first; of one game or of all."""
