"""Scenes of recorded games: true to the game, and blind where a seat was."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json
from rich.console import Console

from api.replay.drawing import drawn, transcript
from api.replay.faces import SYMBOLS, Faces
from api.replay.stepping import Place, after
from domain import log
from domain.cards import Card, cards_of
from domain.decisions import Phase
from domain.events import CardPlayed, CardTurned, DealStarted, SeatsDrawn
from domain.games.cancellation_hearts.state import CancellationState
from domain.ids import Seat
from domain.scenes import Scene, scenes
from tests.driver import Driver
from tests.games import TRIALS
from tests.property.effort import QUICK

LETTERS: Final = {symbol: suit.value for suit, symbol in SYMBOLS.items()}
IN_A_HAND: Final = re.compile("([♣♦♥♠])([2-9TJQKA]+)")
IN_JSON: Final = re.compile('"([2-9TJQKA][CDHS]|JK)"')
ALONE: Final = re.compile("([2-9TJQKA])([♣♦♥♠])")

SPARSELY: Final = 11
"""Drawing takes long: it is done for one scene in so many."""

each_game = pytest.mark.parametrize("game", TRIALS)


@dataclass(frozen=True, repr=False)
class Match:
    """A match as it went, and the scenes of its record."""

    driver: Driver
    scenes: list[Scene]


@st.composite
def recorded(draw: st.DrawFn, game: str) -> Match:
    """A match that was played out or given up."""
    driver = draw(TRIALS[game].tables)
    most = draw(st.sampled_from([3, 40, 100_000]))
    for _ in driver.prefixes(most):
        pass
    if driver.table.status == "playing":
        driver.abandon()
    told = (log.public_event(line.body) for line in driver.lines)
    return Match(driver, scenes(told))


def text(scene: Scene, eyes: Seat | None) -> str:
    """A scene as it is drawn."""
    paper = StringIO()
    Console(file=paper, width=200, highlight=False).print(drawn(scene, eyes, Faces()))
    return paper.getvalue()


def cards_in(drawing: str) -> set[Card]:
    """The cards that a drawing shows, alone or in hands."""
    hands = (
        (rank, suit) for suit, ranks in IN_A_HAND.findall(drawing) for rank in ranks
    )
    found = {*hands, *ALONE.findall(drawing)}
    joker = {Card.JOKER} if re.search(r"\bJK\b", drawing) else set()
    return {Card(rank + LETTERS[suit]) for rank, suit in found} | joker


def known(told: list[Scene], seat: Seat) -> Iterator[set[Card]]:
    """What a seat may know after each scene: its own cards, and what lay open."""
    cards: set[Card] = set()
    for scene in told:
        play = scene.table.play
        for event in scene.events:
            if isinstance(event, DealStarted):
                cards = set()
        for event in scene.events:
            if isinstance(event, CardPlayed | CardTurned):
                cards.add(event.card)
            elif isinstance(event, SeatsDrawn):
                cards |= {card for drawn in event.cards for card in drawn}
        if play and play.hands:
            cards |= {*cards_of(play.hands[seat])}
            if play.taken:
                cards |= {*cards_of(play.taken[seat])}
            if play.phase is Phase.DONE and isinstance(play, CancellationState):
                cards |= {*cards_of(play.kitty)}  # which is open now
        yield set(cards)


@each_game
def test_the_scenes_are_the_game(game: str) -> None:
    """Each append leads to the table that it led to, and no event is left out."""

    @QUICK
    @given(recorded(game))
    def law(match: Match) -> None:
        driver, found = match.driver, match.scenes
        versions = {scene.version: scene.table for scene in found}
        for table in driver.tables:
            assert versions[table.version] == table
        assert [scene.version for scene in found] == sorted(versions)
        kept = sum(len(scene.events) for scene in found)
        told = {"deal_revealed", "match_revealed"}
        assert kept == sum(line.type not in told for line in driver.lines)

    law()


@each_game
def test_no_scene_through_a_seats_eyes_shows_what_the_seat_could_not_know(
    game: str,
) -> None:
    """Cards that others hold are neither in the picture nor in its drawing."""

    @QUICK
    @given(recorded(game), st.integers(0, 10))
    def law(match: Match, number: int) -> None:
        found = match.scenes
        seat = Seat(number % len(found[0].table.seats))
        for at, (scene, cards) in enumerate(
            zip(found, known(found, seat), strict=True)
        ):
            picture = json.encode(scene.seen_by(seat)).decode()
            assert {*map(Card, IN_JSON.findall(picture))} <= cards, scene.version
            if at % SPARSELY == 0:
                assert cards_in(text(scene, seat)) <= cards, scene.version

    law()


@each_game
def test_open_scenes_show_every_hand(game: str) -> None:
    """Nothing is hidden from who replays a game without taking a seat."""

    @QUICK
    @given(recorded(game))
    def law(match: Match) -> None:
        for scene in match.scenes[::SPARSELY]:
            play = scene.table.play
            hands = play.hands if play else ()
            held = {card for hand in hands for card in cards_of(hand)}
            assert held <= cards_in(text(scene, None))

    law()


@each_game
def test_forwards_and_backwards_the_scenes_are_the_same(game: str) -> None:
    """Whoever goes to the end and back again sees the same, the other way round."""

    @QUICK
    @given(recorded(game))
    def law(match: Match) -> None:
        found = match.scenes
        for there, back in (("n", "p"), ("t", "T"), ("d", "D")):
            forwards = list(walk(found, Place(), there))
            backwards = list(walk(found, forwards[-1], back))
            assert forwards[0].scene == backwards[-1].scene == 0
            assert forwards[-1].scene == len(found) - 1
            if there == "n":
                assert forwards == backwards[::-1]
            else:
                assert len(backwards) >= len(forwards) - 1

    law()


def walk(found: list[Scene], place: Place, key: str) -> Iterator[Place]:
    """The places that a key leads to, one after another."""
    yield place
    while (following := after(key, place, found)) != place:
        place = following
        yield place


@each_game
def test_a_whole_game_fits_into_80_columns(game: str) -> None:
    """Plain text, whoever's eyes see it, and no line is longer."""
    driver = TRIALS[game].recorded()
    found = scenes(log.public_event(line.body) for line in driver.lines)
    for eyes in (None, Seat(1)):
        for plain in (False, True):
            paper = StringIO()
            console = Console(file=paper, width=80, highlight=False)
            for part in transcript(found, eyes, Faces(plain=plain)):
                console.print(part)
            lines = paper.getvalue().splitlines()
            assert max(map(len, lines)) <= 80
            assert "\x1b" not in paper.getvalue()
            assert paper.getvalue().isascii() == plain
