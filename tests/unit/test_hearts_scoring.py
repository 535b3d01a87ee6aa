"""What a deal of Hearts counts, moons and suns, and how a match ends."""

import pytest

from domain import views
from domain.commands import SettleMoon
from domain.errors import InvalidTable
from domain.events import DealScored, MatchEnded, MoonSettled, MoonShot
from domain.games.hearts.options import Options
from domain.ids import Seat
from tests.driver import arranged, hearts
from tests.hearts_positions import (
    ALL_HEARTS,
    after,
    ended,
    ending,
    points,
    scores,
    strong_hands,
    winners,
)

MOON = f"{ALL_HEARTS} QS"
SLAM = f"{MOON} JD"
NINE_HEARTS = "6H 7H 8H 9H TH JH QH KH AH"
ALL_TRICKS = (12, 0, 0, 0)
OMNIBUS = Options(jack_of_diamonds=-10)
FIFTEEN = Options(jack_of_diamonds=-10, slam_needs_bonus=True)


def bringing(*totals: int, options: Options) -> tuple[int, ...]:
    """Who wins when a deal of 16, 1, 9 and 0 points brings the scores to these."""
    before = [total - new for total, new in zip(totals, (16, 1, 9, 0), strict=True)]
    piles = ("2H 3H 4H QS", "5H", NINE_HEARTS, "")
    return winners(ending(*piles, scores=before, options=options))


def settlements(options: Options, *piles: str, won: tuple[int, ...]) -> list[str]:
    """How a moon was settled without anybody being asked; nothing where one is."""
    events, _ = ended(ending(*piles, won=won, options=options))
    return [event.how for event in events if isinstance(event, MoonSettled)]


# Points.


@pytest.mark.parametrize("heart", ALL_HEARTS.split())
def test_he_r18_each_heart_counts_one(heart: str) -> None:
    """Whatever its rank."""
    assert points(ending(heart, "QS", "", "")) == (1, 13, 0, 0)


def test_he_r18_the_queen_of_spades_counts_thirteen() -> None:
    """No other spade, and no other card at all, counts anything."""
    assert points(ending("AS KS JS", "QS 2S", "JD AD", "AC")) == (0, 13, 0, 0)


def test_he_r18_a_deal_counts_26_in_all() -> None:
    """All hearts and the queen, however they lie."""
    counted = points(ending("2H 3H", "QS", NINE_HEARTS, "4H 5H"))
    assert counted == (2, 13, 9, 2)


def test_the_jack_of_diamonds_counts_by_option_only() -> None:
    """Its value goes to who took it."""
    assert points(ending("QS", "JD 2H", "", "")) == (13, 1, 0, 0)
    assert points(ending("QS", "JD 2H", "", "", options=OMNIBUS)) == (13, -9, 0, 0)


def test_a_deal_without_a_trick_counts_by_option_only() -> None:
    """Who took tricks without a penalty card gets nothing off."""
    won = (11, 1, 0, 0)
    options = Options(no_trick_bonus=-5)
    assert points(ending("QS", "", "", "", won=won)) == (13, 0, 0, 0)
    assert points(ending("QS", "", "", "", won=won, options=options)) == (13, 0, -5, -5)


def test_x_5_the_floor_takes_no_points_below_nought() -> None:
    """What the jack would take off below zero is lost."""
    options = Options(jack_of_diamonds=-10, jack_floor=True)
    assert points(ending("QS", "JD 2H", "", "", options=options)) == (13, 0, 0, 0)
    assert points(ending("QS JD", "2H", "", "", options=options)) == (3, 1, 0, 0)


# The moon.


def test_he_r19_a_moon_is_added_to_everybody_else() -> None:
    """All hearts and the queen: nothing for the shooter, 26 for each of the others."""
    events, _ = ended(ending("", MOON, "", ""))
    assert events[2:] == [
        MoonShot(Seat(1), sun=False),
        MoonSettled(Seat(1), "add"),
        DealScored((26, 0, 26, 26), (26, 0, 26, 26)),
    ]


@pytest.mark.parametrize(
    "piles",
    [
        (ALL_HEARTS, "QS", "", ""),
        (f"{NINE_HEARTS} 5H 4H 3H QS", "2H", "", ""),
        ("", f"{NINE_HEARTS} QS", "2H 3H 4H 5H", ""),
    ],
)
def test_he_r19_one_card_less_is_no_moon(piles: tuple[str, ...]) -> None:
    """One penalty card elsewhere, and all count what they took."""
    events, _ = ended(ending(*piles))
    assert not any(isinstance(event, MoonShot) for event in events)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(moon="add"), (0, 26, 26, 26)),
        (Options(moon="subtract"), (-26, 0, 0, 0)),
        (Options(moon="auto"), (0, 26, 26, 26)),
        (Options(moon="none"), (26, 0, 0, 0)),
        (Options(moon="choice"), None),
    ],
)
def test_he_r20_a_moon_counts_as_agreed(
    options: Options, expected: tuple[int, ...] | None
) -> None:
    """Added, taken off, or like any other deal; with a choice nothing counts yet."""
    assert points(ending(MOON, "", "", "", options=options)) == expected


def test_he_r20_auto_takes_off_what_would_lose_the_match() -> None:
    """Where adding ends the match and another is lower, the shooter gets 26 off."""
    options = Options(moon="auto")
    assert scores(
        ending(MOON, "", "", "", scores=(90, 10, 80, 20), options=options)
    ) == (64, 10, 80, 20)


def test_he_r20_the_choice_is_the_shooters() -> None:
    """Its decision lists both ways; nobody else has one, and no card is left."""
    driver = hearts(
        {"passing": [], "moon": "choice"}, arrangement=arranged(strong_hands(4))
    )
    driver.grasping = Seat(0)
    while driver.play_state().phase.value != "settling":
        driver.step()
    decision = views.decision(driver.table, Seat(0))
    assert views.to_act(driver.table) == (0,)
    assert decision is not None
    assert decision.kind == "settle_moon"
    assert decision.legal == (SettleMoon(how="add"), SettleMoon(how="subtract"))


@pytest.mark.parametrize("seats", range(3, 8))
def test_he_r21_all_penalty_cards_are_a_moon_for_any_number(seats: int) -> None:
    """However many play, 26 for each of the others."""
    driver = hearts(
        {"passing": []}, seats=seats, arrangement=arranged(strong_hands(seats))
    )
    driver.grasping = Seat(0)
    while driver.play_state().deal == 1:
        driver.step()
    assert driver.play_state().scores == (0, *(26,) * (seats - 1))


def test_he_r21_points_make_no_moon() -> None:
    """26 points by way of the jack's value are no moon: a moon is a set of cards."""
    assert points(ending(NINE_HEARTS, "QS 2H 3H 4H", "5H", "")) == (9, 16, 1, 0)


def test_x_1_joint_lowest_is_lowest() -> None:
    """A moon that ends the match with the shooter among the lowest is added."""
    options = Options(moon="auto")
    end = ending(MOON, "", "", "", scores=(46, 20, 80, 30), options=options)
    assert scores(end) == (46, 46, 106, 56)
    worse = ending(MOON, "", "", "", scores=(47, 20, 80, 30), options=options)
    assert scores(worse) == (21, 20, 80, 30)


@pytest.mark.parametrize("moon", ["add", "subtract", "choice", "auto", "none"])
def test_x_2_fifteen_cards_are_a_slam(moon: str) -> None:
    """26 off and 0 for the others, whatever is agreed of moons; nobody is asked."""
    options = Options(
        jack_of_diamonds=-10,
        slam_needs_bonus=True,
        moon=moon,  # type: ignore[arg-type]
    )
    won = (11, 1, 0, 0)
    assert settlements(options, SLAM, "", "", "", won=won) == ["slam"]
    assert points(ending(SLAM, "", "", "", options=options)) == (-26, 0, 0, 0)


def test_x_2_without_the_jack_there_is_no_slam_and_no_moon() -> None:
    """Fourteen cards count 26 for who took them, and the jack for who took it."""
    assert points(ending(MOON, "JD", "", "", options=FIFTEEN)) == (26, -10, 0, 0)


def test_x_2_a_jack_that_counts_nothing_is_needed_for_nothing() -> None:
    """Where its value is nought, a moon is made without it, as ever."""
    options = Options(slam_needs_bonus=True)
    assert points(ending(MOON, "JD", "", "", options=options)) == (0, 26, 26, 26)


def test_x_2_a_slam_is_no_sun() -> None:
    """All tricks as well count no more than the fifteen cards."""
    options = Options(jack_of_diamonds=-10, slam_needs_bonus=True, shoot_sun=True)
    end = ending(SLAM, "", "", "", won=ALL_TRICKS, options=options)
    assert points(end) == (-26, 0, 0, 0)


def test_a_moon_leaves_the_jack_with_its_taker() -> None:
    """Where no slam is played, the jack's value comes on top of the moon's."""
    assert points(ending(MOON, "JD", "", "", options=OMNIBUS)) == (0, 16, 26, 26)
    assert points(ending(SLAM, "", "", "", options=OMNIBUS)) == (-10, 26, 26, 26)


def test_x_3_a_sun_that_is_subtracted_takes_39_off() -> None:
    """All tricks with the option; 26 where one trick went elsewhere."""
    options = Options(shoot_sun=True, moon="subtract")
    sun = ending(MOON, "", "", "", won=ALL_TRICKS, options=options)
    moon = ending(MOON, "", "", "", won=(11, 1, 0, 0), options=options)
    assert points(sun) == (-39, 0, 0, 0)
    assert points(moon) == (-26, 0, 0, 0)


def test_x_3_under_choice_a_sun_is_added_or_subtracted() -> None:
    """The shooter may choose 39 off, or 39 for the others."""
    options = Options(shoot_sun=True, moon="choice")
    _, asked = ended(ending(MOON, "", "", "", won=ALL_TRICKS, options=options))
    [_, added] = after(asked, SettleMoon(how="add"))[0]
    [_, subtracted] = after(asked, SettleMoon(how="subtract"))[0]
    assert isinstance(added, DealScored)
    assert isinstance(subtracted, DealScored)
    assert added.points == (0, 39, 39, 39)
    assert subtracted.points == (-39, 0, 0, 0)


def test_a_sun_counts_by_option_only() -> None:
    """Without it, all tricks are a moon."""
    assert points(ending(MOON, "", "", "", won=ALL_TRICKS)) == (0, 26, 26, 26)


def test_x_4_no_trick_is_rewarded_in_a_deal_with_a_moon_too() -> None:
    """Who took none gets the moon's points and the bonus."""
    options = Options(no_trick_bonus=-5)
    end = ending(MOON, "", "", "", won=(10, 2, 0, 0), options=options)
    assert points(end) == (0, 26, 21, 21)


# The end of the match.


def test_he_r22_the_match_ends_at_a_hundred_unless_agreed_otherwise() -> None:
    """99 do not end it, 100 do, and 50 do where 50 were agreed."""
    assert bringing(99, 20, 30, 40, options=Options()) == ()
    assert bringing(100, 20, 30, 40, options=Options()) == (1,)
    assert bringing(49, 20, 30, 40, options=Options(target=50)) == ()
    assert bringing(50, 20, 30, 40, options=Options(target=50)) == (1,)


def test_he_r22_a_match_goes_on_until_the_target() -> None:
    """Deal after deal until a score is there, and not one deal longer."""
    driver = hearts({"target": 40}).finish()
    scored = [
        event.scores
        for append in driver.appends
        for event in append
        if isinstance(event, DealScored)
    ]
    assert all(max(before) < 40 for before in scored[:-1])
    assert max(scored[-1]) >= 40
    last = driver.appends[-1][-1]
    assert isinstance(last, MatchEnded)
    lowest = [s for s, mine in enumerate(scored[-1]) if mine == min(scored[-1])]
    assert list(last.winners) == lowest
    assert last.scores == scored[-1]


def test_he_r23_those_tied_for_lowest_win_jointly() -> None:
    """Two, or three, or one alone."""
    assert bringing(100, 20, 30, 20, options=Options()) == (1, 3)
    assert bringing(100, 20, 20, 20, options=Options()) == (1, 2, 3)


def test_he_r23_by_option_a_tie_is_played_off() -> None:
    """The match goes on until one is lowest, though the target was reached."""
    options = Options(tiebreak_deal=True)
    assert bringing(100, 20, 30, 20, options=options) == ()
    assert bringing(100, 20, 30, 21, options=options) == (1,)


def test_x_6_who_lands_on_the_target_wins() -> None:
    """Though others are lower, and though another is past it."""
    options = Options(exact_target=True)
    assert bringing(100, 20, 30, 40, options=options) == (0,)
    assert bringing(120, 20, 100, 40, options=options) == (2,)


def test_x_6_all_who_land_on_it_win_jointly() -> None:
    """No other deal is played, even where ties are played off."""
    options = Options(exact_target=True, tiebreak_deal=True)
    assert bringing(100, 100, 30, 40, options=options) == (0, 1)


def test_x_6_past_the_target_the_lowest_wins() -> None:
    """Where nobody landed on it, the match ends as ever."""
    options = Options(exact_target=True)
    assert bringing(101, 20, 30, 40, options=options) == (1,)
    assert bringing(99, 20, 30, 40, options=options) == ()


# The options themselves.


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("target", 0),
        ("target", 1001),
        ("passing", "left"),
        ("passing", ["up"]),
        ("passing", ["left"] * 17),
        ("moon", "blue"),
        ("opening", "queen"),
        ("jack_of_diamonds", 1),
        ("jack_of_diamonds", -101),
        ("no_trick_bonus", 5),
        ("jack_floor", 1),
        ("exact_target", "yes"),
    ],
)
def test_an_option_out_of_its_bounds_is_refused(
    option: str, value: int | str | list[str]
) -> None:
    """The refusal names the option."""
    with pytest.raises(InvalidTable) as refusal:
        hearts({option: value})
    assert str(refusal.value.facts["field"]).startswith(f"options.{option}")


def test_an_option_that_is_none_is_refused() -> None:
    """Nothing is quietly ignored; the refusal says what it was."""
    with pytest.raises(InvalidTable) as refusal:
        hearts({"jd": -10})
    assert refusal.value.facts["field"] == "options"
    assert "jd" in refusal.value.text


def test_the_options_that_were_not_chosen_are_written_down_too() -> None:
    """The table's first event pins all of them, so that defaults may change later."""
    pinned = hearts({"target": 50}).table.opened.options
    assert pinned["target"] == 50
    assert pinned["moon"] == "add"
    assert set(pinned) == set(Options.__struct_fields__)
