"""The course of a deal of Hearts, from its state before to its state after."""

from domain import log
from domain.cards import cards_of
from domain.commands import Act, Pass
from domain.decisions import Phase
from domain.events import CardsPassed, PassesExchanged
from domain.games.hearts import GAME
from domain.games.hearts.options import Options, direction
from domain.games.hearts.state import HeartsState
from domain.ids import Seat, Version
from tests.driver import Driver, hearts
from tests.hearts_positions import ended, ending


def test_the_standard_pass_goes_round_by_name() -> None:
    """With four players across comes third; with five there is none."""
    four = [direction(Options(), deal, 4) for deal in range(1, 6)]
    assert four == ["left", "right", "across", "hold", "left"]
    five = [direction(Options(), deal, 5) for deal in range(1, 5)]
    assert five == ["left", "right", "hold", "left"]


def test_an_exchange_names_the_events_that_sealed_the_passes() -> None:
    """Each passage has the version of its giver's own event, the last one too."""
    driver = hearts({"passing": ["left"]})
    versions: dict[Seat, Version] = {}
    for seat in map(Seat, (2, 0, 3, 1)):
        chosen = cards_of(state_of(driver).hands[seat])[:3]
        versions[seat] = Version(driver.table.version + 1)
        passed, *exchanged = driver.do(Act(seat, Pass(cards=chosen)))
        assert passed == CardsPassed(seat, Seat((seat + 1) % 4), 3, chosen)
        if len(versions) < 4:
            assert not exchanged
            continue
        assert isinstance(exchanged[0], PassesExchanged)
        named = {passage.seat: passage.version for passage in exchanged[0].passes}
        assert named == versions
    stored = {line.version: log.public_event(line.body) for line in driver.lines}
    for version in versions.values():
        assert stored[version].type == "cards_passed"


def test_a_scored_deal_waits_for_nobody() -> None:
    """It is done, and no seat is to act."""
    _, state = ended(ending("2H 3H", "", "", ""))
    assert state.phase is Phase.DONE
    assert GAME.to_act(state) == ()


def test_the_next_deal_begins_afresh() -> None:
    """Nothing on the table, nothing taken, hearts unbroken, all to pass."""
    driver = hearts({"passing": ["left"], "moon": "add"})
    play_a_deal(driver)
    state = state_of(driver)
    assert state.deal == 2
    assert state.broken is False
    assert state.passed == (0, 0, 0, 0)
    assert (state.trick, state.tricks, state.taken) == ((), (), (0, 0, 0, 0))
    assert GAME.to_act(state) == (0, 1, 2, 3)
    assert state.phase is Phase.PASSING


def state_of(driver: Driver) -> HeartsState:
    """The match as it stands."""
    state = driver.play_state()
    assert isinstance(state, HeartsState)
    return state


def play_a_deal(driver: Driver) -> None:
    """Pass and play whatever comes first until the next deal has begun."""
    while state_of(driver).deal == 1:
        state = state_of(driver)
        seat = GAME.to_act(state)[0]
        moves = GAME.legal(state, seat) or (
            Pass(cards=cards_of(state.hands[seat])[:3]),
        )
        driver.do(Act(seat, moves[0]))
