"""The worked examples of the rules of Hearts, HE-1 and HE-4 to HE-10."""

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

from domain import views
from domain.cards import Card, cards_of
from domain.commands import Play, SettleMoon
from domain.events import (
    CardPlayed,
    DealScored,
    Event,
    HeartsBroken,
    MoonSettled,
    MoonShot,
    PassesExchanged,
    TrickTaken,
)
from domain.games.hearts.options import Options
from domain.games.hearts.state import HeartsState
from domain.ids import Seat
from tests.driver import Driver, arranged, hearts, of_kind
from tests.hearts_positions import (
    ALL_HEARTS,
    STANDARD,
    accepted,
    after,
    ended,
    ending,
    points,
    position,
    scores,
    strong_hands,
    winners,
)

EVERYTHING = f"{ALL_HEARTS} QS"


@pytest.fixture
def deal() -> dict[str, Any]:
    """The deal of HE-1."""
    text = Path(__file__).with_name("deals.json").read_text("utf-8")
    he_1: dict[str, Any] = json.loads(text)["HE-1"]
    return he_1


@pytest.fixture
def table(deal: dict[str, Any]) -> Driver:
    """The table of HE-1, its hands dealt."""
    return hearts(arrangement=arranged([" ".join(hand) for hand in deal["hands"]]))


def hands(driver: Driver) -> list[set[str]]:
    """What every seat holds."""
    hands = driver.play_state().hands
    return [{str(card) for card in cards_of(hand)} for hand in hands]


def pass_all(driver: Driver, deal: dict[str, Any]) -> list[Event]:
    """Everybody passes as in HE-1."""
    return driver.passes(*(" ".join(passed) for passed in deal["passed"]))


def test_he_1_three_cards_go_left(table: Driver, deal: dict[str, Any]) -> None:
    """Given HE-1's hands, when all have passed left, then all hold what it says."""
    assert hands(table) == [set(hand) for hand in deal["hands"]]
    events = pass_all(table, deal)
    assert isinstance(events[-1], PassesExchanged)
    assert hands(table) == [set(hand) for hand in deal["after"]]


def test_he_1_no_card_moves_before_all_have_passed(
    table: Driver, deal: dict[str, Any]
) -> None:
    """When three of four have passed, all still hold what they were dealt."""
    table.passes(*(" ".join(passed) for passed in deal["passed"][:3]))
    assert hands(table) == [set(hand) for hand in deal["hands"]]


def test_he_1_is_played_card_by_card(table: Driver, deal: dict[str, Any]) -> None:
    """Each trick is led by the seat, and goes to the seat, that HE-1 says."""
    pass_all(table, deal)
    for number, (leader, played, winner) in enumerate(deal["tricks"], 1):
        assert views.to_act(table.table) == (leader,)
        events = table.play(" ".join(played))
        seats = [(leader + place) % 4 for place in range(4)]
        assert of_kind(events, CardPlayed, TrickTaken) == [
            *(
                CardPlayed(Seat(seat), Card(card))
                for seat, card in zip(seats, played, strict=True)
            ),
            TrickTaken(number, winner),
        ]


def test_he_1_hearts_are_broken_by_the_ten_in_trick_eight(
    table: Driver, deal: dict[str, Any]
) -> None:
    """The first penalty card breaks hearts, and nothing does before or after it."""
    pass_all(table, deal)
    broken = {
        number: of_kind(table.play(" ".join(played)), HeartsBroken)
        for number, (_, played, _) in enumerate(deal["tricks"], 1)
    }
    in_trick, card = deal["broken"]
    assert broken.pop(in_trick) == [HeartsBroken(Seat(2), Card(card))]
    assert not any(broken.values())


def test_he_1_counts_0_0_15_11(table: Driver, deal: dict[str, Any]) -> None:
    """When the last card is played, the deal counts what HE-1 says."""
    pass_all(table, deal)
    events = table.play(" ".join(" ".join(played) for _, played, _ in deal["tricks"]))
    points = tuple(deal["points"])
    assert of_kind(events, DealScored) == [DealScored(points, scores=points)]


@pytest.mark.parametrize(
    ("hand", "may_play"),
    [("AH QS 3D", "3D"), ("AH QS 2H", "2H AH QS"), ("5C QS", "5C")],
)
def test_he_4_discards_on_the_first_trick(hand: str, may_play: str) -> None:
    """Given a club led to the first trick, when I hold this hand, I may play these."""
    assert accepted(position(hand, table="2C 9C", first_trick=True)) == may_play


@pytest.mark.parametrize(
    ("hand", "may_lead"),
    [("KH QS 2D", "2D QS"), ("KH QS", "QS"), ("KH 2H", "2H KH")],
)
def test_he_5_leads_while_hearts_are_unbroken(hand: str, may_lead: str) -> None:
    """Given that hearts are not broken, when I hold this hand, I may lead these."""
    assert accepted(position(hand)) == may_lead


def test_he_5_an_option_lets_hearts_be_led_in_place_of_the_queen() -> None:
    """Given the option, holding nothing but hearts and the queen, I may lead either."""
    options = Options(lead_hearts_instead_of_qs=True)
    assert accepted(position("KH QS", options=options)) == "KH QS"
    assert accepted(position("KH QS 2D", options=options)) == "2D QS"


@pytest.mark.parametrize("hand", ["2D KH QS", "KH QS", "2H KH"])
def test_he_5_any_card_may_be_led_once_hearts_are_broken(hand: str) -> None:
    """Given that hearts are broken, I may lead what I hold."""
    assert accepted(position(hand, broken=True)) == hand


Scores = tuple[int, ...]


class Moon(NamedTuple):
    """A row of HE-6; `winners` are those after `add`, nobody where it ends nothing."""

    before: Scores
    shooter: Seat
    add: Scores
    winners: tuple[int, ...]
    subtract: Scores
    auto: Literal["add", "subtract"]


MOONS = [
    Moon(
        before=(72, 40, 88, 65),
        shooter=Seat(1),
        add=(98, 40, 114, 91),
        winners=(1,),
        subtract=(72, 14, 88, 65),
        auto="add",
    ),
    Moon(
        before=(50, 95, 90, 60),
        shooter=Seat(1),
        add=(76, 95, 116, 86),
        winners=(0,),
        subtract=(50, 69, 90, 60),
        auto="subtract",
    ),
    Moon(
        before=(74, 95, 69, 60),
        shooter=Seat(1),
        add=(100, 95, 95, 86),
        winners=(3,),
        subtract=(74, 69, 69, 60),
        auto="subtract",
    ),
    Moon(
        before=(0, 0, 0, 0),
        shooter=Seat(2),
        add=(26, 26, 0, 26),
        winners=(),
        subtract=(0, 0, -26, 0),
        auto="add",
    ),
]
every_moon = pytest.mark.parametrize("moon", MOONS, ids=lambda moon: str(moon.before))


def shot(moon: Moon, options: Options) -> HeartsState:
    """The end of a deal in which the shooter took all hearts and the queen."""
    piles = [EVERYTHING if seat == moon.shooter else "" for seat in range(4)]
    return ending(*piles, scores=moon.before, options=options)


@every_moon
def test_he_6_a_moon_is_added(moon: Moon) -> None:
    """Given `add`, all others get 26, and the match ends as the example says."""
    end = shot(moon, Options(moon="add"))
    assert scores(end) == moon.add
    assert winners(end) == moon.winners


@every_moon
def test_he_6_a_moon_is_subtracted(moon: Moon) -> None:
    """Given `subtract`, 26 come off the shooter's score, and the match goes on."""
    end = shot(moon, Options(moon="subtract"))
    assert scores(end) == moon.subtract
    assert winners(end) == ()


@every_moon
def test_he_6_auto_subtracts_a_moon_that_would_lose_the_match(moon: Moon) -> None:
    """Given `auto`, a moon adds, unless that ends the match and another is lowest."""
    end = shot(moon, Options(moon="auto"))
    events, _state = ended(end)
    assert of_kind(events, MoonSettled) == [MoonSettled(moon.shooter, moon.auto)]
    assert scores(end) == (moon.add if moon.auto == "add" else moon.subtract)


@every_moon
def test_he_6_the_shooter_may_choose(moon: Moon) -> None:
    """Given `choice`, the deal is scored once the shooter has said how, and so."""
    events, asked = ended(shot(moon, Options(moon="choice")))
    assert events[-1] == MoonShot(moon.shooter, sun=False)
    for move, total in [
        (SettleMoon(how="add"), moon.add),
        (SettleMoon(how="subtract"), moon.subtract),
    ]:
        events, _state = after(asked, move, moon.shooter)
        assert events[0] == MoonSettled(moon.shooter, move.how)
        assert [it.scores for it in of_kind(events, DealScored)] == [total]


@every_moon
def test_he_6_without_moons_the_shooter_pays(moon: Moon) -> None:
    """Given `none`, all 26 points count for who took them."""
    expected = list(moon.before)
    expected[moon.shooter] += 26
    assert scores(shot(moon, Options(moon="none"))) == tuple(expected)


def test_he_7_sixteen_points_are_no_moon() -> None:
    """Three hearts and the queen count 16, with or without the jack of diamonds."""
    piles = ("2H 3H 4H QS", "5H", "6H 7H 8H 9H TH JH QH KH AH", "")
    assert points(ending(*piles)) == (16, 1, 9, 0)
    with_jack = ("2H 3H 4H QS JD", *piles[1:])
    options = Options(jack_of_diamonds=-10)
    assert points(ending(*with_jack)) == (16, 1, 9, 0)
    assert points(ending(*with_jack, options=options)) == (6, 1, 9, 0)


def test_he_7_twenty_five_points_are_no_moon() -> None:
    """With a heart missing, nothing is shot."""
    but_one = EVERYTHING.removeprefix("2H ")
    assert points(ending(but_one, "2H", "", "")) == (25, 1, 0, 0)


def test_he_7_a_moon_with_the_jack_of_diamonds() -> None:
    """All 26 and the jack at -10: the shooter gets -10, everybody else 26."""
    end = ending(f"{EVERYTHING} JD", "", "", "", options=Options(jack_of_diamonds=-10))
    assert points(end) == (-10, 26, 26, 26)


def test_he_7_a_slam_of_fifteen_cards() -> None:
    """Where a moon needs the jack too, all fifteen cards are 26 off, others get 0."""
    options = Options(jack_of_diamonds=-10, slam_needs_bonus=True)
    end = ending(f"{EVERYTHING} JD", "", "", "", options=options)
    assert points(end) == (-26, 0, 0, 0)


def bringing(*totals: int, options: Options = STANDARD) -> HeartsState:
    """The end of a deal of 16, 1, 9 and 0 points that brings the scores to these."""
    before = [total - new for total, new in zip(totals, (16, 1, 9, 0), strict=True)]
    piles = ("2H 3H 4H QS", "5H", "6H 7H 8H 9H TH JH QH KH AH", "")
    return ending(*piles, scores=before, options=options)


def test_he_8_the_lowest_win_jointly() -> None:
    """Given 100 64 64 98, the match is over and P1 and P2 have won together."""
    assert scores(bringing(100, 64, 64, 98)) == (100, 64, 64, 98)
    assert winners(bringing(100, 64, 64, 98)) == (1, 2)


def test_he_8_ninety_nine_is_not_the_target() -> None:
    """Given 99 0 99 99, the match goes on."""
    assert winners(bringing(99, 0, 99, 99)) == ()


def test_he_8_who_reaches_the_target_has_lost_or_by_option_won() -> None:
    """Given 100 30 41 22, P3 wins; P0 where landing on the target wins."""
    assert winners(bringing(100, 30, 41, 22)) == (3,)
    options = Options(exact_target=True)
    assert winners(bringing(100, 30, 41, 22, options=options)) == (0,)


@pytest.mark.parametrize(
    ("seats", "opener", "size"),
    [(3, "2C", 17), (4, "2C", 13), (5, "3C", 10), (6, "4C", 8), (7, "3C", 7)],
)
def test_he_9_the_lowest_club_opens(seats: int, opener: str, size: int) -> None:
    """Its holder is to act and may lead nothing else; all hold so many cards."""
    table = hearts({"passing": []}, seats=seats).table
    [seat] = views.to_act(table)
    decision = views.decision(table, seat)
    assert decision is not None
    assert decision.legal == (Play(card=Card(opener)),)
    deal = views.view(table, seat).deal
    assert deal is not None
    assert deal.hand_sizes == (size,) * seats


def test_he_10_the_sun_counts_39() -> None:
    """When seat 0 has taken all thirteen tricks, it gets 0, everybody else 39."""
    driver = hearts(
        {"passing": [], "shoot_sun": True}, arrangement=arranged(strong_hands(4))
    )
    driver.grasping = Seat(0)
    events: list[Event] = []
    while not of_kind(events, DealScored):
        events += driver.step()
    assert of_kind(events, MoonShot) == [MoonShot(Seat(0), sun=True)]
    assert of_kind(events, DealScored) == [DealScored((0, 39, 39, 39), (0, 39, 39, 39))]
