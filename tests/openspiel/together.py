"""A deal of Hearts that our rules and OpenSpiel's play in step."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import pyspiel

from domain.cards import Card, cards_of
from domain.commands import Pass, Play
from domain.decisions import PassChoices, Phase
from domain.events import DealScored, Event, MoonShot
from domain.games.hearts import GAME
from domain.games.hearts.options import Options, direction
from domain.games.hearts.state import HeartsState
from domain.ids import Seat
from domain.passing import Direction
from tests.hearts_deals import SEATS, Hands, dealt
from tests.hearts_positions import after

ALTERED: Final[Mapping[str, Mapping[str, Any]]] = {
    "pass_cards": {"passing": ()},
    "no_pts_on_first_trick": {"points_on_first_trick": True},
    "can_lead_any_club": {"opening": "any_club"},
    "jd_bonus": {"jack_of_diamonds": -10},
    "avoid_all_tricks_bonus": {"no_trick_bonus": -5},
    "must_break_hearts": {"break_required": False},
    "qs_breaks_hearts": {"queen_breaks_hearts": False},
    "can_lead_hearts_instead_of_qs": {"lead_hearts_instead_of_qs": True},
}
"""What our options are where one of OpenSpiel's, by name, is not at its default."""

DIRECTIONS: Final[Mapping[Direction, int]] = {
    "hold": 0,
    "left": 1,
    "across": 2,
    "right": 3,
}
"""OpenSpiel's first action of a deal: which way the pass goes."""


MOST: Final = 26
"""OpenSpiel returns how far a seat's points are below this."""


def altered(names: Iterable[str], way: Direction) -> Options:
    """Our options where these of OpenSpiel's are not at their defaults."""
    changes: dict[str, Any] = {"passing": (way,)}
    for name in names:
        changes |= ALTERED[name]
    return Options(**changes)


@cache
def defaults() -> Mapping[str, bool]:
    """OpenSpiel's options by name, at their defaults."""
    parameters: dict[str, bool] = pyspiel.load_game("hearts").get_parameters()
    return parameters


@cache
def card_names() -> Mapping[Card, int]:
    """OpenSpiel's number for each card, found by the name it prints for it."""
    state = pyspiel.load_game("hearts").new_initial_state()
    state.apply_action(DIRECTIONS["hold"])
    return {
        Card(state.action_to_string(state.current_player(), action)): action
        for action in state.legal_actions()
    }


def theirs(options: Options, hands: Hands) -> Any:  # noqa: ANN401 - it has no types
    """OpenSpiel's state of a deal with our options, these hands dealt."""
    changed = {
        name: not defaults()[name]
        for name, ours in ALTERED.items()
        if all(getattr(options, field) == value for field, value in ours.items())
    }
    state = pyspiel.load_game("hearts", changed).new_initial_state()
    way = DIRECTIONS[direction(options, 1, SEATS)]
    assert way in state.legal_actions()
    state.apply_action(way)
    for together in zip(*map(cards_of, hands), strict=True):
        for card in together:
            state.apply_action(card_names()[card])
    return state


class Pair:
    """One deal, played in both. `happened` are our events since the cards were dealt.

    Whatever the two do not agree on is an `AssertionError`.
    """

    def __init__(self, options: Options, hands: Hands) -> None:
        self.ours: HeartsState = dealt(hands, options)
        self.theirs = theirs(options, hands)
        self.happened: list[Event] = []

    def is_on(self) -> bool:
        """Whether the deal is not at its end."""
        over = self.ours.phase is Phase.DONE
        assert self.theirs.is_terminal() == over
        return not over

    def seat(self) -> Seat:
        """Who is to act; where several are to pass, OpenSpiel asks the first."""
        waiting = GAME.to_act(self.ours)
        assert self.theirs.current_player() == waiting[0]
        assert len(waiting) == 1 or self.ours.phase is Phase.PASSING
        return waiting[0]

    def legal(self) -> tuple[Card, ...]:
        """Which cards the seat to act may play, or may choose its pass from."""
        seat = self.seat()
        choices = GAME.choices(self.ours, seat)
        if isinstance(choices, PassChoices):
            cards = choices.from_
        else:
            moves = GAME.legal(self.ours, seat)
            cards = tuple(move.card for move in moves if isinstance(move, Play))
        self._they_list(cards)
        return cards

    def pass_on(self, cards: tuple[Card, ...]) -> None:
        """The seat to act passes these: one move with us, with OpenSpiel three."""
        seat, rest = self.seat(), self.legal()
        for card in cards:
            assert self.theirs.current_player() == seat
            self._they_list(rest)
            self.theirs.apply_action(card_names()[card])
            rest = tuple(other for other in rest if other is not card)
        self._do(seat, Pass(cards=cards))

    def play(self, card: Card) -> None:
        """The seat to act plays a card."""
        seat = self.seat()
        self.theirs.apply_action(card_names()[card])
        self._do(seat, Play(card=card))

    def points(self) -> tuple[int, ...]:
        """What the deal counts by our rules."""
        [scored] = [it for it in self.happened if isinstance(it, DealScored)]
        return scored.points

    def their_points(self) -> tuple[int, ...]:
        """What it counts by OpenSpiel's."""
        return tuple(MOST - int(returned) for returned in self.theirs.returns())

    def shooter(self) -> Seat | None:
        """Who shot the moon."""
        for event in self.happened:
            if isinstance(event, MoonShot):
                return event.seat
        return None

    def _do(self, seat: Seat, move: Pass | Play) -> None:
        events, self.ours = after(self.ours, move, seat)
        self.happened += events
        if self.ours.options.break_required:
            assert self.theirs.hearts_broken() == self.ours.broken

    def _they_list(self, cards: tuple[Card, ...]) -> None:
        listed = self.theirs.legal_actions()
        assert listed == sorted(card_names()[card] for card in cards)
