"""Random tables of Tetka, and what must hold of each beside what does of any game."""

from typing import Final

from hypothesis import strategies as st

from domain.cards import ONE_PACK, STANDARD_PACK
from domain.events import (
    CardPlayed,
    CounterPlaced,
    DealScored,
    DealStarted,
    RevokeFound,
    RubberEnded,
    SeatsDrawn,
    SettlementMade,
)
from domain.ids import Seat
from domain.seating import moved
from domain.terms import ArrangedDeal, Arrangement, Options
from tests.driver import Driver, Law
from tests.tetka_positions import tetka


@st.composite
def options(draw: st.DrawFn, _seats: int) -> Options:
    """Any options of Tetka, of matches that are short and end in every way there is."""
    points, rubbers = draw(st.sampled_from([(1, 1), (7, 1), (12, 1), (1, 2), (1, 5)]))
    return {
        "length": draw(st.sampled_from(["rubber", "deals"])),
        "rubber_points": points,
        "rubbers": rubbers,
        "deals": draw(st.integers(1, 3)),
        "photograph": draw(st.sampled_from(["second_pack", "last_card"])),
        "suit_queen_mark": draw(st.booleans()),
        "last_trick_mark": draw(st.booleans()),
        "most_tricks_tie": draw(st.sampled_from(["latest_trick", "most_of_suit"])),
        "settlement": draw(st.sampled_from(["pairwise", "marks"])),
        "revokes": draw(st.sampled_from(["refused", "penalised"])),
    }


@st.composite
def arrangements(draw: st.DrawFn) -> Arrangement:
    """An arranged deal, after which the deals are shuffled."""
    pack = draw(st.permutations(STANDARD_PACK))
    deal = ArrangedDeal(
        hands=tuple(tuple(pack[seat::4]) for seat in range(4)),
        photograph=draw(st.sampled_from(STANDARD_PACK)),
    )
    scores = draw(st.none() | st.tuples(*[st.integers(0, 8)] * 4))
    dealer = Seat(draw(st.integers(0, 3)))
    return Arrangement(first_dealer=dealer, scores=scores, deals=(deal,))


@st.composite
def tables(draw: st.DrawFn) -> Driver:
    """A table of Tetka at the start of its match, with any options."""
    return tetka(
        draw(options(4)),
        seed=draw(st.integers(0, 2**32)),
        arrangement=draw(st.none() | arrangements()),
    )


def recorded() -> Driver:
    """A match with revokes that goes on after the draw for new seats."""
    chosen: Options = {"rubber_points": 1, "rubbers": 5, "revokes": "penalised"}
    return tetka(chosen, seed=3).finish()


def cards_are_conserved(driver: Driver) -> None:
    """In every deal the hands, the trick and the captures are the pack."""
    for table in driver.prefixes():
        play = table.play
        assert play is not None
        held = [*play.hands, *play.taken, *(card.bit for card in play.trick)]
        assert sum(held) == ONE_PACK


def marks_are_conserved(driver: Driver) -> None:
    """Each deal gives out the same number of marks, one by one."""
    driver.finish()
    chosen = driver.table.opened.options
    each = 7 + sum(bool(chosen[f"{it}_mark"]) for it in ("suit_queen", "last_trick"))
    placed: list[Seat] = []
    for event in driver.events():
        if isinstance(event, DealStarted):
            placed = []
        elif isinstance(event, CounterPlaced):
            placed.append(event.seat)
        elif isinstance(event, DealScored):
            assert event.points == tuple(placed.count(Seat(seat)) for seat in range(4))
            assert sum(event.points) == each


def the_fewest_marks_win(driver: Driver) -> None:
    """The players' own, of all rubbers, wherever they sat; joint if they are equal."""
    driver.finish()
    marks = _starting_scores(driver)
    for event in driver.events():
        if isinstance(event, DealScored):
            marks = tuple(map(int.__add__, marks, event.points))
        elif isinstance(event, SeatsDrawn):
            marks = moved(marks, event.seats)
    result = driver.table.result
    if result is not None:
        best = [seat for seat in range(4) if marks[seat] == min(marks)]
        assert result.winners == tuple(best)


def nobody_wins_but_from_another(driver: Driver) -> None:
    """Settlements sum to nothing, and the match's is the sum of them, by player."""
    driver.finish()
    nets: tuple[int, ...] = (0, 0, 0, 0)
    for event in driver.events():
        if isinstance(event, SettlementMade):
            assert sum(event.nets) == 0
            nets = tuple(map(int.__add__, nets, event.nets))
        elif isinstance(event, SeatsDrawn):
            nets = moved(nets, event.seats)
    result = driver.table.result
    if result is not None and result.settlement is not None:
        assert result.settlement == nets
        assert max(nets) == nets[result.winners[0]]
    if driver.table.opened.options["settlement"] == "marks":
        assert nets == (0, 0, 0, 0)
        assert result is None or result.settlement is None


def rubbers_end_when_a_record_is_full(driver: Driver) -> None:
    """Never before, and at once; the records of the next one begin at nothing."""
    driver.finish()
    chosen = driver.table.opened.options
    ended = 0
    records = _starting_scores(driver)
    for event in driver.events():
        if isinstance(event, DealScored):
            records = tuple(map(int.__add__, records, event.points))
            assert event.scores == records
        elif isinstance(event, RubberEnded):
            ended += 1
            assert (event.rubber, event.scores) == (ended, records)
            assert max(records) >= int(str(chosen["rubber_points"]))
            records = (0,) * 4
        elif isinstance(event, DealStarted) and chosen["length"] == "rubber":
            assert max(records) < int(str(chosen["rubber_points"])) or event.deal == 1
    if chosen["length"] == "deals":
        assert ended == 0
    elif driver.table.status == "finished":
        assert ended == chosen["rubbers"]


def _starting_scores(driver: Driver) -> tuple[int, ...]:
    arrangement = driver.table.opened.arrangement
    return (arrangement.scores if arrangement else None) or (0, 0, 0, 0)


def revokes_are_found_when_the_deal_is_over(driver: Driver) -> None:
    """All cards that did not follow suit though the hand could, in order of play."""
    driver.finish()
    revoked: list[RevokeFound] = []
    for before, append in zip(driver.tables, driver.appends[1:], strict=False):
        play, first = before.play, append[0]
        if play and isinstance(first, CardPlayed) and play.trick:
            led, hand = play.trick[0].suit, play.hands[first.seat]
            if first.card.suit is not led and hand & led.all:
                number = len(play.tricks) + 1
                revoked.append(RevokeFound(first.seat, number, first.card))
        found = [event for event in append if isinstance(event, RevokeFound)]
        if any(isinstance(event, DealScored) for event in append):
            assert found == revoked
            revoked = []
        else:
            assert found == []


LAWS: Final[list[Law]] = [
    cards_are_conserved,
    marks_are_conserved,
    the_fewest_marks_win,
    nobody_wins_but_from_another,
    rubbers_end_when_a_record_is_full,
    revokes_are_found_when_the_deal_is_over,
]
