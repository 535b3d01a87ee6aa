"""What a match does to its players' ratings."""

from infra.ratings import OpenSkillRatings
from services.ports import Rating

RATINGS = OpenSkillRatings()
NEW = RATINGS.newcomer()


def after(places: list[int], before: list[Rating] | None = None) -> list[Rating]:
    """The ratings after a match, of newcomers unless others are named."""
    return list(RATINGS.after(before or [NEW] * len(places), places))


def test_a_newcomer_is_worth_nothing_yet() -> None:
    """The middle, less all the doubt there is."""
    assert NEW.worth == 0


def test_who_comes_in_before_others_gains_on_them() -> None:
    """In a match of any size; the first gains and the last loses."""
    for size in range(2, 12):
        rated = after([*range(1, size + 1)])
        means = [rating.mean for rating in rated]
        assert means == sorted(means, reverse=True)
        assert len(set(means)) == size
        assert means[0] > NEW.mean > means[-1]
        assert all(rating.deviation < NEW.deviation for rating in rated)


def test_equal_places_of_equal_players_are_rated_alike() -> None:
    """Between those before and those after them; where all are equal nobody gains."""
    first, one, other, last = after([1, 2, 2, 4])
    assert one == other
    assert first.mean > one.mean == NEW.mean > last.mean
    winner, again, *_ = after([1, 1, 3, 4])
    assert winner == again
    assert {rating.mean for rating in after([1, 1, 1])} == {NEW.mean}


def test_a_tie_draws_players_together() -> None:
    """The better one of a tie loses by it."""
    strong, weak = Rating(2000_000_000, 100_000_000), Rating(1000_000_000, 100_000_000)
    high, low = after([1, 1], [strong, weak])
    assert high.mean < strong.mean
    assert low.mean > weak.mean


def test_a_surprise_counts_more() -> None:
    """To beat who is better moves both further than to beat who is worse."""
    strong, weak = Rating(1800_000_000, 200_000_000), Rating(1200_000_000, 200_000_000)
    expected = after([1, 2], [strong, weak])[0].mean - strong.mean
    surprise = after([1, 2], [weak, strong])[0].mean - weak.mean
    assert surprise > expected > 0


def test_ratings_are_those_they_have_always_been() -> None:
    """These numbers are in databases: with others, all would have to be rebuilt."""
    rated = after([1, 2, 2, 4], [NEW, NEW, Rating(1700_000000, 90_000000), NEW])
    assert rated == [
        Rating(mean=2050_555082, deviation=431_617989),
        Rating(mean=1532_346640, deviation=431_617989),
        Rating(mean=1696_846518, deviation=90_037020),
        Rating(mean=1014_138197, deviation=431_617989),
    ]
