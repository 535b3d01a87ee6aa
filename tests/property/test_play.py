"""What must hold at every moment of every game, whatever is played."""

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import chain, log, views
from domain.adjudication import adjudicated
from domain.cards import Card, Suit
from domain.commands import (
    Act,
    Bid,
    Decline,
    Move,
    NameSuit,
    Pass,
    Play,
    SettleMoon,
)
from domain.deciding import decide
from domain.decisions import BidChoices, PassChoices
from domain.errors import NotYourTurn, RuleViolation
from domain.events import (
    Answer,
    CardPlayed,
    CardTurned,
    DealRevealed,
    DealScored,
    DealVoided,
    MatchEnded,
    MatchRevealed,
    SeatsDrawn,
    TableAbandoned,
)
from domain.ids import Seat
from domain.records import verify
from domain.table import Table
from tests.driver import Driver, Law
from tests.games import TRIALS
from tests.property.effort import QUICK, THOROUGH

CARD_TEXT = re.compile(rb'"([2-9TJQKA][CDHS]|JK)"')


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
    decision = views.decision(table, seat)
    assert decision is not None
    others = [move for move in _moves() if move not in decision.legal]
    if isinstance(decision.choices, BidChoices):
        least, most = decision.choices.min, decision.choices.max
        others = [
            *(move for move in others if not isinstance(move, Bid)),
            *(Bid(chips=chips) for chips in (0, least - 1, most + 1)),
        ]
    if isinstance(decision.choices, PassChoices):
        others = [move for move in others if not isinstance(move, Pass)]
    before = repr(table) if table.version % 16 == 0 else ""
    for move in others:
        with pytest.raises(RuleViolation) as refusal:
            decide(table, Act(seat, move), driver.given())
        assert refusal.value.rule in table.game.rules
        assert refusal.value.text
    assert before in {"", repr(table)}


def _moves() -> Iterator[Move]:
    yield from (Play(card=card) for card in Card)
    yield Pass(cards=(Card("2C"), Card("3C"), Card("4C")))
    yield from (SettleMoon(how="add"), SettleMoon(how="subtract"))
    yield from (Bid(chips=0), Bid(chips=1), Bid(chips=1_000_000), Decline())
    yield from (NameSuit(suit=suit) for suit in Suit)


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
                        decide(table, Act(seat, Play(card=card)), driver.given())


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
    kinds = [type(event) for event in last]
    assert DealScored in kinds[:-3]
    assert kinds[-3:] == [DealRevealed, MatchRevealed, MatchEnded]
    assert driver.table.status == "finished"
    assert views.to_act(driver.table) == ()


def what_was_recorded_is_judged_the_same(driver: Driver) -> None:
    """From each append its command is found, and deciding that again gives the same."""
    driver.finish()
    befores = [None, *driver.tables]
    told = zip(befores, driver.appends, driver.moments, strict=False)
    for before, append, at in told:
        assert adjudicated(driver.id, before, append, at) == append


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
    """Before a deal's reveal its events name open cards only; seals never repeat."""
    driver.finish()
    seals: list[str] = []
    played: set[str] = set()
    for line, event in zip(driver.lines, driver.events(), strict=True):
        data = json.loads(line.body)["data"]
        if isinstance(event, DealRevealed):
            played = set()
        if isinstance(event, CardPlayed | CardTurned):
            played.add(str(event.card))
        if event.sealed:
            assert "cards" not in data
            assert "arrangement" not in data
        if "seal" in data:
            seals.append(data["seal"])
        if not isinstance(event, DealRevealed | MatchRevealed | SeatsDrawn):
            named = {text.decode() for text in CARD_TEXT.findall(line.body)}
            assert named <= played
            assert "secret" not in data
    assert len(set(seals)) == len(seals)


def its_record_is_found_right(driver: Driver) -> None:
    """Whoever checks the record of it finds nothing wrong."""
    lines = driver.finish().record_lines()
    report = verify(lambda: lines)
    assert report.ok, report


LAWS: list[Law] = [
    legal_lists_are_sound_and_complete,
    only_seats_to_act_may_act,
    replay_is_equivalent,
    decisions_stay_open_until_answered,
    a_finished_match_ends_in_order,
    what_was_recorded_is_judged_the_same,
    canonical_bytes_are_json_in_one_spelling,
    public_bytes_name_no_hidden_card,
    its_record_is_found_right,
]
every_law = pytest.mark.parametrize(
    ("game", "law"),
    [(game, law) for game, trial in TRIALS.items() for law in [*LAWS, *trial.laws]],
)
every_game = pytest.mark.parametrize("game", TRIALS)


@every_law
@QUICK
@given(data=st.data())
def test_it_holds_of_a_few_games(game: str, law: Law, data: st.DataObject) -> None:
    """Each law of each game, of the same few random matches."""
    law(data.draw(TRIALS[game].tables))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@every_law
@THOROUGH
@given(data=st.data())
def test_it_holds_of_many_games(game: str, law: Law, data: st.DataObject) -> None:
    """Each law of each game, of many new random matches."""
    law(data.draw(TRIALS[game].tables))


@every_game
@QUICK
@given(data=st.data())
def test_a_table_can_be_given_up_at_any_moment(game: str, data: st.DataObject) -> None:
    """The last events come in order, and the laws of the game hold."""
    driver = data.draw(TRIALS[game].tables)
    for _ in driver.prefixes(data.draw(st.integers(0, 150))):
        pass
    if driver.table.status != "playing":
        return
    kinds = [type(event) for event in driver.abandon().appends[-1]]
    assert kinds == [DealVoided, DealRevealed, MatchRevealed, TableAbandoned]
    assert views.to_act(driver.table) == ()
    for law in (its_record_is_found_right, *TRIALS[game].laws):
        law(driver)
