"""What Hearts shows of a deal, to a seat and to the public."""

from domain import views
from domain.cards import Card, cards_of
from domain.commands import Act, Pass, Play
from domain.games.hearts import GAME
from domain.games.hearts.state import HeartsState
from domain.games.hearts.view import HeartsView
from domain.ids import Seat
from tests.driver import Driver, hearts


def state_of(driver: Driver) -> HeartsState:
    """The match as it stands."""
    state = driver.play_state()
    assert isinstance(state, HeartsState)
    return state


def shown(driver: Driver, seat: int | None) -> HeartsView:
    """What the seat, or the public, is shown."""
    at = None if seat is None else Seat(seat)
    view = GAME.view(state_of(driver), at)
    assert isinstance(view, HeartsView)
    return view


def pass_all(driver: Driver, *seats: int) -> dict[int, tuple[Card, ...]]:
    """These seats pass their three lowest cards; what they passed."""
    passed = {}
    for seat in seats:
        chosen = cards_of(state_of(driver).hands[seat])[:3]
        driver.do(Act(Seat(seat), Pass(cards=chosen)))
        passed[seat] = chosen
    return passed


def test_a_seat_sees_where_its_pass_goes_and_what_it_gave() -> None:
    """The public sees the direction and who has passed; cards only their giver."""
    driver = hearts({"passing": ["left"]})
    before = shown(driver, 1)
    assert (before.pass_direction, before.pass_to) == ("left", 2)
    assert (before.passed, before.given) == ((False,) * 4, None)
    passed = pass_all(driver, 1, 3)
    mine = shown(driver, 1)
    assert mine.passed == (False, True, False, True)
    assert (mine.given, mine.received) == (passed[1], None)
    assert shown(driver, 0).given is None
    public = shown(driver, None)
    assert (public.pass_direction, public.pass_to) == ("left", None)
    assert (public.given, public.received, public.captured) == (None, None, None)


def test_a_seat_sees_what_it_received_once_all_have_passed() -> None:
    """It comes from the neighbour on the other side."""
    driver = hearts({"passing": ["right"]})
    passed = pass_all(driver, 0, 1, 2, 3)
    for seat in range(4):
        assert shown(driver, seat).received == passed[(seat + 1) % 4]


def test_a_deal_without_a_pass_shows_none() -> None:
    """Nothing goes anywhere."""
    driver = hearts({"passing": []})
    view = shown(driver, 0)
    assert (view.pass_direction, view.pass_to) == ("hold", None)
    assert (view.given, view.received) == (None, None)


def test_captured_cards_are_their_takers_and_points_are_everybodys() -> None:
    """Each seat may look at its own captured cards, and all can count the points."""
    driver = hearts({"passing": []})
    while not state_of(driver).broken or state_of(driver).trick:
        state = state_of(driver)
        move = GAME.legal(state, state.turn)[-1]
        assert isinstance(move, Play)
        driver.do(Act(state.turn, move))
    state = state_of(driver)
    for seat in range(4):
        assert shown(driver, seat).captured == cards_of(state.taken[seat])
    public = shown(driver, None)
    assert public.hearts_broken
    assert sum(public.points) > 0
    assert public.points == tuple(map(counted, state.taken))


def counted(taken: int) -> int:
    """The points of captured cards, counted on their texts."""
    texts = [str(card) for card in cards_of(taken)]
    return sum(text.endswith("H") for text in texts) + 13 * ("QS" in texts)


def test_one_trick_may_be_looked_back_at() -> None:
    """The last one, before the next lead and after it."""
    driver = hearts({"passing": []})
    for _ in range(13):
        state = state_of(driver)
        driver.do(Act(state.turn, GAME.legal(state, state.turn)[0]))
    looked = views.view(driver.table, Seat(0)).deal
    assert looked is not None
    assert [trick.number for trick in looked.last_tricks] == [3]
    assert [play.card for play in looked.last_tricks[0].plays] == list(
        state_of(driver).tricks[2].cards
    )
