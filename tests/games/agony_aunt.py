"""Random tables of Agony Aunt, and what must hold of each beside what does of any game.

The reckoning here goes by the texts of cards and by the events of play alone; it shares
nothing with the rules that it is held against.
"""

from collections.abc import Iterator
from typing import Final

from hypothesis import strategies as st
from msgspec import Struct

from domain.cards import Card
from domain.events import (
    CardPlayed,
    CardTurned,
    CounterPlaced,
    CountersLost,
    CountersReturned,
    DealScored,
    DealStarted,
    Event,
    LineMade,
    TrickTaken,
)
from domain.games.agony_aunt.state import AgonyAuntState
from domain.ids import Seat
from domain.terms import ArrangedDeal, Arrangement, Options
from tests.agony_aunt_positions import PACK, STRONG, agony_aunt, arranged
from tests.driver import Driver, Law

RANKS: Final = "A23456789TJQK"
HEIGHTS: Final = "23456789TJQKA"
SQUARES: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
LINES: Final = {
    "parlett": (
        "joker spades omega, hearts aunt diamonds, plus clubs hash,"
        " joker hearts plus, spades aunt clubs, omega diamonds hash,"
        " joker aunt hash, omega aunt plus"
    ),
    "alphabetical": (
        "joker clubs omega, diamonds aunt hearts, plus spades hash,"
        " joker diamonds plus, clubs aunt spades, omega hearts hash,"
        " joker aunt hash, omega aunt plus"
    ),
}


@st.composite
def options(draw: st.DrawFn, _seats: int) -> Options:
    """Any options of Agony Aunt; the counters are few, so that matches are short."""
    return {
        "counters": draw(st.sampled_from([1, 4, 9, 12, 17])),
        "board": draw(st.sampled_from(["parlett", "alphabetical"])),
    }


@st.composite
def arrangements(draw: st.DrawFn, counters: int) -> Arrangement:
    """An arranged deal, in which seat 0 may hold all the high cards."""
    dealer = draw(st.integers(0, 3))
    scores = draw(st.none() | st.tuples(*[st.integers(1, counters)] * 4))
    if draw(st.booleans()):
        return arranged("2S", STRONG, first_dealer=3, scores=scores)
    turned, *rest = draw(
        st.permutations(PACK).filter(lambda order: order[0] is not Card.JOKER)
    )
    hands = tuple(tuple(rest[seat::4]) for seat in range(4))
    deal = ArrangedDeal(hands=hands, turned=turned)
    return Arrangement(first_dealer=Seat(dealer), scores=scores, deals=(deal,))


@st.composite
def tables(draw: st.DrawFn) -> Driver:
    """A table of Agony Aunt at the start of its match, with any options.

    At some of them seat 0 plays for tricks, so that it may win them all.
    """
    chosen = draw(options(4))
    counters = int(str(chosen["counters"]))
    driver = agony_aunt(
        chosen,
        seed=draw(st.integers(0, 2**32)),
        arrangement=draw(st.none() | arrangements(counters)),
    )
    driver.grasping = draw(st.sampled_from([None, Seat(0)]))
    return driver


def recorded() -> Driver:
    """A match in which counters come back for all tricks, for none and for half."""
    driver = agony_aunt(
        seed=1, arrangement=arranged("2S", STRONG, first_dealer=3, scores=[3, 9, 5, 8])
    )
    driver.grasping = Seat(0)
    return driver.finish()


class Deal(Struct):
    """A deal as everybody saw it, with what its events said of counters."""

    turned: str = ""
    plays: list[tuple[int, str]] = []
    tricks: list[tuple[int, list[str]]] = []
    counters: list[tuple[int, str | None]] = []
    lines: list[tuple[int, tuple[str, ...]]] = []
    lost: dict[int, int] = {}
    returned: dict[int, tuple[str, int]] = {}


def deals(driver: Driver) -> Iterator[tuple[Deal, DealScored]]:
    """Each deal that was played out, and how it was scored."""
    deal = Deal()
    for event in driver.events():
        if isinstance(event, DealStarted):
            deal = Deal()
        elif isinstance(event, DealScored):
            yield deal, event
        else:
            note(deal, event)


def note(deal: Deal, event: Event) -> None:
    """Write down what an event tells."""
    match event:
        case CardTurned(card=card):
            deal.turned = str(card)
        case CardPlayed(seat=seat, card=card):
            deal.plays.append((seat, str(card)))
        case TrickTaken(seat=seat):
            deal.tricks.append((seat, [card for _, card in deal.plays]))
            check_winner(deal, seat)
            deal.plays = []
        case CounterPlaced(seat=seat, square=square):
            deal.counters.append((seat, square))
        case LineMade(seat=seat, squares=squares):
            deal.lines.append((seat, squares))
        case CountersLost(seat=seat, count=count):
            deal.lost[seat] = count
        case CountersReturned(seat=seat, count=count, reason=reason):
            deal.returned[seat] = (reason, count)
        case _:
            pass


def check_winner(deal: Deal, winner: int) -> None:
    """The highest card of the suit led has won, the Joker being the turned card."""
    plays = [(seat, deal.turned if card == "JK" else card) for seat, card in deal.plays]
    led = plays[0][1][1]
    followed = {HEIGHTS.index(card[0]): seat for seat, card in plays if card[1] == led}
    assert winner == followed[max(followed)]


def payers(deal: Deal) -> dict[str, int]:
    """Who has to pay on each square, reckoned from the tricks."""
    owners = {}
    number, suit = RANKS.index(deal.turned[0]) + 1, deal.turned[1]
    for at, (winner, played) in enumerate(deal.tricks, 1):
        for card in (deal.turned if text == "JK" else text for text in played):
            if card[0] == "Q":
                owners[SQUARES[card[1]]] = winner
            if card == f"Q{suit}":
                owners["aunt"] = winner
        if "JK" in played:
            owners["joker"] = winner
        if at == number:
            owners["hash"] = winner
    owners["omega"] = deal.tricks[-1][0]
    owners["plus"] = most_tricks(deal)
    return owners


def most_tricks(deal: Deal) -> int:
    """Who pays for most tricks, by one tie-break after another."""
    winners = [winner for winner, _ in deal.tricks]
    tied = {seat for seat in winners if winners.count(seat) == max_of(winners)}
    dumps: dict[int, list[int]] = {seat: [] for seat in tied}
    for winner, played in deal.tricks:
        for card in (deal.turned if text == "JK" else text for text in played):
            if card[1] == deal.turned[1] and winner in tied:
                dumps[winner].append(HEIGHTS.index(card[0]))
    most = max(map(len, dumps.values()))
    tied = {seat for seat in tied if len(dumps[seat]) == most}
    if most:
        return max(tied, key=lambda seat: max(dumps[seat]))
    return [seat for seat in winners if seat in tied][-1]


def max_of(winners: list[int]) -> int:
    """How many tricks the greediest seat has won."""
    return max(winners.count(seat) for seat in range(4))


def nine_counters_are_paid_for_by_those_who_owe_them(driver: Driver) -> None:
    """Each square of each deal has one counter, of the seat that a recount finds."""
    for deal, _ in deals(driver.finish()):
        assert len(deal.counters) == 9
        assert {square: seat for seat, square in deal.counters} == payers(deal)


def lines_are_those_of_the_board(driver: Driver) -> None:
    """Each line of the layout in one colour is made once, and no other."""
    driver.finish()
    layout = LINES[str(driver.table.opened.options["board"])]
    for deal, _ in deals(driver):
        owners = payers(deal)
        expected = [
            (owners[first], (first, second, third))
            for first, second, third in map(str.split, layout.split(", "))
            if owners[first] == owners[second] == owners[third]
        ]
        assert deal.lines == expected


def counters_are_conserved(driver: Driver) -> None:
    """What each seat has is what it had, less what it lost, with what came back."""
    driver.finish()
    opened = driver.table.opened
    full = int(str(opened.options["counters"]))
    given = opened.arrangement and opened.arrangement.scores
    stocks = list(given or [full] * 4)
    for deal, scored in deals(driver):
        assert min(stocks) > 0
        for seat, before in enumerate(stocks):
            owed = [owner for owner, _ in (*deal.counters, *deal.lines)].count(seat)
            assert deal.lost.get(seat, 0) == min(owed, before)
            left = max(0, before - owed)
            reason, back = recovery(deal, seat, left, full)
            assert deal.returned.get(seat, (reason, 0)) == (reason, back)
            stocks[seat] = left + back
            assert scored.points[seat] == before - stocks[seat]
        assert scored.scores == tuple(stocks)
    if driver.table.result is not None:
        assert min(stocks) == 0
        winners = tuple(seat for seat in range(4) if stocks[seat] == max(stocks))
        assert driver.table.result.winners == winners


def recovery(deal: Deal, seat: int, left: int, full: int) -> tuple[str, int]:
    """Why a seat gets counters back, and how many."""
    tricks = [sum(winner == it for winner, _ in deal.tricks) for it in range(4)]
    if tricks[seat] == 13:
        return "sweep", full - left
    if tricks[seat] == 0:
        return "null", 0 if 13 in tricks else full - left
    if seat in {owner for owner, _ in deal.counters}:
        return "", 0
    return "clean", (full - left) // 2


def cards_are_conserved(driver: Driver) -> None:
    """In every deal the hands, the trick, the captures and the turned card are all."""
    for table in driver.prefixes():
        play = table.play
        assert isinstance(play, AgonyAuntState)
        held = [*play.hands, *play.taken, *(card.bit for card in play.trick)]
        assert sum(held) + play.turned.bit == (1 << 53) - 1


LAWS: Final[list[Law]] = [
    cards_are_conserved,
    nine_counters_are_paid_for_by_those_who_owe_them,
    lines_are_those_of_the_board,
    counters_are_conserved,
]
