"""Ratings follow the matches of a game in their order."""

from typing import Final

from services.ports import Ratings
from services.read_models import Generation
from services.standings import Rated, Standings, Unrated

BATCH: Final = 500
"""Matches that are rated at once."""


class Rater:
    """Rates matches that wait for it. Any number may work at the same ones."""

    def __init__(self, standings: Standings, ratings: Ratings) -> None:
        self._standings = standings
        self._ratings = ratings

    async def catch_up(self, generation: Generation) -> None:
        """Rate every match that a generation has and that is not rated yet."""
        while work := await self._standings.unrated(generation, BATCH):
            # Where another process was first, what is left is looked for again.
            await self._standings.rate(generation, work, rated(work, self._ratings))


def rated(work: Unrated, ratings: Ratings) -> list[Rated]:
    """What the matches, one after another, make of their players' ratings."""
    now = dict(work.before)
    newcomer = ratings.newcomer()
    found: list[Rated] = []
    for contest in work.contests:
        before = [now.get(player, newcomer) for player in contest.players]
        after = ratings.after(before, contest.places)
        changed = dict(zip(contest.players, after, strict=True))
        now |= changed
        found += (Rated(contest.table, who, rating) for who, rating in changed.items())
    return found
