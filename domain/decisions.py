"""What a deal waits for, and what a seat may choose."""

from abc import abstractmethod
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from domain.cards import Card
from domain.commands import Bid, Move, Pass

if TYPE_CHECKING:
    from random import Random


class Phase(Enum):
    """What the deal is waiting for."""

    PASSING = "passing"
    BIDDING = "bidding"
    NAMING = "naming"
    PLAYING = "playing"
    SETTLING = "settling"
    DONE = "done"


class Choices(Struct, frozen=True, tag_field="type"):
    """What a seat may choose from where the moves are too many to list."""

    @abstractmethod
    def at_random(self, chance: "Random") -> Move:
        """One of the legal moves, each as likely as the others."""


class PassChoices(Choices, frozen=True, tag="pass", rename={"from_": "from"}):
    """Any `choose` of the cards `from` make a legal pass."""

    choose: int
    from_: tuple[Card, ...]

    def at_random(self, chance: "Random") -> Pass:
        """Any of the cards."""
        return Pass(cards=tuple(chance.sample(self.from_, self.choose)))


class BidChoices(Choices, frozen=True, tag="bid"):
    """Any bid of `min` to `max` chips is legal."""

    min: int
    max: int

    def at_random(self, chance: "Random") -> Bid:
        """Any of the bids."""
        return Bid(chips=chance.randint(self.min, self.max))
