"""What must hold at every moment of every game, whatever is played."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import chain, log, views
from domain.cards import ONE_PACK, Card
from domain.commands import Act, Move, Pass, Play
from domain.deciding import decide
from domain.decisions import Phase
from domain.errors import NotYourTurn, RuleViolation
from domain.events import (
    Answer,
    CardPlayed,
    DealRevealed,
    DealScored,
    DealStarted,
    DealVoided,
    Event,
    MatchEnded,
    MatchRevealed,
    MoonShot,
    TableAbandoned,
)
from domain.games.hearts.legality import PACK
from domain.ids import Seat
from domain.table import Table
from tests.driver import Driver
from tests.independent.record_check import check
from tests.property.strategies import QUICK, TABLES, THOROUGH

Property = Callable[[Driver], None]
CARD_TEXT = re.compile(rb'"([2-9TJQKA][CDHS]|JK)"')


def events_of(driver: Driver) -> Iterator[Event]:
    """Everything that has happened at the table."""
    return (event for append in driver.appends for event in append)


def legal_lists_are_sound_and_complete(driver: Driver) -> None:
    """What is listed is accepted; every other card is refused by a known rule."""
    for table in driver.prefixes():
        for seat in views.to_act(table):
            _listed_moves_are_accepted(driver, table, seat)
            _other_cards_are_refused(driver, table, seat)


def _listed_moves_are_accepted(driver: Driver, table: Table, seat: Seat) -> None:
    decision = views.decision(table, seat)
    assert decision is not None
    assert decision.legal or decision.choices
    moves: list[Move] = list(decision.legal)
    if decision.choices:
        moves += [decision.choices.at_random(driver.chance) for _ in range(3)]
    for move in moves:
        assert decide(table, Act(seat, move), driver.given())


def _other_cards_are_refused(driver: Driver, table: Table, seat: Seat) -> None:
    listed = table.game.legal(table.play, seat)
    others: list[Move] = [move for move in map(_play, Card) if move not in listed]
    if table.play and table.play.phase is not Phase.PASSING:
        others.append(Pass(cards=(Card("2C"), Card("3C"), Card("4C"))))
    before = repr(table) if table.version % 16 == 0 else ""
    for move in others:
        with pytest.raises(RuleViolation) as refusal:
            decide(table, Act(seat, move), driver.given())
        assert refusal.value.rule in table.game.rules
        assert refusal.value.text
    assert before in {"", repr(table)}


def _play(card: Card) -> Play:
    return Play(card=card)


def only_seats_to_act_may_act(driver: Driver) -> None:
    """A seat has a decision exactly when it may move."""
    for table in driver.prefixes():
        to_act = views.to_act(table)
        assert bool(to_act) == (table.status == "playing")
        for seat in map(Seat, range(len(table.seats))):
            assert (views.decision(table, seat) is not None) == (seat in to_act)
            if table.status == "playing" and seat not in to_act:
                for card in (Card("2C"), Card("QS")):
                    with pytest.raises(NotYourTurn):
                        decide(table, Act(seat, _play(card)), driver.given())


def replay_is_equivalent(driver: Driver) -> None:
    """After every append, the stored events fold to the very table that is live."""
    restored, done = None, 0
    for number, table in enumerate(driver.prefixes()):
        fresh = [(line.body, line.kept) for line in driver.lines[done:]]
        restored = log.restore(driver.id, restored, fresh)
        done = len(driver.lines)
        assert restored == table
        if number % 50 == 0:
            whole = [(line.body, line.kept) for line in driver.lines]
            assert log.restore(driver.id, None, whole) == table


def cards_are_conserved(driver: Driver) -> None:
    """In every deal the hands, the trick and the captures are the pack."""
    for table in driver.prefixes():
        play = table.play
        assert play is not None
        held = [*play.hands, *play.taken, *(card.bit for card in play.trick)]
        assert sum(held) == PACK[play.seats]
        assert sum(held) & ~ONE_PACK == 0


def points_are_conserved(driver: Driver) -> None:
    """26 in a deal with neither moon, jack nor bonus; scores are sums of points."""
    driver.finish()
    options = driver.table.opened.options
    total = [0] * len(driver.table.seats)
    plain = not options["jack_of_diamonds"] and not options["no_trick_bonus"]
    moon = False
    for event in events_of(driver):
        if isinstance(event, DealStarted):
            moon = False
        elif isinstance(event, MoonShot):
            moon = True
        elif isinstance(event, DealScored):
            total = [old + new for old, new in zip(total, event.points, strict=True)]
            assert event.scores == tuple(total)
            if plain and not moon:
                assert sum(event.points) == 26


def decisions_stay_open_until_answered(driver: Driver) -> None:
    """Others' moves leave a decision's id alone; the seat's own move ends it."""
    named = _decisions(driver.table)
    while driver.table.status == "playing":
        answer = driver.step()[0]
        assert isinstance(answer, Answer)
        after = _decisions(driver.table)
        for seat, name in named.items():
            if seat == answer.seat:
                assert after.get(seat) != name
            else:
                assert after[seat] == name
        for seat in after.keys() - named.keys():
            assert after[seat] == f"{driver.table.version}.{seat}"
        named = after


def _decisions(table: Table) -> dict[int, str]:
    names = {seat: views.decision_id(table, seat) for seat in views.to_act(table)}
    return {seat: name for seat, name in names.items() if name}


def a_finished_match_ends_in_order(driver: Driver) -> None:
    """Score, the deal's reveal, the match's reveal, the end; and nobody is to act."""
    last = driver.finish().appends[-1]
    kinds = [type(event) for event in last][-4:]
    assert kinds == [DealScored, DealRevealed, MatchRevealed, MatchEnded]
    assert driver.table.status == "finished"
    assert views.to_act(driver.table) == ()


def canonical_bytes_are_json_in_one_spelling(driver: Driver) -> None:
    """Stored and served texts alike are what any JSON library makes of them."""
    driver.finish()
    for text in (*(line.body for line in driver.lines), *driver.served()):
        again = json.dumps(
            json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        assert again.encode() == text
    head = chain.head(driver.id, [line.body for line in driver.lines])
    assert head == driver.lines[-1].hash


def public_bytes_name_no_hidden_card(driver: Driver) -> None:
    """Before a deal's reveal its events name played cards only; seals never repeat."""
    driver.finish()
    seals: list[str] = []
    played: set[str] = set()
    for line, event in zip(driver.lines, events_of(driver), strict=True):
        data = json.loads(line.body)["data"]
        if isinstance(event, DealStarted):
            played = set()
        if isinstance(event, CardPlayed):
            played.add(str(event.card))
        if event.sealed:
            assert "cards" not in data
            assert "arrangement" not in data
        if "seal" in data:
            seals.append(data["seal"])
        if not isinstance(event, DealRevealed | MatchRevealed):
            named = {text.decode() for text in CARD_TEXT.findall(line.body)}
            assert named <= played
            assert "secret" not in data
    assert len(set(seals)) == len(seals)


def records_stand_up_to_the_independent_checker(driver: Driver) -> None:
    """Whatever was played, a second program finds no fault in the record."""
    assert check(driver.finish().record()) == []


PROPERTIES: list[Property] = [
    legal_lists_are_sound_and_complete,
    only_seats_to_act_may_act,
    replay_is_equivalent,
    cards_are_conserved,
    points_are_conserved,
    decisions_stay_open_until_answered,
    a_finished_match_ends_in_order,
    canonical_bytes_are_json_in_one_spelling,
    public_bytes_name_no_hidden_card,
    records_stand_up_to_the_independent_checker,
]
every_property = pytest.mark.parametrize("holds", PROPERTIES)
every_game = pytest.mark.parametrize("game", TABLES)


@every_game
@every_property
@QUICK
@given(data=st.data())
def test_it_holds_of_a_few_games(
    game: str, holds: Property, data: st.DataObject
) -> None:
    """Each property above, of the same few random matches."""
    holds(data.draw(TABLES[game]))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@every_game
@every_property
@THOROUGH
@given(data=st.data())
def test_it_holds_of_many_games(
    game: str, holds: Property, data: st.DataObject
) -> None:
    """Each property above, of many new random matches."""
    holds(data.draw(TABLES[game]))


@every_game
@QUICK
@given(data=st.data())
def test_a_table_can_be_given_up_at_any_moment(game: str, data: st.DataObject) -> None:
    """The last events come in order, and the record stands up to the checker."""
    driver = data.draw(TABLES[game])
    for _ in driver.prefixes(data.draw(st.integers(0, 150))):
        pass
    if driver.table.status != "playing":
        return
    kinds = [type(event) for event in driver.abandon().appends[-1]]
    assert kinds == [DealVoided, DealRevealed, MatchRevealed, TableAbandoned]
    assert views.to_act(driver.table) == ()
    assert check(driver.record()) == []
