"""Ratings by openskill's Bradley-Terry model with all pairs (Weng and Lin, 2011)."""

from collections.abc import Sequence
from typing import Final

from openskill.models import BradleyTerryFull

from services.ports import Rating

MILLION: Final = 1_000_000

_MODEL: Final = BradleyTerryFull(mu=1500.0, sigma=500.0, beta=250.0, tau=5.0)
"""The library's own proportions, on a scale of which 1500 is the middle."""

_NEWCOMER: Final = Rating(1500 * MILLION, 500 * MILLION)


class OpenSkillRatings:
    """`services.ports.Ratings`: a match is a duel of each with each, a tie half of one.

    What comes of a match is rounded to millionths, so that the last digits of some
    machine's logarithms and the order of sums are forgotten.
    """

    def newcomer(self) -> Rating:
        """The middle, with the widest doubt."""
        return _NEWCOMER

    def after(
        self, before: Sequence[Rating], places: Sequence[int]
    ) -> Sequence[Rating]:
        """The ratings after a match."""
        teams = [
            [_MODEL.rating(rating.mean / MILLION, rating.deviation / MILLION)]
            for rating in before
        ]
        rated = _MODEL.rate(teams, ranks=list(map(float, places)))
        return [
            Rating(round(player.mu * MILLION), round(player.sigma * MILLION))
            for [player] in rated
        ]
