"""What a deal of Cancellation Hearts counts, the moon, and how a match ends."""

from typing import Literal

import pytest
from msgspec import ValidationError, convert

from domain import views
from domain.commands import SettleMoon
from domain.decisions import Phase
from domain.errors import InvalidTable
from domain.events import DealScored, MatchEnded, MoonSettled, MoonShot
from domain.game import Result
from domain.games.cancellation_hearts import GAME
from domain.games.cancellation_hearts.options import PRESETS, Options
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat
from domain.terms import Arrangement
from tests.cancellation_positions import (
    ALL_HEARTS,
    EVERYTHING,
    ME,
    after,
    cancellation_hearts,
    ended,
    ending,
    points,
    scored,
    state_of,
    strong_deal,
    winners,
)
from tests.driver import of_kind

ALL_BUT_A_HEART = EVERYTHING.removeprefix("2H ")


def moon(
    options: Options, scores: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
) -> CancellationState:
    """The end of a deal in which seat 1 took every penalty card."""
    return ending("", EVERYTHING, scores=scores, options=options)


def brought(*totals: int, options: Options) -> tuple[Seat, ...]:
    """Who wins when a deal of 13, 0, 13, 0, 0, 0 brings the scores to these."""
    dealt = (13, 0, 13, 0, 0, 0)
    before = [total - new for total, new in zip(totals, dealt, strict=True)]
    return winners(ending("QS", "", "QS", scores=before, options=options))


def settled_by_auto(
    *before: int, moon_value: Literal[26, 52] = 26, tiebreak_deal: bool = False
) -> str:
    """How the moon of seat 1 counts where nobody chooses, with these scores before."""
    options = Options(moon="auto", moon_value=moon_value, tiebreak_deal=tiebreak_deal)
    events, _ = ended(moon(options, before))
    [settled] = of_kind(events, MoonSettled)
    assert settled.seat == 1
    return settled.how


# Points.


@pytest.mark.parametrize("heart", ALL_HEARTS.split())
def test_ch_r24_each_heart_counts_one(heart: str) -> None:
    """Whatever its rank, and each of two copies."""
    assert points(ending(heart, f"{heart} {heart}")) == (1, 2, 0, 0, 0, 0)


def test_ch_r24_each_queen_of_spades_counts_thirteen() -> None:
    """No other spade, and no other card at all, counts anything."""
    counted = points(ending("AS KS JS QS", "QS QS", "JD QD QC", "AC"))
    assert counted == (13, 26, 0, 0, 0, 0)


def test_ch_r24_a_deal_counts_52_less_what_vanished() -> None:
    """With a heart that lies aside when the last trick is cancelled, 51."""
    whole = ending(f"QS {ALL_HEARTS}", f"QS {ALL_HEARTS}")
    lacking = ending(
        f"QS {ALL_HEARTS}",
        f"QS {ALL_HEARTS}".removesuffix(" AH"),
        last="4C 4C 5C 5C 6C 6C",
        aside="AH",
    )
    assert sum(points(whole) or ()) == 52
    assert sum(points(lacking) or ()) == 51


# The moon.


def test_ch_r25_the_shooter_is_asked() -> None:
    """Nothing is scored before, and nobody else has a decision."""
    events, state = ended(moon(Options()))
    assert events[-1] == MoonShot(Seat(1), sun=False)
    assert state.phase is Phase.SETTLING
    assert GAME.to_act(state) == (1,)
    ways = (SettleMoon(how="add"), SettleMoon(how="subtract"))
    assert GAME.legal(state, Seat(1)) == ways
    assert GAME.legal(state, ME) == ()
    assert GAME.choices(state, Seat(1)) is None


@pytest.mark.parametrize(
    ("how", "dealt"),
    [("add", (26, 0, 26, 26, 26, 26)), ("subtract", (0, -26, 0, 0, 0, 0))],
)
def test_ch_r25_the_choice_is_26_for_the_others_or_26_off(
    how: str, dealt: tuple[int, ...]
) -> None:
    """The shooter's own 52 count nothing."""
    _, asked = ended(moon(Options()))
    move = convert({"type": "settle_moon", "how": how}, SettleMoon)
    events, state = after(asked, move, Seat(1))
    assert events == [MoonSettled(Seat(1), move.how), DealScored(dealt, dealt)]
    assert state.phase is Phase.DONE
    assert GAME.to_act(state) == ()


def test_ch_r25_at_a_table_the_choice_is_an_open_decision() -> None:
    """The server waits for it; its answer is an append, and the next deal follows."""
    driver = cancellation_hearts(
        {"passing": []},
        arrangement=Arrangement(first_dealer=Seat(5), deals=(strong_deal(6),)),
    )
    driver.grasping = ME
    while state_of(driver).phase is Phase.PLAYING:
        driver.step()
    decision = views.decision(driver.table, ME)
    assert views.to_act(driver.table) == (0,)
    assert decision is not None
    assert decision.kind == "settle_moon"
    events = driver.move(0, SettleMoon(how="subtract"))
    assert events[0] == MoonSettled(ME, "subtract")
    assert state_of(driver).deal == 2


@pytest.mark.parametrize(
    "piles",
    [
        (ALL_BUT_A_HEART, "2H"),
        (EVERYTHING.removesuffix(" QS"), "QS"),
        (f"{ALL_HEARTS} QS", f"{ALL_HEARTS} QS"),
    ],
)
def test_ch_r25_one_penalty_card_less_is_no_moon(piles: tuple[str, ...]) -> None:
    """All 26 hearts and both queens are wanted, no number of points."""
    events, _ = ended(ending(*piles))
    assert of_kind(events, MoonShot) == []
    assert len(of_kind(events, DealScored)) == 1


def test_ch_r26_there_is_no_moon_where_a_penalty_card_vanished() -> None:
    """51 points are 51, though nobody else has any."""
    end = ending(ALL_BUT_A_HEART, last="4C 4C 5C 5C 6C 6C", aside="2H")
    assert points(end) == (51, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("vanished", ["2H", "QS"])
def test_ch_r26_the_kitty_too_may_have_vanished(vanished: str) -> None:
    """A penalty card in a kitty that nobody takes is nobody's."""
    left = EVERYTHING.split()
    left.remove(vanished)
    end = ending(" ".join(left), last="4C 4C 5C 5C 6C 6C", kitty=vanished)
    assert sum(points(end) or ()) == (51 if vanished == "2H" else 39)


def test_a_moon_may_be_completed_by_the_last_trick_and_the_kitty() -> None:
    """What the winner of the last trick takes with it counts for a moon."""
    end = ending(ALL_BUT_A_HEART, last="4C 4C 5C 5C 6C 7C", kitty="2H")
    assert of_kind(ended(end)[0], MoonShot) == [MoonShot(ME, sun=False)]


def test_ch_r27_by_option_the_moon_counts_52() -> None:
    """Added or taken off."""
    added = moon(Options(moon="add", moon_value=52))
    taken_off = moon(Options(moon="subtract", moon_value=52))
    assert points(added) == (52, 0, 52, 52, 52, 52)
    assert points(taken_off) == (0, -52, 0, 0, 0, 0)
    assert points(moon(Options(moon="add"))) == (26, 0, 26, 26, 26, 26)


def test_ch_r28_scores_may_go_below_zero() -> None:
    """With 26 off ten points, 16 below."""
    event = scored(moon(Options(moon="subtract"), (0, 10, 0, 0, 0, 0)))
    assert event is not None
    assert event.scores == (0, -16, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("before", "how"),
    [
        ((0, 0, 0, 0, 0, 0), "add"),
        ((123, 140, 0, 0, 0, 0), "add"),
        ((124, 140, 0, 0, 0, 0), "subtract"),
        ((124, 30, 10, 10, 10, 10), "add"),
    ],
)
def test_ch_r29_auto_adds_unless_that_loses_the_match(
    before: tuple[int, ...], how: str
) -> None:
    """The match must end by it, and somebody be lower than the shooter."""
    assert settled_by_auto(*before) == how


def test_ch_r29_auto_looks_at_what_the_moon_counts() -> None:
    """With 52 the match ends by it, with 26 it does not."""
    assert settled_by_auto(98, 53, 0, 0, 0, 0, moon_value=26) == "add"
    assert settled_by_auto(98, 53, 0, 0, 0, 0, moon_value=52) == "subtract"


def test_ch_r29_auto_adds_where_a_tie_break_keeps_the_match_going() -> None:
    """Two others would share the lowest score: played off, nothing is lost by it."""
    assert settled_by_auto(124, 40, 0, 0, 9, 9, tiebreak_deal=True) == "add"
    assert settled_by_auto(124, 40, 0, 0, 9, 9, tiebreak_deal=False) == "subtract"


def test_x_1_a_joint_lowest_shooter_adds() -> None:
    """The match ends by it at 26 for two, and the shooter is one of its winners."""
    assert settled_by_auto(124, 26, 0, 9, 9, 9) == "add"
    assert settled_by_auto(124, 27, 0, 9, 9, 9) == "subtract"
    _, over = ended(moon(Options(moon="auto"), (124, 26, 0, 9, 9, 9)))
    assert GAME.result(over) == Result(winners=(Seat(1), Seat(2)))


def test_by_option_a_moon_is_a_deal_like_any_other() -> None:
    """Its shooter gets all 52 points."""
    assert points(moon(Options(moon="none"))) == (0, 52, 0, 0, 0, 0)


# The end of the match.


def test_ch_r30_the_target_is_150_unless_agreed_otherwise() -> None:
    """149 do not end the match, 150 do; 100 do where 100 were agreed."""
    assert brought(149, 20, 30, 40, 50, 60, options=Options()) == ()
    assert brought(150, 20, 30, 40, 50, 60, options=Options()) == (1,)
    assert brought(99, 20, 30, 40, 50, 60, options=Options(target=100)) == ()
    assert brought(100, 20, 30, 40, 50, 60, options=Options(target=100)) == (1,)


def test_ch_r31_a_match_goes_on_until_the_target() -> None:
    """Deal after deal until a score is there, and not one deal longer."""
    driver = cancellation_hearts({"target": 40}).finish()
    scores = [event.scores for event in of_kind(driver.events(), DealScored)]
    assert all(max(before) < 40 for before in scores[:-1])
    assert max(scores[-1]) >= 40
    [end] = of_kind(driver.appends[-1], MatchEnded)
    lowest = [seat for seat, it in enumerate(scores[-1]) if it == min(scores[-1])]
    assert (list(end.winners), end.scores) == (lowest, scores[-1])


def test_ch_r32_those_tied_for_lowest_win_jointly() -> None:
    """Two, or three, or one alone."""
    assert brought(150, 20, 30, 20, 50, 60, options=Options()) == (1, 3)
    assert brought(150, 20, 33, 20, 20, 60, options=Options()) == (1, 3, 4)


def test_ch_r32_by_option_a_tie_is_played_off() -> None:
    """The match goes on until one is lowest, though the target was reached."""
    options = Options(tiebreak_deal=True)
    assert brought(150, 20, 30, 20, 50, 60, options=options) == ()
    assert brought(150, 20, 30, 21, 50, 60, options=options) == (1,)


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
        ("moon_value", 39),
        ("two_pairs_void", 1),
        ("lead_hearts_instead_of_qs", "yes"),
        ("kitty", "nobody"),
        ("last_trick_cancelled", "winner"),
        ("tiebreak_deal", 0),
        ("queen_breaks_hearts", True),
    ],
)
def test_an_option_out_of_its_bounds_is_refused(option: str, value: object) -> None:
    """With the name of its field."""
    with pytest.raises(InvalidTable) as refusal:
        cancellation_hearts({option: value})  # type: ignore[dict-item]
    assert str(refusal.value.facts["field"]).startswith("options")
    with pytest.raises(ValidationError):
        convert({option: value}, Options)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("target", [1, 1000]),
        ("passing", ["standard", [], ["left", "right", "across", "hold"]]),
        ("moon", ["add", "subtract", "choice", "auto", "none"]),
        ("moon_value", [26, 52]),
        ("kitty", ["first_trick", "last_trick"]),
        ("last_trick_cancelled", ["nobody", "leader"]),
    ],
)
def test_an_option_has_these_values(option: str, values: list[int | str]) -> None:
    """A table can be made with each."""
    for value in values:
        opened = cancellation_hearts({option: value}).table.opened
        assert opened.options[option] == value


def test_the_first_preset_is_the_game_as_it_is_known() -> None:
    """All options at their defaults; the other one voids tricks with two pairs."""
    assert list(PRESETS) == ["standard", "seed-literal"]
    assert PRESETS["standard"] == Options() == Options(target=150, moon="choice")
    assert PRESETS["seed-literal"] == Options(two_pairs_void=True)
